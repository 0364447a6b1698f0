"""O4–O9, O12 and O14 on each message: roles, members, kinds of parts."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.rules.openai_chat import models
from pumice.wire.rules.rule import Ending, Part, Seen, Step
from pumice.wire.values import objects, string

START = None

_TEXT = frozenset({"text"})
_PARTS = {
    "developer": _TEXT,
    "system": _TEXT,
    "tool": _TEXT,
    "function": _TEXT,
    "assistant": frozenset({"text", "refusal"}),
    "user": frozenset({"text", "image_url", "input_audio", "file"}),
}
_BREAKPOINT = "prompt_cache_breakpoint"
_MARKABLE = frozenset({"text", "image_url", "input_audio", "file"})
NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")


def step(state: None, message: Seen, model: ModelName, /) -> Step:
    if message.role not in _PARTS:
        role = message.value.get("role")
        words = f"the role is {role!r}; the API knows {', '.join(_PARTS)}"
        return Step(state, (Violation("O8", f"{message.path}.role", words),))
    return Step(state, (*_content(message), *_kinds(message, model), *_calls(message)))


def end(_state: None, _ending: Ending, /) -> Iterable[Violation]:
    return ()


def _content(message: Seen) -> Iterator[Violation]:
    content = message.value.get("content")
    is_assistant = message.role == "assistant"
    if content is None and not is_assistant:
        yield Violation("O6", f"{message.path}.content", f"a {message.role} message needs content that is not null")
    elif content is not None and not isinstance(content, str | list):
        yield Violation("O6", f"{message.path}.content", "content must be a string or a list of parts")
    if is_assistant and content is None and not _has_other(message.value):
        yield Violation("O5", message.path, "an assistant message needs content or tool calls")
    if message.role == "tool" and not string(message.value.get("tool_call_id")):
        yield Violation("O1", f"{message.path}.tool_call_id", "a tool message must name the call it answers")


def _has_other(value: dict[str, Any]) -> bool:
    return any(value.get(key) for key in ("tool_calls", "function_call", "refusal", "audio"))


def _kinds(message: Seen, model: ModelName) -> Iterator[Violation]:
    for part in message.parts:
        if part.kind not in _PARTS[message.role]:
            rule = "O7" if message.role == "tool" else "O6"
            yield Violation(rule, part.path, f"a {message.role} message cannot hold a part of type {part.kind or None!r}")
        elif part.kind == "text" and not isinstance(part.value.get("text"), str):
            yield Violation("O6", f"{part.path}.text", "a text part needs its text")
        yield from _breakpoint(part, model)


def _breakpoint(part: Part, model: ModelName) -> Iterator[Violation]:
    if _BREAKPOINT not in part.value:
        return
    if part.kind not in _MARKABLE:
        yield Violation("O14", part.path, f"a part of type {part.kind!r} takes no cache breakpoint")
    elif not models.takes_breakpoints(model):
        yield Violation("O14", part.path, f"{model.base!r} takes no cache breakpoints")


def _calls(message: Seen) -> Iterator[Violation]:
    value = message.value
    if value.get("tool_calls") == []:
        yield Violation("O5", f"{message.path}.tool_calls", "an empty list is not valid: leave the key out")
    for place, call in enumerate(objects(value.get("tool_calls"))):
        yield from _call(call, f"{message.path}.tool_calls[{place}]")
    if value.get("function_call") is not None:
        yield from _function(value["function_call"], f"{message.path}.function_call")
    audio = value.get("audio")
    if audio is not None and not (isinstance(audio, dict) and string(audio.get("id"))):
        yield Violation("O12", f"{message.path}.audio", "audio in the history is named by its id")


def _call(call: dict[str, Any], path: str) -> Iterator[Violation]:
    if not string(call.get("id")):
        yield Violation("O3", f"{path}.id", "a tool call needs an id")
    if "custom" in call:
        custom = call["custom"]
        if not isinstance(custom, dict) or not isinstance(custom.get("input"), str):
            yield Violation("O4", f"{path}.custom.input", "the input of a custom call must be a string")
        return
    yield from _function(call.get("function"), f"{path}.function")


def _function(function: Any, path: str) -> Iterator[Violation]:
    value = function if isinstance(function, dict) else {}
    if not isinstance(value.get("arguments"), str):
        yield Violation("O4", f"{path}.arguments", "arguments must be a JSON string")
    if not NAME.match(string(value.get("name"))):
        yield Violation("O9", f"{path}.name", f"{value.get('name')!r} is not 1 to 64 of a-z, A-Z, 0-9, _ and -")
