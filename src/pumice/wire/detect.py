"""Which dialects a body could be of, by what only one of them has."""

import re
from collections.abc import Iterator
from typing import Any

from pumice.wire import jsonbytes
from pumice.wire.values import objects, string

_ANTHROPIC_KEYS = frozenset(
    {"system", "stop_sequences", "thinking", "anthropic_version", "context_management", "mcp_servers", "output_config"}
)
_CHAT_KEYS = frozenset(
    {"max_completion_tokens", "response_format", "stream_options", "reasoning_effort", "parallel_tool_calls", "functions"}
    | {"n", "stop", "frequency_penalty", "presence_penalty", "logprobs", "prompt_cache_key"}
)
_ANTHROPIC_BLOCKS = frozenset(
    {"tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document", "server_tool_use"}
)
_CHAT_PARTS = frozenset({"image_url", "input_audio", "file", "refusal"})
_CHAT_ROLES = frozenset({"tool", "developer", "function"})
_CHAT_MEMBERS = frozenset({"tool_calls", "tool_call_id", "function_call"})
_ITEMS = re.compile(r"reasoning|compaction|item_reference|\w+_call(?:_output)?")
_ITEM_PARTS = frozenset({"input_text", "output_text", "input_image", "input_file"})
_MODELS = (("claude", "anthropic"), ("gpt-", "openai-chat"), ("chatgpt", "openai-chat"))


def candidates(body: bytes) -> list[str]:
    """Names of the dialects that fit. Raises BadRequest."""
    value = jsonbytes.decode(body)
    if isinstance(value, list):
        value = {_key(objects(value)): value}
    if not isinstance(value, dict):
        return []
    if "messages" not in value:
        return ["gemini"] if "contents" in value else ["openai-responses"] if "input" in value else []
    messages = value["messages"]
    found = set(_of_keys(value)) | set(_of_messages(messages if isinstance(messages, list) else []))
    return sorted(found or _weak(value))


def _key(listed: tuple[dict[str, Any], ...]) -> str:
    """The key a bare list stands under."""
    if any("parts" in item for item in listed):
        return "contents"
    return "input" if any(map(_is_item, listed)) else "messages"


def _is_item(value: dict[str, Any]) -> bool:
    """Whether only a Responses input holds such an item."""
    parts = {string(part.get("type")) for part in objects(value.get("content"))}
    return bool(_ITEMS.fullmatch(string(value.get("type"))) or parts & _ITEM_PARTS)


def _of_keys(body: dict[str, Any]) -> Iterator[str]:
    if _ANTHROPIC_KEYS & body.keys():
        yield "anthropic"
    if _CHAT_KEYS & body.keys():
        yield "openai-chat"
    for tool in objects(body.get("tools")):
        yield "openai-chat" if "function" in tool else "anthropic"


def _of_messages(messages: list[Any]) -> Iterator[str]:
    for index, message in enumerate(messages):
        if isinstance(message, dict):
            yield from _of_message(message, is_first=index == 0)


def _of_message(message: dict[str, Any], *, is_first: bool) -> Iterator[str]:
    role, content = string(message.get("role")), message.get("content")
    kinds = {string(part.get("type")) for part in objects(content)}
    if role in _CHAT_ROLES or _CHAT_MEMBERS & message.keys() or kinds & _CHAT_PARTS or (is_first and role == "system"):
        yield "openai-chat"
    if kinds & _ANTHROPIC_BLOCKS:
        yield "anthropic"


def _weak(body: dict[str, Any]) -> list[str]:
    """By the model's name, which gateways use in either dialect, or by `max_tokens`, which Anthropic requires."""
    model = body.get("model")
    for start, dialect in _MODELS:
        if isinstance(model, str) and model.startswith(start):
            return [dialect]
    return ["anthropic", "openai-chat"] if model is None or "max_tokens" in body else ["openai-chat"]
