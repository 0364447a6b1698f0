"""Chat messages into blocks."""

from hashlib import sha256
from typing import Any

from pumice.domain.block import Block, Kind, Media, Origin, Role
from pumice.domain.message import Message
from pumice.errors import BadRequest
from pumice.measure import media
from pumice.wire import jsonbytes, leaves
from pumice.wire.blocks import made
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
        return made(canonical.without_markers(value), slot.raw, role, Kind.REASONING)
    if isinstance(value, str):
        return made(canonical.text(value), slot.raw, role, Kind.TEXT, text=value)
    return _part(value, slot.raw, role)


def _part(value: Any, raw: bytes, role: Role) -> Block:
    kind, bare = string(mapping(value).get("type")), canonical.without_markers(value)
    if kind == "text":
        return made(bare, raw, role, Kind.TEXT, text=string(value.get("text")))
    if kind == "refusal":
        return made(bare, raw, role, Kind.TEXT, text=string(value.get("refusal")))
    if kind in _MEDIA:
        return made(bare, raw, role, Kind.MEDIA, held=(_media(value),))
    return made(bare, raw, role, Kind.OPAQUE, text=leaves.of_opaque(value))


def _call(value: dict[str, Any], raw: bytes, role: Role) -> Block:
    function = mapping(value.get("function")) or mapping(value.get("custom")) or value
    return made(
        canonical.call(value),
        raw,
        role,
        Kind.CALL,
        text=leaves.of_arguments(canonical.arguments(value)),
        by=Origin.MODEL,
        call_id=string(value.get("id")),
        tool=string(function.get("name")),
    )


def _result(value: dict[str, Any], raw: bytes) -> Block:
    parts = objects(canonical.parts(value.get("content")))
    return made(
        canonical.result(value),
        raw,
        Role.TOOL,
        Kind.RESULT,
        text="\n".join(string(part.get("text")) for part in parts if part.get("type") == "text"),
        call_id=string(value.get("tool_call_id")),
        tool=string(value.get("name")),
        held=tuple(_media(part) for part in parts if string(part.get("type")) in _MEDIA),
    )


def _media(value: dict[str, Any]) -> Media:
    held = mapping(value.get(string(value.get("type"))))
    if value.get("type") == "input_audio":
        return media.from_base64(string(held.get("data")), f"audio/{string(held.get('format'))}")
    return media.from_data_url(string(held.get("url")) or string(held.get("file_data")))
