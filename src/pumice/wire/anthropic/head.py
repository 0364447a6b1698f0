"""System blocks and tool definitions of an Anthropic request."""

import re
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pumice.domain.message import Head
from pumice.errors import BadRequest
from pumice.wire import jsonbytes
from pumice.wire.anthropic.canonical import without_markers
from pumice.wire.anthropic.tools import is_deferred
from pumice.wire.dialect import Unit
from pumice.wire.units import system_unit, tool_unit

_BUILD = re.compile(r"(cc_version=\d+\.\d+\.\d+)\.\w+|\b(cch=)\w+")
"""Claude Code marks its first system block with a hash of the first prompt; it is no new version of the head."""


@lru_cache(maxsize=32)
def of(system: bytes, tools: bytes) -> Head:
    """The head of a request from its two raw fields, empty where the request has none."""
    blocks = _system_blocks(system)
    definitions = jsonbytes.items(tools) if tools and tools != b"null" else []
    values = [_object(raw, "tools") for raw in definitions]
    texts = [_text(raw) for raw in blocks]
    loaded = [value for value in values if not is_deferred(value)]
    listed = sorted(zip(map(_name, loaded), map(_canonical, loaded), strict=True))
    return Head(
        system=tuple(blocks),
        tools=tuple(definitions),
        tool_names=tuple(map(_name, values)),
        text="\n".join([*texts, *(_canonical(value).decode() for value in values)]),
        key=sha256(jsonbytes.canonical([_version_free(texts), [text.decode() for _, text in listed]])).digest(),
    )


def units(head: Head) -> list[Unit]:
    """Tools, then system blocks: the order a cache reads them in. Deferred tools stand outside (K §1.4)."""
    values = [jsonbytes.decode(raw) for raw in head.tools]
    found = [tool_unit(place, without_markers(value)) for place, value in enumerate(values) if not is_deferred(value)]
    for place, raw in enumerate(head.system):
        path = "system" if jsonbytes.is_string(raw) else f"system[{place}]"
        found.append(system_unit(place, without_markers(_as_block(jsonbytes.decode(raw))), _text(raw), path))
    return found


def with_block(system: bytes, text: str) -> bytes:
    """The `system` field with a text block behind the client's, whose own bytes stay; a string becomes the first block."""
    return jsonbytes.join_array([*_filled(system), jsonbytes.encode({"type": "text", "text": text})])


def without_block(system: bytes, text: str) -> bytes | None:
    """The `system` field without a last block that reads exactly so; None where it has none."""
    blocks = _system_blocks(system)
    if not blocks or _text(blocks[-1]) != text:
        return None
    return jsonbytes.join_array(blocks[:-1])


def _filled(system: bytes) -> list[bytes]:
    """The blocks; a string becomes one, unless it is white space: as a block that is refused (K-A10)."""
    blocks = _system_blocks(system)
    if not blocks or not jsonbytes.is_string(blocks[0]):
        return blocks
    return [jsonbytes.join_object({"type": b'"text"', "text": blocks[0]})] if _text(blocks[0]).strip() else []


def _system_blocks(system: bytes) -> list[bytes]:
    if not system or system == b"null":
        return []
    if jsonbytes.is_string(system):
        return [system]
    blocks = jsonbytes.items(system)
    for raw in blocks:
        _object(raw, "system")
    return blocks


def _object(raw: bytes, where: str) -> dict[str, Any]:
    value = jsonbytes.decode(raw)
    if not isinstance(value, dict):
        raise BadRequest(f"`{where}` holds {value!r}.", hint="Expected a list of objects.")
    return value


def _as_block(value: Any) -> Any:
    return {"type": "text", "text": value} if isinstance(value, str) else value


def _text(raw: bytes) -> str:
    value = _as_block(jsonbytes.decode(raw))
    return str(value.get("text", ""))


def _name(tool: dict[str, Any]) -> str:
    return str(tool.get("name", tool.get("type", "")))


def _canonical(value: Any) -> bytes:
    return jsonbytes.canonical(without_markers(value))


def _version_free(texts: list[str]) -> list[str]:
    return [_BUILD.sub(r"\1\2", text, count=2) if place == 0 else text for place, text in enumerate(texts)]
