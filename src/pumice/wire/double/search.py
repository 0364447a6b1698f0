"""How the double finds deferred tools: a model can call only what it sees, so what waits is searched for first (K §1.5.4)."""

from collections.abc import Sequence
from typing import Any

from pumice.domain.message import Request
from pumice.errors import InvalidInput
from pumice.wire import get, tools
from pumice.wire.double.script import Use


def unseen(request: Request, calls: Sequence[Use]) -> tuple[str, ...]:
    """Tools of the calls that wait and that no search of the conversation has found, the client's own searches too.

    Raises InvalidInput where the provider has no search to find them with.
    """
    declared = tools.of(request)
    waiting = {tool.name for tool in declared if tool.is_deferred}
    names = dict.fromkeys(call.name for call in calls if call.name in waiting)
    found = _found(request) if names else set()
    missing = tuple(name for name in names if name not in found)
    if missing and not any(tool.is_search for tool in declared):
        raise InvalidInput(f"the script calls {missing[0]!r}, which is deferred.", hint="Declare a tool search, or load it.")
    return missing


def blocks(request: Request, names: Sequence[str], ident: str) -> list[dict[str, Any]]:
    """The search and its result as they stand in the answer."""
    if not names:
        return []
    search = next(tool.name for tool in tools.of(request) if tool.is_search)
    found = [{"type": "tool_reference", "tool_name": name} for name in names]
    result = {"type": "tool_search_tool_search_result", "tool_references": found}
    return [
        {"type": "server_tool_use", "id": ident, "name": search, "input": {"query": " ".join(names)}},
        {"type": "tool_search_tool_result", "tool_use_id": ident, "content": result},
    ]


def _found(request: Request) -> set[str]:
    dialect = get(request.dialect)
    blocks = (block for raw in request.messages for block in dialect.read_message(raw).blocks)
    return {name for block in blocks for name in tools.loads(block)}
