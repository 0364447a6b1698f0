"""Chat messages into blocks."""

from hashlib import sha256
from typing import Any

from pumice.domain.block import Block, Kind, Media, Origin, Role
from pumice.domain.message import Message
from pumice.errors import BadRequest
from pumice.measure import media
from pumice.wire import jsonbytes, leaves, origin
from pumice.wire.openai_chat import canonical, slots
from pumice.wire.values import mapping, objects, string

_ROLES = {
    "developer": Role.SYSTEM,
    "system": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_MEDIA = frozenset({"image_url", "input_audio", "file"})


def message(raw: bytes) -> Message:
    """One wire message. Raises BadRequest for an unknown role."""
    members = jsonbytes.members(raw)
    name = jsonbytes.decode(members.get("role", b"null"))
    if not isinstance(name, str) or name not in _ROLES:
        raise BadRequest(f"a message with the role {name!r}.", hint=f"Chat Completions knows {', '.join(_ROLES)}.")
    role = _ROLES[name]
    found = tuple(_block(slot, role) for slot in slots.of(raw, name, members))
    hashes = "".join(block.hash for block in found)
    speaker = members.get("name", b"")
    key = sha256(f"{name}:{hashes}:".encode() + speaker).digest()
    return Message(role, found, raw, key, jsonbytes.is_string(members.get("content", b"")))


def _block(slot: slots.Slot, role: Role) -> Block:
    value = jsonbytes.decode(slot.raw)
    if role is Role.TOOL:
        return _result(value, slot.raw)
    if slot.field in (slots.CALLS, "function_call") and isinstance(value, dict):
        return _call(value, slot.raw, role)
    if slot.field == "reasoning_content":
        return _make(value, slot.raw, role, Kind.REASONING)
    if isinstance(value, str):
        return _make(canonical.text(value), slot.raw, role, Kind.TEXT, text=value)
    return _part(value, slot.raw, role)


def _part(value: Any, raw: bytes, role: Role) -> Block:
    kind = string(mapping(value).get("type"))
    if kind == "text":
        return _make(value, raw, role, Kind.TEXT, text=string(value.get("text")))
    if kind == "refusal":
        return _make(value, raw, role, Kind.TEXT, text=string(value.get("refusal")))
    if kind in _MEDIA:
        return _make(value, raw, role, Kind.MEDIA, held=(_media(value),))
    return _make(value, raw, role, Kind.OPAQUE, text=leaves.of_opaque(value))


def _make(value: Any, raw: bytes, role: Role, kind: Kind, *, text: str = "", held: tuple[Media, ...] = ()) -> Block:
    by = origin.of_text(role, text) if kind is Kind.TEXT else origin.of_role(role)
    hashed = jsonbytes.digest(canonical.without_markers(value))
    return Block("", kind, role, by, text, raw, hashed, media=held, trust=origin.trust(by, role))


def _call(value: dict[str, Any], raw: bytes, role: Role) -> Block:
    function = mapping(value.get("function")) or mapping(value.get("custom")) or value
    return Block(
        "",
        Kind.CALL,
        role,
        Origin.MODEL,
        leaves.of_arguments(canonical.arguments(value)),
        raw,
        jsonbytes.digest(canonical.call(value)),
        call_id=string(value.get("id")),
        tool=string(function.get("name")),
        trust=origin.trust(Origin.MODEL, role),
    )


def _result(value: dict[str, Any], raw: bytes) -> Block:
    parts = objects(canonical.parts(value.get("content")))
    return Block(
        "",
        Kind.RESULT,
        Role.TOOL,
        Origin.TOOL,
        "\n".join(string(part.get("text")) for part in parts if part.get("type") == "text"),
        raw,
        jsonbytes.digest(canonical.result(value)),
        call_id=string(value.get("tool_call_id")),
        tool=string(value.get("name")),
        media=tuple(_media(part) for part in parts if string(part.get("type")) in _MEDIA),
        trust=origin.trust(Origin.TOOL, Role.TOOL),
    )


def _media(value: dict[str, Any]) -> Media:
    held = mapping(value.get(string(value.get("type"))))
    if value.get("type") == "input_audio":
        return media.from_base64(string(held.get("data")), f"audio/{string(held.get('format'))}")
    return media.from_data_url(string(held.get("url")) or string(held.get("file_data")))
