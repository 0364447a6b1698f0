"""Gemini contents into blocks."""

from collections import Counter
from hashlib import sha256
from typing import Any

from pumice.domain.block import UNNAMED, Block, Kind, Media, Origin, Role
from pumice.domain.message import Message
from pumice.errors import BadRequest
from pumice.measure import media
from pumice.wire import jsonbytes, leaves
from pumice.wire.blocks import made
from pumice.wire.gemini import canonical, keys, results
from pumice.wire.values import mapping, objects, string

_ROLES = {"user": Role.USER, "model": Role.ASSISTANT, "function": Role.TOOL}


def message(raw: bytes) -> Message:
    """One content; without a role it is the user's. Raises BadRequest for an unknown role."""
    members = jsonbytes.members(raw)
    role = _role(members.get("role", b"null"))
    named: Counter[tuple[Kind, str]] = Counter()
    found = tuple(_block(jsonbytes.decode(item), item, role, named) for item in parts(members))
    extra = {key: jsonbytes.decode(value) for key, value in members.items() if key not in ("role", "parts")}
    hashes = "".join(block.hash for block in found)
    key = sha256(f"{role}:{hashes}:".encode() + (jsonbytes.canonical(extra) if extra else b"")).digest()
    return Message(role, found, raw, key)


def parts(members: dict[str, bytes]) -> list[bytes]:
    """The raw parts of a content; a single one may stand without a list."""
    listed = members.get("parts", b"null")
    if listed == b"null":
        return []
    return [listed] if listed[:1] == b"{" else jsonbytes.items(listed)


def _role(raw: bytes) -> Role:
    name = jsonbytes.decode(raw)
    if name is None or name == "":
        return Role.USER
    if not isinstance(name, str) or name not in _ROLES:
        raise BadRequest(f"a content with the role {name!r}.", hint="Gemini knows user and model, and function of old.")
    return _ROLES[name]


def _block(value: Any, raw: bytes, role: Role, named: Counter[tuple[Kind, str]]) -> Block:
    """One part; what is not known stays opaque."""
    part = mapping(value)
    kind = keys.kind(part)
    if kind == "text" and isinstance(part["text"], str):
        return _text(part, raw, role)
    if kind == "functionCall":
        return _call(part, raw, role, named)
    if kind == "functionResponse":
        return _result(part, raw, role, named)
    if kind in ("inlineData", "fileData"):
        return made(canonical.of_part(part), raw, role, Kind.MEDIA, held=(_media(keys.get(part, kind)),))
    return made(canonical.of_part(value), raw, role, Kind.OPAQUE, text=leaves.of_opaque(value))


def _text(part: dict[str, Any], raw: bytes, role: Role) -> Block:
    if part.get("thought") is True:
        return made(canonical.of_part(part), raw, role, Kind.REASONING)
    return made(canonical.of_part(part), raw, role, Kind.TEXT, text=string(part.get("text")))


def _call(part: dict[str, Any], raw: bytes, role: Role, named: Counter[tuple[Kind, str]]) -> Block:
    call = mapping(keys.get(part, "functionCall"))
    name, text = string(call.get("name")), leaves.of_arguments(call.get("args"))
    return made(canonical.of_part(part), raw, role, Kind.CALL, text=text, call_id=_id(call, Kind.CALL, named), tool=name)


def _result(part: dict[str, Any], raw: bytes, role: Role, named: Counter[tuple[Kind, str]]) -> Block:
    result = mapping(keys.get(part, "functionResponse"))
    said = result.get("response")
    return made(
        canonical.of_part(part),
        raw,
        role,
        Kind.RESULT,
        text=results.text(said),
        by=Origin.TOOL,
        call_id=_id(result, Kind.RESULT, named),
        tool=string(result.get("name")),
        is_error=results.failed(said),
        held=tuple(_medium(item) for item in objects(result.get("parts"))),
    )


def _id(value: dict[str, Any], kind: Kind, named: Counter[tuple[Kind, str]]) -> str:
    """Its own id, else its function and which one of that it is in this content: so the API pairs them (K-G6)."""
    name = string(value.get("name"))
    named[kind, name] += 1
    return string(value.get("id")) or f"{UNNAMED}{name}.{named[kind, name]}"


def _medium(part: dict[str, Any]) -> Media:
    return _media(next((held for name in ("inlineData", "fileData") if (held := keys.get(part, name))), None))


def _media(value: Any) -> Media:
    held = canonical.medium(value)
    mime = string(held.get("mimeType"))
    return media.from_base64(string(held["data"]), mime) if isinstance(held.get("data"), str) else Media(mime)
