"""Requests whose history the provider manages (K-E1): no cut of ours is made in them.

Where the upstream lacks these features, what asks for them has been taken out before (`emulate/`): that is managed no more.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from pumice.domain.message import Request
from pumice.wire import jsonbytes
from pumice.wire.values import mapping, objects, string


class Managed(StrEnum):
    """Who looks after the history."""

    NO = "no"
    WHOLE = "whole"
    """The provider does, and the client sends all of it: what was decided stays, nothing more is."""
    PART = "part"
    """The provider keeps it, and the client sends what is new: there is nothing to compile."""


_KEPT = ("previous_response_id", "conversation", "cachedContent", "cached_content", "thread")
"""Fields that name a history the provider holds (provider-contracts §1.5.4, §3.2, §4.3)."""
_CLEARING = ("clear_tool_uses_", "compact_")
"""Beginnings of Anthropic's edits that change messages; `clear_thinking_` is routine and changes none of ours."""


def managed(request: Request) -> Managed:
    """Who manages the history of a request."""
    fields = {name: jsonbytes.decode_any(request.fields[name]) for name in (*_KEPT, *_ASKED) if name in request.fields}
    if any(fields.get(name) for name in _KEPT):
        return Managed.PART
    return Managed.WHOLE if any(_ASKED[name](value) for name, value in fields.items() if name in _ASKED) else Managed.NO


def _is_edited(value: Any) -> bool:
    """Anthropic lists edits, OpenAI a list of its own: any of them but thoughts being cleared."""
    if isinstance(value, list):
        return bool(value)
    edits = [string(edit.get("type")) for edit in objects(mapping(value).get("edits"))]
    return any(edit.startswith(_CLEARING) for edit in edits)


_ASKED: Mapping[str, Callable[[Any], bool]] = {
    "context_management": _is_edited,
    "compaction": bool,
    "truncation": lambda value: value == "auto",
}
