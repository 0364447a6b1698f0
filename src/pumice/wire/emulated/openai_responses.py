"""`context_management`, `compaction_trigger` and compaction items of OpenAI's Responses (provider-contracts §3.3, R13, R14)."""

from collections.abc import Callable, Sequence
from typing import Any

from pumice import wire
from pumice.domain.message import Request
from pumice.wire import jsonbytes
from pumice.wire.emulated.asked import Asked, Compact
from pumice.wire.openai_responses import items
from pumice.wire.openai_responses.read import is_ours
from pumice.wire.values import count, mapping, objects, string

FIELD = "context_management"
_STAYING = (items.TOOLS, items.SETTINGS)
_PEOPLE = ("user", "system", "developer")


def read(request: Request, *, is_alone: bool = False) -> Asked | None:
    """What a request asks for; None where it asks for nothing and holds no item of ours.

    `is_alone`: it came to `/v1/responses/compact`. Input that goes on from what the provider holds is nobody's to compact.
    """
    if request.is_delta:
        return None
    values = [mapping(jsonbytes.decode(raw)) if b"compaction" in raw else {} for raw in request.messages]
    is_triggered = bool(values) and bool(values[-1]) and items.kind(values[-1]) == items.TRIGGER
    messages = carried(request.messages[:-1] if is_triggered else request.messages)
    has_field = FIELD in request.fields
    item = newest(messages)
    if not (has_field or is_triggered or is_alone or item):
        return None
    compact = Compact() if is_triggered or is_alone else _threshold(jsonbytes.decode(request.fields.get(FIELD, b"null")))
    fields = {FIELD: None} if has_field else {}
    body = wire.get(request.dialect).close(request, messages, fields=fields)
    return Asked(body, compact=compact, is_carried=bool(item), item=item)


def without(request: Request) -> Asked:
    """The request without the field, whatever it says."""
    return Asked(wire.get(request.dialect).close(request, request.messages, fields={FIELD: None}))


def after(request: Request, item: bytes) -> bytes:
    """The request once an item stands for all of it."""
    return wire.get(request.dialect).close(request, carried((*request.messages, item)))


def carried(messages: Sequence[bytes]) -> Sequence[bytes]:
    """Items without what stands before the newest item of ours, but for messages of people and of the client's system.

    The very same ones where there is no such item: one of the provider's own says nothing to us.
    """
    last = max((at for at, raw in enumerate(messages) if _is_item(raw)), default=None)
    if last is None:
        return messages
    return (*(raw for raw in messages[:last] if _stays(raw)), *messages[last:])


def newest(messages: Sequence[bytes]) -> str:
    """The newest item of ours, sealed; empty where there is none."""
    found = next((raw for raw in reversed(messages) if _is_item(raw)), None)
    return "" if found is None else string(mapping(jsonbytes.decode(found)).get("encrypted_content"))


def spelled(messages: Sequence[bytes], words: Callable[[str], str]) -> list[bytes]:
    """The same input with items of ours as messages of the user, in the words each stands for."""
    dialect = wire.get("openai-responses")
    return [dialect.user(words(newest((raw,)))) if _is_item(raw) else raw for raw in messages]


def people(messages: Sequence[bytes]) -> list[bytes]:
    """Messages of users, in order."""
    return [raw for raw in messages if _role(raw) == "user"]


def _is_item(raw: bytes) -> bool:
    value = mapping(jsonbytes.decode(raw)) if b"compaction" in raw else {}
    return items.kind(value) == items.COMPACTION and is_ours(value)


def _role(raw: bytes) -> str:
    value = mapping(jsonbytes.decode(raw))
    return string(value.get("role")) if items.kind(value) == items.MESSAGE else ""


def _stays(raw: bytes) -> bool:
    return _role(raw) in _PEOPLE or items.kind(mapping(jsonbytes.decode(raw))) in _STAYING


def _threshold(value: Any) -> Compact | None:
    asked = [edit for edit in objects(value) if edit.get("type") == items.COMPACTION]
    found = [count(edit.get("compact_threshold")) for edit in asked]
    return Compact(min(found)) if found and min(found) > 0 else None
