"""Answers that leave otherwise than they came: what a gate has asked for is put in as they go by."""

from collections.abc import Iterable

from pumice.faces.proxy.gate import Prepared, Reply, Reshaper
from pumice.faces.proxy.headers import Raw
from pumice.faces.proxy.tap import STREAM, Tap

_OF_BYTES = (b"content-encoding", b"content-length")
"""Headers that speak of the bytes as the upstream sent them."""


def made(prepared: Prepared, status: int, tap: Tap) -> Reshaper | None:
    """What an answer goes through; None where it is relayed as it is, as are errors and what cannot be read."""
    if prepared.reshape is None or status != 200 or tap.is_blind:
        return None
    return prepared.reshape(tap.is_stream)


def bared(raw: Iterable[Raw]) -> list[Raw]:
    """Headers of an answer that is sent decoded, and of another length."""
    return [(name, value) for name, value in raw if name.lower() not in _OF_BYTES]


def reshaped(prepared: Prepared, reply: Reply) -> Reply:
    """A whole answer after what a gate has asked for."""
    if prepared.reshape is None or reply.status != 200:
        return reply
    reshaper = prepared.reshape(reply.headers.get("content-type", "").startswith(STREAM))
    body = reshaper.feed(reply.body) + reshaper.finish()
    return Reply(reply.status, body, {name: value for name, value in reply.headers.items() if name != "content-length"})
