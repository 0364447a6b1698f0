"""Canonical units of a message: what a provider's cache compares."""

from hashlib import sha256
from typing import Any

from pumice.domain.block import Kind
from pumice.domain.message import Message
from pumice.wire import jsonbytes
from pumice.wire.dialect import Unit


def message_units(message: Message, index: int, inside: str = "messages[{}].content") -> list[Unit]:
    """One unit per block; the role is part of its key. `inside` is the path of a message's blocks."""
    role = message.role.encode()
    return [
        Unit(
            sha256(role + block.hash.encode()).digest(),
            block.text,
            inside.format(index) + ("" if message.is_text else f"[{place}]"),
            block.media,
            index,
            place,
            spelling(jsonbytes.decode(block.raw)) if block.kind is Kind.CALL else "",
        )
        for place, block in enumerate(message.blocks)
    ]


def tool_unit(place: int, definition: Any) -> Unit:
    """A tool definition, markers already left out."""
    raw = jsonbytes.canonical(definition)
    return Unit(_key("tools", raw), raw.decode(), f"tools[{place}]", block=place, spelling=spelling(definition))


def system_unit(place: int, block: Any, text: str, path: str) -> Unit:
    """A block of a top-level system text, markers already left out."""
    return Unit(_key("system", jsonbytes.canonical(block)), text, path, block=place)


def spelling(value: Any) -> str:
    """Everything inside the value in its own order; the order of its outermost keys is the envelope's, not the model's."""
    ordered = dict(sorted(value.items())) if isinstance(value, dict) else value
    return jsonbytes.encode(ordered).decode()


def _key(kind: str, canonical: bytes) -> bytes:
    return sha256(kind.encode() + canonical).digest()
