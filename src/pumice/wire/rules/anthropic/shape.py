"""A9, A10: every block has the members its kind needs; nothing empty; no kind that a role cannot hold."""

from collections.abc import Iterable, Iterator
from typing import Any

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.rules.rule import Ending, Part, Seen, Step
from pumice.wire.values import string

START = None

_ROLES = ("user", "assistant", "system")
_USER = frozenset({"text", "image", "document", "search_result", "tool_result", "container_upload"})
_SYSTEM = frozenset({"text", "tool_addition", "tool_removal"})
_RESULT = frozenset({"text", "image", "document", "search_result", "tool_reference", "browser_state"})
_NOT_ASSISTANT = frozenset({"tool_result", "image", "container_upload"})
_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})


def step(state: None, message: Seen, _model: ModelName, /) -> Step:
    return Step(state, tuple(_message(message)))


def end(_state: None, _ending: Ending, /) -> Iterable[Violation]:
    return ()


def _message(message: Seen) -> Iterator[Violation]:
    if message.role not in _ROLES:
        role = message.value.get("role")
        yield Violation("A9", f"{message.path}.role", f"the role is {role!r}; the API knows user, assistant and system")
        return
    content = message.value.get("content")
    if not isinstance(content, str | list):
        yield Violation("A9", f"{message.path}.content", "content must be a string or a list of blocks")
    for part in message.parts:
        yield from _kind(message.role, part)
        yield from _members(part)


def _kind(role: str, part: Part) -> Iterator[Violation]:
    if role == "assistant":
        wrong = not part.kind or part.kind in _NOT_ASSISTANT
    else:
        wrong = part.kind not in (_USER if role == "user" else _SYSTEM)
    if wrong:
        yield Violation("A9", part.path, f"a {role} message cannot hold a block of type {part.kind or None!r}")


def _members(part: Part) -> Iterator[Violation]:
    value = part.value
    if part.kind == "text":
        yield from _text(part)
    elif part.kind in _CALLS:
        if not isinstance(value.get("input"), dict):
            yield Violation("A9", f"{part.path}.input", "a call's input must be a JSON object")
        yield from _strings(part, "id", "name")
    elif part.kind == "tool_result":
        yield from _strings(part, "tool_use_id")
        yield from _content(part, value.get("content"))
    elif part.kind == "thinking":
        yield from _strings(part, "thinking", "signature", may_be_empty=True)
    elif part.kind == "redacted_thinking":
        yield from _strings(part, "data")


def _text(part: Part) -> Iterator[Violation]:
    text = part.value.get("text")
    if not isinstance(text, str):
        yield Violation("A9", f"{part.path}.text", "a text block needs its text")
    elif not text.strip():
        yield Violation("A10", part.path, "a text block must hold more than white space")


def _strings(part: Part, *keys: str, may_be_empty: bool = False) -> Iterator[Violation]:
    for key in keys:
        value = part.value.get(key)
        if not isinstance(value, str) or not (value or may_be_empty):
            yield Violation("A9", f"{part.path}.{key}", f"a {part.kind} block needs a string here")


def _content(part: Part, content: Any) -> Iterator[Violation]:
    if content is None or isinstance(content, str):
        return
    if not isinstance(content, list):
        yield Violation("A9", f"{part.path}.content", "a result's content must be a string or a list of blocks")
        return
    for place, item in enumerate(content):
        kind = string(item.get("type")) if isinstance(item, dict) else ""
        if kind not in _RESULT:
            yield Violation("A9", f"{part.path}.content[{place}]", f"a result cannot hold a block of type {kind or None!r}")
