"""The settings of a live view as a question at its end may have them: no form of answer but words, and no effect but one.

What the client asked its own answer to look like or to do holds for that answer alone. What is part of the prefix a cache
holds stays (K-C7), but for a choice of tools that leaves no words to answer in.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pumice.wire import jsonbytes
from pumice.wire.gemini import keys
from pumice.wire.values import mapping, string

Fields = dict[str, bytes]

_CHAT = (
    "stream", "stream_options", "response_format", "stop", "n", "logprobs", "top_logprobs", "store", "modalities", "audio",
    "prediction",
)  # fmt: skip
_RESPONSES = ("stream", "stream_options", "background", "include", "top_logprobs", "conversation")
_GEMINI = (
    "stopSequences", "candidateCount", "responseMimeType", "responseSchema", "responseJsonSchema", "_responseJsonSchema",
    "responseLogprobs", "logprobs", "responseModalities", "speechConfig", "imageConfig",
)  # fmt: skip
_CONFIG = "generationConfig"
_CAPS = {
    "anthropic": ("max_tokens",),
    "openai-chat": ("max_completion_tokens", "max_tokens"),
    "openai-responses": ("max_output_tokens",),
}


def freed(fields: Mapping[str, bytes], dialect: str) -> Fields:
    """The fields without what forces a form of answer, a call of a tool, or something kept at the provider."""
    return _FREED[dialect](dict(fields))


def capped(fields: Mapping[str, bytes], dialect: str, cap: str, most: int | None) -> Fields:
    """The fields with one cap on the answer, where the client has its own, else in the field `cap`; `most` None: as it is."""
    if dialect == "gemini":
        return dict(fields) if most is None else _inside(dict(fields), _CONFIG, {"maxOutputTokens": most})
    named = [name for name in _CAPS[dialect] if fields.get(name, b"null") != b"null"]
    rest = {name: value for name, value in fields.items() if name not in _CAPS[dialect]}
    used = named[0] if named else cap
    return {**rest, used: fields[used] if most is None else str(most).encode()}


def _anthropic(fields: Fields) -> Fields:
    fields = _without(fields, ("stream", "stop_sequences", "output_format"))
    fields = _inside(fields, "output_config", {"format": None})
    is_forced = mapping(_value(fields, "tool_choice")).get("type") in ("any", "tool")
    return {**fields, "tool_choice": b'{"type":"none"}'} if is_forced else fields


def _chat(fields: Fields) -> Fields:
    fields = _unforced(_without(fields, _CHAT))
    return {**fields, "function_call": b'"none"'} if mapping(_value(fields, "function_call")) else fields


def _responses(fields: Fields) -> Fields:
    """An answer is stored unless that is said to be unwanted."""
    fields = _inside(_unforced(_without(fields, _RESPONSES)), "text", {"format": None})
    return {**fields, "store": b"false"}


def _gemini(fields: Fields) -> Fields:
    fields = _inside(_without(fields, ("store",)), _CONFIG, dict.fromkeys(_GEMINI))
    choice = mapping(keys.get(mapping(_value(fields, keys.spelled(fields, "toolConfig"))), "functionCallingConfig"))
    is_forced = string(choice.get("mode")).upper() == "ANY"
    return _inside(fields, "toolConfig", {"functionCallingConfig": {"mode": "NONE"}}) if is_forced else fields


def _unforced(fields: Fields) -> Fields:
    choice = _value(fields, "tool_choice")
    allowed = mapping(choice)
    is_open = allowed.get("type") == "allowed_tools" and mapping(allowed.get("allowed_tools", choice)).get("mode") != "required"
    is_forced = choice == "required" or bool(allowed and not is_open)
    return {**fields, "tool_choice": b'"none"'} if is_forced else fields


def _inside(fields: Fields, name: str, changes: Mapping[str, Any]) -> Fields:
    """The fields with members of one of them changed, None: taken out; one that is left with nothing goes."""
    field = keys.spelled(fields, name)
    given = fields.get(field, b"{}")
    before = jsonbytes.members(given) if given != b"null" else {}
    after = _without(before, tuple(spelling for key in changes for spelling in (key, keys.snake(key))))
    after |= {keys.spelled(before, key): jsonbytes.encode(value) for key, value in changes.items() if value is not None}
    if after == before:
        return fields
    return {**fields, field: jsonbytes.join_object(after)} if after else _without(fields, (field,))


def _without(fields: Mapping[str, bytes], names: tuple[str, ...]) -> Fields:
    return {name: value for name, value in fields.items() if name not in names}


def _value(fields: Fields, name: str) -> Any:
    return jsonbytes.decode(fields.get(name, b"null"))


_FREED: Mapping[str, Callable[[Fields], Fields]] = {
    "anthropic": _anthropic,
    "openai-chat": _chat,
    "openai-responses": _responses,
    "gemini": _gemini,
}
