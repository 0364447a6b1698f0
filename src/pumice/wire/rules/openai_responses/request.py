"""R10, R14 to R18: the request as a whole."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.openai_responses import items
from pumice.wire.rules.openai_chat import models
from pumice.wire.rules.openai_responses.pairs import STORED
from pumice.wire.rules.openai_responses.shape import acknowledged
from pumice.wire.rules.rule import Ending, Seen, Step
from pumice.wire.values import objects

_ADDED = 20
"""Items one request may add to a conversation."""


class Whole(msgspec.Struct, frozen=True):
    trigger: str = ""
    """Path of the item that asks for a compaction."""
    checks: tuple[tuple[str, dict[str, Any]], ...] = ()
    """Computer calls with pending safety checks, by call id."""


START = Whole()


def step(state: Whole, message: Seen, _model: ModelName, /) -> Step:
    kind, value = items.kind(message.value), message.value
    found: list[Violation] = []
    if state.trigger:
        found.append(Violation("R14", state.trigger, "a compaction_trigger must be the final input item"))
    if kind == "computer_call_output":
        calls = [call for ident, call in state.checks if ident == items.call_id(value)]
        if not all(acknowledged(call, value) for call in calls):
            found.append(Violation("R15", message.path, "pending safety checks must be acknowledged"))
    is_checked = kind == "computer_call" and objects(value.get("pending_safety_checks"))
    return Step(
        Whole(
            trigger=message.path if kind == items.TRIGGER else "",
            checks=(*state.checks, (items.call_id(value), value)) if is_checked else state.checks,
        ),
        tuple(found),
    )


def end(_state: Whole, ending: Ending, /) -> Iterator[Violation]:
    fields = ending.fields
    if all(fields.get(key) for key in STORED):
        yield Violation("R10", "conversation", "previous_response_id and conversation must not stand together")
    if fields.get("conversation") and ending.count > _ADDED:
        yield Violation("R17", "input", f"{ending.count} items are added to the conversation; {_ADDED} are the most")
    is_over = ending.tokens is not None and ending.window is not None and ending.tokens > ending.window
    if is_over and fields.get("truncation") != "auto":
        words = "Your input exceeds the context window of this model. Please adjust your input and try again."
        yield Violation("R16", "input", f"{words} ({ending.tokens} tokens, {ending.window} are the most)")
    if fields.get("prompt_cache_options") is not None and not models.takes_breakpoints(ending.model):
        yield Violation("R18", "prompt_cache_options", f"{ending.model.base!r} takes no cache options")
