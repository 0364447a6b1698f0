"""Observe: align a request with the branch it continues, forks from or replaces.

Clients resend everything at every call, with small changes that are none: cache markers move, a string becomes a one-text
list, old results become the client's own placeholders, injected tags of the newest prompt change
(reference: real clients, "Every path seen to change"). What remains different starts a branch.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from itertools import compress, count
from operator import ne

import msgspec

from pumice.domain import marks
from pumice.domain.block import UNNAMED, Block, Kind, Origin, Role
from pumice.domain.group import Node
from pumice.domain.message import Message

PLACEHOLDER_SHARE = 0.5
"""A result this much shorter than the known one, under the same call id, is the client's own cut."""


_OURS = (marks.SEALED_BEGIN, f"{marks.OPEN}{marks.COMPACTION}>")
"""How a hand-over of ours begins."""
_SUMMARY = "Another language model started to solve this problem and produced a summary"
"""How Codex begins the message that holds its own."""
HAND_OVER = 400
"""Characters a client's own summary has more of."""


class Alignment(msgspec.Struct, frozen=True):
    """How a request meets the branch: `common` nodes are shared, `fresh` messages are new after them."""

    common: int
    fresh: tuple[Message, ...]
    changed: dict[int, bytes]
    """Nodes whose bytes on the wire are new although the message is the same (markers, list form)."""
    held: dict[int, bytes]
    """Nodes the client has cut down itself, with what it sends for them: our own bytes stay."""
    volatile: tuple[int, ...] = ()
    """Nodes that differ in injected tags only: the same words with other bytes from here on."""

    def forks(self, nodes: int) -> bool:
        """Whether the request leaves the branch before its tip."""
        return self.common < nodes


def _is_cut_by_client(known: Block, seen: Block) -> bool:
    """Whether a result came back shortened, by the client or as the excerpt it was sent as."""
    if seen.hash == known.hash:
        return True
    if known.kind is not Kind.RESULT or seen.kind is not Kind.RESULT or not _answer_the_same(known, seen):
        return False
    if seen.text.startswith(marks.OPEN):
        return True
    return len(seen.text) < PLACEHOLDER_SHARE * len(known.text) and not seen.media


def _answer_the_same(known: Block, seen: Block) -> bool:
    """Whether two results are of one call; the ledger knows a call without an id by its tool and place."""
    return known.call_id == seen.call_id or (known.call_id.startswith(UNNAMED) and known.tool == seen.tool)


def _holds(node: Node, message: Message) -> bool:
    """Whether the message is the node with some results replaced by the client's placeholders, or there twice."""
    blocks = message.blocks if len(node.blocks) == len(message.blocks) else _once(message.blocks)
    if len(node.blocks) != len(blocks) or node.role != message.role:
        return False
    return all(_is_cut_by_client(known, seen) for known, seen in zip(node.blocks, blocks, strict=True))


def _once(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Without results under an id that has one already: after a restart a client may send every result twice."""
    seen: set[str] = set()
    found: list[Block] = []
    for block in blocks:
        if block.kind is not Kind.RESULT or block.call_id not in seen:
            found.append(block)
        seen |= {block.call_id} if block.kind is Kind.RESULT else set()
    return tuple(found)


def _typed(blocks: Sequence[Block]) -> tuple[str, ...]:
    return tuple(block.hash for block in blocks if block.origin is not Origin.CLIENT)


def _differs_in_tags(node: Node, message: Message) -> bool:
    if node.role != Role.USER or message.role != Role.USER:
        return False
    typed = _typed(message.blocks)
    return bool(typed) and typed == _typed(node.blocks)


def _last_user(nodes: Sequence[Node]) -> int:
    return next((index for index in reversed(range(len(nodes))) if nodes[index].role == Role.USER), -1)


def align(
    nodes: Sequence[Node],
    wire: Sequence[bytes],
    raws: Sequence[bytes],
    read: Callable[[bytes], Message],
    known: Mapping[int, bytes] = {},
) -> Alignment:
    """Compare a request's messages with a branch: `wire` are its newest bytes, `known` the placeholders met before.

    Costs one comparison of bytes per known message; only messages whose bytes changed are decoded.
    """
    changed: dict[int, bytes] = {}
    held: dict[int, bytes] = {}
    volatile: list[int] = []
    common = min(len(nodes), len(raws))
    for index in compress(count(), map(ne, raws, wire)):
        if known.get(index) == raws[index]:
            held[index] = raws[index]
            continue
        message = read(raws[index])
        if message.key == nodes[index].key:
            changed[index] = raws[index]
        elif _holds(nodes[index], message):
            held[index] = raws[index]
        else:
            is_volatile = index == _last_user(nodes) and _differs_in_tags(nodes[index], message)
            volatile += [index] if is_volatile else []
            common = index
            break
    fresh = tuple(read(raw) for raw in raws[common:])
    return Alignment(common, fresh, changed, held, tuple(volatile))


def is_client_compaction(fresh: Sequence[Message], common: int) -> bool:
    """Whether a fork is the client's own compaction: its new beginning is a hand-over, a message in which nobody typed.

    Codex puts every message of its user in front of that, so that what came before may be shared.
    """
    return (common <= 1 and any(map(_is_hand_over, fresh[:2]))) or any(map(_is_summary, fresh))


def _is_summary(message: Message) -> bool:
    return message.role is Role.USER and any(block.text.startswith(_SUMMARY) for block in message.blocks)


def _is_hand_over(message: Message) -> bool:
    texts = [block for block in message.blocks if block.kind is Kind.TEXT]
    if message.role is Role.USER and any(block.text.lstrip().startswith(_OURS) for block in texts):
        return True
    return any(len(block.text) > HAND_OVER for block in texts) and all(block.origin is Origin.CLIENT for block in texts)


def familiar(nodes: Sequence[Node], fresh: Sequence[Message]) -> list[tuple[str, ...]]:
    """Per message the ids its blocks have on the branch that is left behind, empty for new ones: a block that comes again
    is the same block, in the same message first, else wherever it stood."""
    whole: dict[bytes, deque[Node]] = defaultdict(deque)
    for node in nodes:
        whole[node.key].append(node)
    again = [whole[message.key].popleft() if whole.get(message.key) else None for message in fresh]
    taken = {node.index for node in again if node is not None}
    single: dict[tuple[str, str], deque[str]] = defaultdict(deque)
    for block in (block for node in nodes if node.index not in taken for block in node.blocks):
        single[block.role, block.hash].append(block.id)
    return [
        tuple(block.id for block in node.blocks) if node is not None else tuple(map(_one_of(single), message.blocks))
        for node, message in zip(again, fresh, strict=True)
    ]


def _one_of(known: Mapping[tuple[str, str], deque[str]]) -> Callable[[Block], str]:
    return lambda block: known[block.role, block.hash].popleft() if known.get((block.role, block.hash)) else ""
