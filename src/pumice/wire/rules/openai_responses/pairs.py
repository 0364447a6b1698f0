"""R1, R2: every call has its output and every output its call, wherever between they stand (R19)."""

from collections.abc import Iterator

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.openai_responses import items
from pumice.wire.rules.rule import Ending, Seen, Step

STORED = ("previous_response_id", "conversation")
"""Keys of a request whose input goes on from what the provider holds."""
_CALLS = frozenset({*items.CALLS, "computer_call", "tool_search_call"})
_OUTPUTS = frozenset({*items.OUTPUTS, "computer_call_output", "tool_search_output"})


class Half(msgspec.Struct, frozen=True):
    ident: str
    path: str


class Pairs(msgspec.Struct, frozen=True):
    waiting: tuple[Half, ...] = ()
    """Calls without an output so far."""
    orphans: tuple[Half, ...] = ()
    refers: bool = False
    """An item is only referred to: it may be a call."""


START = Pairs()


def step(state: Pairs, message: Seen, _model: ModelName, /) -> Step:
    value = message.value
    kind, half = items.kind(value), Half(items.call_id(value), message.path)
    if kind == items.REFERENCE:
        return Step(msgspec.structs.replace(state, refers=True))
    if not half.ident or value.get("async") is True or (kind == "tool_search_call" and value.get("execution") != "client"):
        return Step(state)
    if kind in _CALLS:
        return Step(msgspec.structs.replace(state, waiting=(*state.waiting, half)))
    return Step(_answered(state, half) if kind in _OUTPUTS else state)


def end(state: Pairs, ending: Ending, /) -> Iterator[Violation]:
    for half in state.waiting:
        yield Violation("R1", half.path, f"No tool output found for function call {half.ident}.")
    if not any(ending.fields.get(key) for key in STORED):
        for half in state.orphans:
            yield Violation("R2", half.path, f"No tool call found for function call output with call_id {half.ident}.")


def _answered(state: Pairs, output: Half) -> Pairs:
    place = next((place for place, call in enumerate(state.waiting) if call.ident == output.ident), None)
    if place is not None:
        return msgspec.structs.replace(state, waiting=(*state.waiting[:place], *state.waiting[place + 1 :]))
    return state if state.refers else msgspec.structs.replace(state, orphans=(*state.orphans, output))
