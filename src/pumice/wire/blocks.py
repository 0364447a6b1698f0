"""Blocks as every dialect makes them: hashed by what they say, with who wrote them and how far that is believed."""

from typing import Any

from pumice.domain.block import Block, Kind, Media, Origin, Role
from pumice.wire import jsonbytes, origin


def made(
    value: Any,
    raw: bytes,
    role: Role,
    kind: Kind,
    *,
    text: str = "",
    by: Origin | None = None,
    call_id: str = "",
    tool: str = "",
    is_error: bool = False,
    held: tuple[Media, ...] = (),
    stays: bool = False,
) -> Block:
    """A block without an id of its canonical `value`; who wrote it is told by its text or its role, unless `by` names them."""
    by = by or (origin.of_text(role, text) if kind is Kind.TEXT else origin.of_role(role))
    trust = origin.trust(by, role)
    return Block("", kind, role, by, text, raw, jsonbytes.digest(value), call_id, tool, is_error, held, trust, stays)
