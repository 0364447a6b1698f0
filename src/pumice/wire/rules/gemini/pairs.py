"""G3–G6: turns alternate, and each call has one response directly behind it.

The API merges contents of one role before it looks (K, corrections from recorded traffic), so this goes by runs.
"""

from collections.abc import Iterator

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.rules.gemini import parts
from pumice.wire.rules.rule import Ending, Part, Seen, Step

CALL, RESPONSE = "functionCall", "functionResponse"


class Pairs(msgspec.Struct, frozen=True):
    role: str = ""
    """Whose run is being read; empty before the first."""
    calls: tuple[Part, ...] = ()
    """Of the newest run of the model's."""
    responses: tuple[Part, ...] = ()
    """Of the user's run behind it."""


START = Pairs()


def step(state: Pairs, message: Seen, _model: ModelName, /) -> Step:
    if message.role == "model":
        return _of_model(state, message)
    misplaced = (
        Violation("G4", part.path, "a functionCall stands in a content of the model")
        for part in message.parts
        if part.kind == CALL
    )
    responses = tuple(part for part in message.parts if part.kind == RESPONSE)
    return Step(Pairs("user", state.calls, state.responses + responses), tuple(misplaced))


def end(state: Pairs, ending: Ending, /) -> Iterator[Violation]:
    yield from _mismatches(state)
    if state.role == "model":
        yield Violation("G3", f"contents[{ending.count - 1}]", "the last content must be the user's")


def _of_model(state: Pairs, message: Seen) -> Step:
    found = list(_mismatches(state)) if state.role == "user" else []
    calls = tuple(part for part in message.parts if part.kind == CALL)
    if not state.role:
        found.append(Violation("G3", message.path, "the first content must be the user's"))
        if calls:
            words = (
                "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
            )
            found.append(Violation("G4", calls[0].path, words))
    found += [
        Violation("G5", part.path, "a functionResponse stands in a content of the user")
        for part in message.parts
        if part.kind == RESPONSE
    ]
    return Step(Pairs("model", (state.calls if state.role == "model" else ()) + calls), tuple(found))


def _mismatches(state: Pairs) -> Iterator[Violation]:
    calls, responses = state.calls, state.responses
    if len(calls) != len(responses):
        words = (
            "Please ensure that the number of function response parts is equal to the number of function call parts of the "
            f"function call turn: {len(responses)} for {len(calls)}."
        )
        yield Violation("G5", (calls or responses)[0].path, words)
    for call, response in _paired(calls, responses):
        yield from _differences(call, response)


def _paired(calls: tuple[Part, ...], responses: tuple[Part, ...]) -> Iterator[tuple[Part, Part]]:
    """By id where both have it; the rest by function, calls without an id first, else in order."""
    left, loose = list(calls), []
    for response in responses:
        call = next((call for call in left if parts.ident(call) and parts.ident(call) == parts.ident(response)), None)
        if call is None:
            loose.append(response)
        else:
            left.remove(call)
            yield call, response
    for response in loose[: len(left)]:
        same = [call for call in left if parts.name(call) == parts.name(response)]
        call = next((call for call in same if not parts.ident(call)), next(iter(same), left[0]))
        left.remove(call)
        yield call, response


def _differences(call: Part, response: Part) -> Iterator[Violation]:
    path = f"{response.path}.{RESPONSE}"
    if parts.name(call) != parts.name(response):
        words = f"the response is named {parts.name(response)!r}, the call it answers {parts.name(call)!r}"
        yield Violation("G6", f"{path}.name", words)
    elif parts.ident(call) and parts.ident(call) != parts.ident(response):
        words = f"the response has the id {parts.ident(response)!r}, the call it answers {parts.ident(call)!r}"
        yield Violation("G6", f"{path}.id", words)
