"""The canonical value of a Responses item: what it means, not how it was written or where it is stored."""

from collections.abc import Mapping
from typing import Any

from pumice.errors import BadRequest
from pumice.wire import jsonbytes
from pumice.wire.openai_chat.canonical import MARKER, parts
from pumice.wire.openai_responses import items
from pumice.wire.values import string

_STORED = frozenset({"id", "status", MARKER, "annotations", "logprobs", "created_by"})
"""Where an item is kept, what came of it, and what stands beside its text."""


def item(value: Mapping[str, Any]) -> dict[str, Any]:
    """An item: ids, status, markers and members that hold nothing left out, arguments decoded, text always a list."""
    kept = _bare(value) | {"type": items.kind(value)}
    name = kept["type"]
    if name == items.MESSAGE:
        return kept | {"content": [part(one) for one in parts(value.get("content"))]}
    if name in items.OUTPUTS:
        return kept | {"call_id": items.call_id(value), "output": [part(one) for one in parts(value.get("output"))]}
    if name in items.CALLS:
        return kept | {items.CALLS[name]: arguments(value)}
    return kept


def part(value: Any) -> Any:
    """A part of a message or output: text is text, whoever said it."""
    if not isinstance(value, dict):
        return value
    found = _bare(value)
    if value.get("type") in items.TEXTS:
        return {"type": "text", "text": value.get("text")}
    return {key: one for key, one in found.items() if (key, one) != ("detail", "auto")}


def arguments(value: Mapping[str, Any]) -> Any:
    """What a call is made with, decoded; the text itself where it is free or no JSON."""
    name = items.kind(value)
    written = value.get(items.CALLS[name])
    if name == "custom_tool_call" or not isinstance(written, str):
        return written
    try:
        return jsonbytes.decode(written.encode("utf-8", "surrogatepass"))
    except BadRequest:
        return string(written)


def _bare(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: one for key, one in value.items() if one is not None and one != [] and key not in _STORED}
