"""Anthropic messages into blocks."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from pumice.domain.block import Block, Kind, Media, Origin, Role
from pumice.domain.message import Message
from pumice.errors import BadRequest
from pumice.measure import media
from pumice.wire import jsonbytes, leaves
from pumice.wire.anthropic import canonical
from pumice.wire.blocks import made
from pumice.wire.values import mapping, objects, string

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}


def message(raw: bytes) -> Message:
    """One wire message. Raises BadRequest for an unknown role or content that is neither string nor list."""
    members = jsonbytes.members(raw)
    role = _role(members.get("role", b"null"))
    content = members.get("content", b"null")
    found: tuple[Block, ...]
    if jsonbytes.is_string(content):
        found = (block({"type": "text", "text": jsonbytes.decode(content)}, content, role),)
    else:
        found = tuple(block(jsonbytes.decode(item), item, role) for item in _listed(content))
    return Message(role, found, raw, _key(role, found, members), jsonbytes.is_string(content))


def _role(raw: bytes) -> Role:
    name = jsonbytes.decode(raw)
    if not isinstance(name, str) or name not in _ROLES:
        raise BadRequest(f"a message with the role {name!r}.", hint="Anthropic knows user, assistant and system.")
    return _ROLES[name]


def _listed(content: bytes) -> list[bytes]:
    return [] if content == b"null" else jsonbytes.items(content)


def _key(role: Role, blocks: tuple[Block, ...], members: dict[str, bytes]) -> bytes:
    extra = {key: jsonbytes.decode(value) for key, value in members.items() if key not in ("role", "content", "id")}
    hashes = "".join(found.hash for found in blocks)
    return sha256(f"{role}:{hashes}:".encode() + (jsonbytes.canonical(extra) if extra else b"")).digest()


def block(value: Any, raw: bytes, role: Role) -> Block:
    """One content block; what is not known stays opaque."""
    if not isinstance(value, dict):
        return made(value, raw, role, Kind.OPAQUE, text=leaves.of_opaque(value))
    return _READERS.get(string(value.get("type")), _other)(value, raw, role)


def _text(value: dict[str, Any], raw: bytes, role: Role) -> Block:
    return made(canonical.of_block(value), raw, role, Kind.TEXT, text=string(value.get("text")))


def _call(value: dict[str, Any], raw: bytes, role: Role) -> Block:
    text, ident = leaves.of_arguments(value.get("input")), string(value.get("id"))
    return made(canonical.of_block(value), raw, role, Kind.CALL, text=text, call_id=ident, tool=string(value.get("name")))


def _result(value: dict[str, Any], raw: bytes, role: Role) -> Block:
    parts = objects(canonical.parts(value.get("content")))
    return made(
        canonical.of_block(value),
        raw,
        role,
        Kind.RESULT,
        text="\n".join(_readable(part) for part in parts if not _is_medium(part)),
        by=Origin.TOOL,
        call_id=string(value.get("tool_use_id")),
        is_error=value.get("is_error") is True,
        held=tuple(_media(part) for part in parts if _is_medium(part)),
    )


def _reasoning(value: dict[str, Any], raw: bytes, role: Role) -> Block:
    return made(canonical.of_block(value), raw, role, Kind.REASONING)


def _other(value: dict[str, Any], raw: bytes, role: Role) -> Block:
    if _is_medium(value):
        return made(canonical.of_block(value), raw, role, Kind.MEDIA, held=(_media(value),))
    return made(canonical.of_block(value), raw, role, Kind.OPAQUE, text=_readable(value))


def _is_medium(value: dict[str, Any]) -> bool:
    """Images, and documents that are no text."""
    return value.get("type") == "image" or (
        value.get("type") == "document" and mapping(value.get("source")).get("type") not in ("text", "content")
    )


def _readable(value: dict[str, Any]) -> str:
    source = mapping(value.get("source"))
    if value.get("type") == "text":
        return string(value.get("text"))
    return string(source.get("data")) if source.get("type") == "text" else leaves.of_opaque(value)


def _media(value: dict[str, Any]) -> Media:
    source = mapping(value.get("source"))
    if source.get("type") == "base64":
        return media.from_base64(string(source.get("data")), string(source.get("media_type")))
    return Media("application/pdf" if value.get("type") == "document" else "")


_READERS: dict[str, Callable[[dict[str, Any], bytes, Role], Block]] = {
    "text": _text,
    "tool_use": _call,
    "tool_result": _result,
    "thinking": _reasoning,
    "redacted_thinking": _reasoning,
}
