"""Instructions and tool definitions of a Responses request."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pumice.domain.message import Head
from pumice.errors import BadRequest
from pumice.wire import jsonbytes
from pumice.wire.dialect import Unit
from pumice.wire.units import system_unit, tool_unit
from pumice.wire.values import mapping, string


@lru_cache(maxsize=32)
def of(instructions: bytes, tools: bytes) -> Head:
    """The head of a request from its two raw fields, empty where the request has none. Raises BadRequest."""
    said = [] if instructions in (b"", b"null") else [instructions]
    raws = jsonbytes.items(tools) if tools and tools != b"null" else []
    values = [jsonbytes.decode(raw) for raw in raws]
    canonical = [jsonbytes.canonical(value).decode() for value in values]
    names = [name(value) for value in values]
    texts = [_text(raw) for raw in said]
    listed = [text for _, text in sorted(zip(names, canonical, strict=True))]
    return Head(
        system=tuple(said),
        tools=tuple(raws),
        tool_names=tuple(names),
        text="\n".join([*texts, *canonical]),
        key=sha256(jsonbytes.canonical([texts, listed])).digest(),
    )


def units(head: Head) -> list[Unit]:
    """Tools, then instructions."""
    found = [tool_unit(place, jsonbytes.decode(raw)) for place, raw in enumerate(head.tools)]
    return found + [system_unit(0, {"text": _text(raw)}, _text(raw), "instructions") for raw in head.system]


def name(tool: Any) -> str:
    """A function's name; a server's label, or what a tool of the provider is called."""
    value = mapping(tool)
    return string(value.get("name")) or string(value.get("server_label")) or string(value.get("type"))


def lead_role(lead: Sequence[bytes]) -> str:
    """Who speaks in front: as the client does, else the developer."""
    roles = [mapping(jsonbytes.decode(raw)).get("role") for raw in lead]
    return "system" if roles and roles[-1] == "system" else "developer"


def _text(raw: bytes) -> str:
    value = jsonbytes.decode(raw)
    if not isinstance(value, str):
        raise BadRequest(f"`instructions` holds {value!r:.40}.", hint="Expected a string.")
    return value
