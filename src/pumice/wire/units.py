"""Canonical units of a message: what a provider's cache compares."""

from hashlib import sha256

from pumice.domain.message import Message
from pumice.wire.dialect import Unit


def message_units(message: Message, index: int) -> list[Unit]:
    """One unit per block; the role is part of its key."""
    role = message.role.encode()
    return [
        Unit(
            sha256(role + block.hash.encode()).digest(),
            block.text,
            f"messages[{index}].content" + ("" if message.is_text else f"[{place}]"),
            block.media,
            index,
            place,
        )
        for place, block in enumerate(message.blocks)
    ]


def head_unit(kind: str, place: int, canonical: bytes, text: str, *, path: str = "") -> Unit:
    """A tool or a system block as a unit."""
    return Unit(sha256(kind.encode() + canonical).digest(), text, path or f"{kind}[{place}]", block=place)
