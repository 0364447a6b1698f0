"""A31: with manual thinking, the turn that a tool result continues must begin with thinking."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pumice.domain.message import Request, Violation
from pumice.measure.naming import ModelName
from pumice.wire import jsonbytes
from pumice.wire.rules.rule import Ending, Seen, Step

_THINKING = frozenset({"thinking", "redacted_thinking"})


class Turn(msgspec.Struct, frozen=True):
    """From a real user message until the assistant stops calling tools (A30)."""

    first: str = ""
    """Kind of the assistant's first block in the turn."""
    path: str = ""
    is_continued: bool = False
    """The last user message holds tool results."""


START = Turn()


def step(state: Turn, message: Seen, _model: ModelName, /) -> Step:
    if message.role == "user":
        if any(part.kind == "tool_result" for part in message.parts):
            return Step(msgspec.structs.replace(state, is_continued=True))
        # A user message next to results belongs to them: the provider merges the two.
        return Step(state if state.is_continued else Turn())
    if message.role == "assistant" and (state.first or not message.parts):
        return Step(msgspec.structs.replace(state, is_continued=False))
    if message.role == "assistant":
        return Step(Turn(message.parts[0].kind, message.parts[0].path))
    return Step(state)


def end(state: Turn, ending: Ending, /) -> Iterator[Violation]:
    if _is_enabled(ending.fields.get("thinking")) and state.is_continued and state.first not in _THINKING:
        words = f"with thinking enabled the assistant's turn must begin with thinking, not {state.first!r}"
        yield Violation("A31", state.path, words)


def is_manual(request: Request) -> bool:
    """Whether the rule holds for a request."""
    return request.dialect == "anthropic" and _is_enabled(jsonbytes.decode(request.fields.get("thinking", b"null")))


def _is_enabled(thinking: Any) -> bool:
    return isinstance(thinking, dict) and thinking.get("type") == "enabled"
