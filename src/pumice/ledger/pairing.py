"""Results under the ids of the calls they answer, where one of the two has no id of its own: by tool and order.

Gemini's calls need none, and a client may invent ids for one half only (reference: real clients, sub-agents).
"""

from collections.abc import Sequence

import msgspec

from pumice.domain.block import UNNAMED, Block, Kind
from pumice.domain.group import Group


def paired(group: Group) -> Group:
    """The same group where every result already names its call, or none can be told."""
    calls = [block for block in group.blocks if block.kind is Kind.CALL]
    results = [block for block in group.blocks if block.kind is Kind.RESULT]
    ids = _ids(calls, results) if any(block.call_id.startswith(UNNAMED) for block in (*calls, *results)) else {}
    if not ids:
        return group
    nodes = tuple(
        msgspec.structs.replace(node, blocks=tuple(_named(block, ids) for block in node.blocks)) for node in group.nodes
    )
    return Group(group.index, nodes, group.is_user)


def _ids(calls: Sequence[Block], results: Sequence[Block]) -> dict[str, str]:
    """The new id of each result that has to change, by the result's block."""
    waiting = list(calls)
    loose: list[Block] = []
    for result in results:
        call = next((call for call in waiting if call.call_id == result.call_id), None)
        if call is None:
            loose.append(result)
        else:
            waiting.remove(call)
    found: dict[str, str] = {}
    for result in loose:
        call = next((call for call in waiting if _may_answer(result, call)), None)
        if call is not None:
            waiting.remove(call)
            found[result.id] = call.call_id
    return found


def _may_answer(result: Block, call: Block) -> bool:
    is_unnamed = call.call_id.startswith(UNNAMED) or result.call_id.startswith(UNNAMED)
    return is_unnamed and call.tool == result.tool


def _named(block: Block, ids: dict[str, str]) -> Block:
    return msgspec.structs.replace(block, call_id=ids[block.id]) if block.id in ids else block
