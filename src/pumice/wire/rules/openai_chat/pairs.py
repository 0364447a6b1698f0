"""O1–O3: every call is answered at once, by one tool message each."""

from collections.abc import Iterator

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.rules.rule import Ending, Seen, Step, names
from pumice.wire.values import objects, string


class Pairs(msgspec.Struct, frozen=True):
    calls: tuple[str, ...] = ()
    """Ids of the assistant message whose results are being read."""
    answered: frozenset[str] = frozenset()
    path: str = ""


START = Pairs()


def step(state: Pairs, message: Seen, _model: ModelName, /) -> Step:
    if message.role == "tool":
        ident = string(message.value.get("tool_call_id"))
        found = tuple(_result(state, message, ident))
        return Step(msgspec.structs.replace(state, answered=state.answered | {ident}), found)
    late = tuple(_unanswered(state))
    calls = objects(message.value.get("tool_calls")) if message.role == "assistant" else ()
    ids = tuple(string(call.get("id")) for call in calls)
    twice = tuple(
        Violation("O3", f"{message.path}.tool_calls[{place}]", f"the call id {ident!r} stands twice in one message")
        for place, ident in enumerate(ids)
        if ident in ids[:place]
    )
    return Step(Pairs(ids, path=message.path), (*late, *twice))


def end(state: Pairs, _ending: Ending, /) -> Iterator[Violation]:
    return _unanswered(state)


def _result(state: Pairs, message: Seen, ident: str) -> Iterator[Violation]:
    if ident not in state.calls:
        words = f"no call of the assistant message before these results has the id {ident!r}"
        yield Violation("O1", message.path, words)
    elif ident in state.answered:
        yield Violation("O3", message.path, f"the call {ident!r} has more than one tool message")


def _unanswered(state: Pairs) -> Iterator[Violation]:
    missing = [ident for ident in state.calls if ident not in state.answered]
    if missing:
        yield Violation("O2", state.path, f"no tool message answers {names(missing)} before the next role")
