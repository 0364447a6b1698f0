"""A1, A2, A10, A11, A17: which message may follow which."""

from collections.abc import Iterable, Iterator

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.rules.anthropic import models
from pumice.wire.rules.rule import Ending, Seen, Step
from pumice.wire.values import string


class Order(msgspec.Struct, frozen=True):
    role: str = ""
    """Of the last message."""
    path: str = ""
    is_empty: bool = False
    """The last message has no blocks: only a final assistant message may."""
    ends_blank: bool = False
    """Its last text ends in white space."""
    has_calls: bool = False
    runs_server_tools: bool = False
    """It may end the list to be resumed (A12)."""
    ends_in_server_result: bool = False


START = Order()


def step(state: Order, message: Seen, model: ModelName, /) -> Step:
    found = [*_first(state, message), *_empty(state, message), *_system(state, message, model)]
    last = message.parts[-1] if message.parts else None
    server = [part.kind for part in message.parts if _is_server(part.kind)]
    following = Order(
        role=message.role,
        path=message.path,
        is_empty=not message.parts,
        ends_blank=last is not None and last.kind == "text" and string(last.value.get("text"))[-1:].isspace(),
        has_calls=any(part.kind == "tool_use" for part in message.parts),
        runs_server_tools=bool(server),
        ends_in_server_result=last is not None and _is_server(last.kind) and last.kind.endswith("_tool_result"),
    )
    return Step(following, tuple(found))


def end(state: Order, ending: Ending, /) -> Iterator[Violation]:
    if not ending.count:
        yield Violation("A1", "messages", "at least one message is required")
    if state.role != "assistant" or state.has_calls or state.runs_server_tools:
        return
    if models.refuses_prefill(ending.model):
        yield Violation("A11", state.path, f"{ending.model.base!r} takes no prefill: the list must end with a user message")
    elif _thinks(ending):
        yield Violation("A11", state.path, "with thinking on the list cannot end with an assistant message")
    elif state.ends_blank:
        yield Violation("A11", state.path, "a final assistant message must not end in white space")


def _is_server(kind: str) -> bool:
    return kind in ("server_tool_use", "mcp_tool_use") or (kind.endswith("_tool_result") and kind != "tool_result")


def _thinks(ending: Ending) -> bool:
    thinking = ending.fields.get("thinking")
    return isinstance(thinking, dict) and thinking.get("type") in ("enabled", "adaptive")


def _first(state: Order, message: Seen) -> Iterator[Violation]:
    if state.role or message.role not in ("assistant", "system"):
        return
    if message.role == "system" or not message.parts or message.parts[0].kind != "compaction":
        yield Violation("A2", message.path, f"the first message is {message.role}'s; it must be a user message")


def _empty(state: Order, message: Seen) -> Iterator[Violation]:
    if state.is_empty and state.role == "assistant":
        yield Violation("A10", state.path, "a message without blocks; only a final assistant message may be empty")
    if not message.parts and message.role != "assistant":
        yield Violation("A10", message.path, "a message without blocks")


def _system(state: Order, message: Seen, model: ModelName) -> Iterable[Violation]:
    if message.role == "system" and state.role:
        if not models.takes_system(model):
            yield Violation("A17", message.path, f"{model.base!r} takes no system message inside the conversation")
        elif state.role == "assistant" and not (state.ends_in_server_result or state.has_calls):
            yield Violation("A17", message.path, "a system message must stand directly after a user message")
    if state.role == "system" and message.role == "user":
        yield Violation("A17", message.path, "after a system message the assistant must be next")
