"""A13, A14: tools the provider runs, whose result may come only in the next assistant message."""

from collections.abc import Iterator

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.rules.rule import Ending, Part, Seen, Step
from pumice.wire.values import string

_USES = frozenset({"server_tool_use", "mcp_tool_use"})
_PREFIX = "srvtoolu_"
_FAMILIES = ("tool_search_tool", "code_execution", "web_search", "web_fetch", "advisor")
"""Stems that tie a server tool's name to its definition's type: `bash_code_execution` runs under `code_execution_…`."""


class Use(msgspec.Struct, frozen=True):
    id: str
    name: str
    path: str
    run: int
    is_mcp: bool


class Server(msgspec.Struct, frozen=True):
    open: tuple[Use, ...] = ()
    run: int = 0
    """Which run of assistant messages this is."""
    is_over: bool = False


START = Server()


def step(state: Server, message: Seen, _model: ModelName, /) -> Step:
    if message.role == "assistant":
        return _assistant(state, message)
    late = () if state.is_over else tuple(_late(state))
    state = msgspec.structs.replace(state, is_over=True, open=tuple(use for use in state.open if use.run == state.run))
    return Step(state, (*late, *(_user(state, message) if message.role == "user" else ())))


def end(state: Server, ending: Ending, /) -> Iterator[Violation]:
    if not state.is_over:
        yield from _late(state)
    for use in state.open:
        if use.run == state.run and not use.is_mcp and not _is_declared(use.name, ending):
            yield Violation("A14", use.path, f"{use.name!r} is still to be run, but `tools` does not hold it")


def _assistant(state: Server, message: Seen) -> Step:
    run = state.run + state.is_over
    uses, found = list(state.open), []
    for part in message.parts:
        if part.kind in _USES:
            uses.append(_use(part, run))
        elif part.kind.endswith("_tool_result") and part.kind != "tool_result":
            ident = string(part.value.get("tool_use_id"))
            if ident not in {use.id for use in uses}:
                found.append(Violation("A13", part.path, f"no server call before it has the id {ident!r}"))
            uses = [use for use in uses if use.id != ident]
    return Step(Server(tuple(uses), run), tuple(found))


def _use(part: Part, run: int) -> Use:
    value = part.value
    return Use(string(value.get("id")), string(value.get("name")), part.path, run, part.kind == "mcp_tool_use")


def _late(state: Server) -> Iterator[Violation]:
    for use in state.open:
        if use.run < state.run:
            yield Violation("A13", use.path, f"the server call {use.id!r} has no result in this or the next assistant message")


def _user(state: Server, message: Seen) -> Iterator[Violation]:
    known = {use.id for use in state.open}
    for part in message.parts:
        ident = string(part.value.get("tool_use_id"))
        if part.kind == "tool_result" and (ident in known or ident.startswith(_PREFIX)):
            yield Violation("A13", part.path, f"{ident!r} is a server call: the provider gives its result")
    other = next((part for part in message.parts if part.kind != "tool_result"), None)
    if known and other is not None:
        yield Violation("A14", other.path, "a server call is still running: only tool results may follow")


def _is_declared(name: str, ending: Ending) -> bool:
    stem = next((family for family in _FAMILIES if family in name), name)
    return any(stem in string(tool.get("type")) or tool.get("name") == name for tool in ending.tools)
