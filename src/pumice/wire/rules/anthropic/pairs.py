"""A4–A8, A16 and A17's last clause: calls and their results.

Consecutive messages of one role are one message here, and an id may come again in a later turn: the provider does the
same (corrections from recorded traffic).
"""

from collections.abc import Iterator

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.rules.rule import Ending, Part, Seen, Step
from pumice.wire.values import objects, string

_SERVER = "srvtoolu_"
_TOOLSET_CONTENT = frozenset({"text", "image", "browser_state"})


class Call(msgspec.Struct, frozen=True):
    id: str
    path: str
    toolset: str


class Pairs(msgspec.Struct, frozen=True):
    calls: tuple[Call, ...] = ()
    """Of the assistant's last run of messages."""
    answered: frozenset[str] = frozenset()
    is_over: bool = False
    """Another role has spoken since: the next assistant message begins a new run."""
    other: bool = False
    """The user's run holds a block that is no result."""
    broken_after: int = 0
    """Results that stood before a system message in their midst."""

    @property
    def open(self) -> tuple[Call, ...]:
        return tuple(call for call in self.calls if call.id not in self.answered)


START = Pairs()


def step(state: Pairs, message: Seen, _model: ModelName, /) -> Step:
    if message.role == "assistant":
        return _assistant(state, message)
    if message.role == "system":
        return _system(state, message)
    found: list[Violation] = []
    state = msgspec.structs.replace(state, is_over=True)
    for part in message.parts:
        if part.kind != "tool_result":
            state = msgspec.structs.replace(state, other=True)
            continue
        ident = string(part.value.get("tool_use_id"))
        found += _result(state, part, ident)
        state = msgspec.structs.replace(state, answered=state.answered | {ident})
    return Step(state, tuple(found))


def end(state: Pairs, _ending: Ending, /) -> Iterator[Violation]:
    return _unanswered(state)


def _assistant(state: Pairs, message: Seen) -> Step:
    found = list(_unanswered(state)) if state.is_over else []
    calls = [] if state.is_over else list(state.calls)
    for part in message.parts:
        if part.kind == "tool_use":
            call = Call(string(part.value.get("id")), part.path, string(part.value.get("toolset_name")))
            if call.id in {known.id for known in calls}:
                found.append(Violation("A8", part.path, f"the call id {call.id!r} stands twice in one assistant message"))
            calls.append(call)
    return Step(Pairs(tuple(calls)), tuple(found))


def _system(state: Pairs, message: Seen) -> Step:
    if not state.open:
        return Step(msgspec.structs.replace(state, is_over=True))
    words = "a system message stands between a call and its result"
    broken = msgspec.structs.replace(state, is_over=True, broken_after=len(state.answered))
    return Step(broken, (Violation("A17", message.path, words),))


def _unanswered(state: Pairs) -> Iterator[Violation]:
    for call in state.open:
        yield Violation("A4", call.path, f"the call {call.id!r} has no result in the next message")


def _result(state: Pairs, part: Part, ident: str) -> Iterator[Violation]:
    call = next((known for known in state.calls if known.id == ident), None)
    if call is None:
        if not ident.startswith(_SERVER):
            yield Violation("A7", part.path, f"no call of the previous assistant message has the id {ident!r}")
        return
    if ident in state.answered:
        yield Violation("A8", part.path, f"the call {ident!r} has more than one result")
    elif state.broken_after:
        yield Violation("A5", part.path, "the results of one assistant message must stand in one user message")
    elif state.other:
        yield Violation("A6", part.path, "a result must stand before any other block of its message")
    yield from _toolset(call, part)


def _toolset(call: Call, part: Part) -> Iterator[Violation]:
    if call.toolset != string(part.value.get("toolset_name")):
        yield Violation("A16", part.path, f"the result must name its call's toolset {call.toolset!r}")
    elif call.toolset and any(item.get("type") not in _TOOLSET_CONTENT for item in objects(part.value.get("content"))):
        yield Violation("A16", part.path, "a toolset's result holds only text, images and browser state")
