"""Tool definitions of a Chat request; its system text is a message."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pumice.domain.message import Head
from pumice.wire import jsonbytes
from pumice.wire.dialect import Unit
from pumice.wire.units import tool_unit
from pumice.wire.values import mapping, string


@lru_cache(maxsize=32)
def of(tools: bytes, functions: bytes) -> Head:
    """The head of a request from its two raw fields, empty where the request has none."""
    raws = [raw for field in (tools, functions) if field and field != b"null" for raw in jsonbytes.items(field)]
    values = [jsonbytes.decode(raw) for raw in raws]
    canonical = [jsonbytes.canonical(value).decode() for value in values]
    names = [_name(value) for value in values]
    key = sha256(jsonbytes.canonical([text for _, text in sorted(zip(names, canonical, strict=True))])).digest()
    return Head(tools=tuple(raws), tool_names=tuple(names), text="\n".join(canonical), key=key)


def units(head: Head) -> list[Unit]:
    """Tools in the order they were sent."""
    return [tool_unit(place, jsonbytes.decode(raw)) for place, raw in enumerate(head.tools)]


def lead_role(lead: Sequence[bytes]) -> str:
    """Who speaks in front: some models take no `developer` beside a `system` message (K-O8)."""
    roles = [jsonbytes.decode(jsonbytes.members(raw).get("role", b"null")) for raw in lead]
    return "developer" if roles and roles[-1] == "developer" else "system"


def _name(tool: Any) -> str:
    held = mapping(mapping(tool).get(string(mapping(tool).get("type"))))
    return string((held or mapping(tool)).get("name"))
