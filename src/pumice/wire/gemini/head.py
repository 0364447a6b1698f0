"""System instruction and tool definitions of a Gemini request."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pumice.domain.message import Head
from pumice.errors import BadRequest
from pumice.wire import jsonbytes
from pumice.wire.dialect import Unit
from pumice.wire.gemini import canonical, keys, read
from pumice.wire.units import system_unit, tool_unit
from pumice.wire.values import mapping, string

DECLARATIONS = "functionDeclarations"


@lru_cache(maxsize=32)
def of(system: bytes, tools: bytes) -> Head:
    """The head of a request from its two raw fields, empty where the request has none."""
    blocks = _system_parts(system)
    definitions = list(_definitions(tools))
    values = [jsonbytes.decode(raw) for raw in definitions]
    texts = [text(raw) for raw in blocks]
    listed = sorted(zip(map(name, values), map(jsonbytes.canonical, values), strict=True))
    said = [raw.decode() for _, raw in listed]
    return Head(
        system=tuple(blocks),
        tools=tuple(definitions),
        tool_names=tuple(map(name, values)),
        text="\n".join([*texts, *said]),
        key=sha256(jsonbytes.canonical([texts, said])).digest(),
    )


def units(head: Head) -> list[Unit]:
    """Tools, then the parts of the system instruction."""
    found = [tool_unit(place, jsonbytes.decode(raw)) for place, raw in enumerate(head.tools)]
    for place, raw in enumerate(head.system):
        block = canonical.of_part(jsonbytes.decode(raw))
        found.append(system_unit(place, block, text(raw), f"systemInstruction.parts[{place}]"))
    return found


def text(raw: bytes) -> str:
    """What a part of the system instruction says."""
    return string(mapping(jsonbytes.decode(raw)).get("text"))


def name(definition: Any) -> str:
    """Of a function its name, of a tool of the provider what it is called by."""
    value = mapping(definition)
    return string(value.get("name")) or next(map(keys.camel, value), "")


def with_part(system: bytes, said: str) -> bytes:
    """The instruction with a text behind the client's, whose own bytes stay."""
    members = jsonbytes.members(system) if _holds(system) else {}
    made = jsonbytes.encode({"text": said})
    return jsonbytes.join_object({**members, "parts": jsonbytes.join_array([*read.parts(members), made])})


def without_part(system: bytes, said: str) -> bytes | None:
    """The instruction without a last text that reads exactly so; None where it has none."""
    blocks = _system_parts(system)
    if not blocks or text(blocks[-1]) != said:
        return None
    return jsonbytes.join_object({**jsonbytes.members(system), "parts": jsonbytes.join_array(blocks[:-1])})


def tools_field(definitions: Sequence[bytes]) -> bytes:
    """The `tools` of these definitions: the functions in one list, the provider's own tools behind it."""
    named = [(raw, "name" in jsonbytes.members(raw)) for raw in definitions]
    functions = [raw for raw, is_function in named if is_function]
    declared = [jsonbytes.join_object({DECLARATIONS: jsonbytes.join_array(functions)})] if functions else []
    return jsonbytes.join_array([*declared, *(raw for raw, is_function in named if not is_function)])


def _holds(field: bytes) -> bool:
    return bool(field) and field != b"null"


def _system_parts(system: bytes) -> list[bytes]:
    if not _holds(system):
        return []
    blocks = read.parts(jsonbytes.members(system))
    for raw in blocks:
        if not isinstance(jsonbytes.decode(raw), dict):
            raise BadRequest(f"`systemInstruction` holds {raw[:40]!r}.", hint='Expected parts, such as {"text": …}.')
    return blocks


def _definitions(tools: bytes) -> Iterator[bytes]:
    """Each function that is declared, and each tool of the provider by itself."""
    for raw in jsonbytes.items(tools) if _holds(tools) else ():
        members = jsonbytes.members(raw)
        declared = keys.spelled(members, DECLARATIONS)
        for key, value in members.items():
            if key == declared:
                yield from jsonbytes.items(value)
            else:
                yield jsonbytes.join_object({key: value})
