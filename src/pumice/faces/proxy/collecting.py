"""An answer read to its end before anyone sees it."""

import msgspec
from aiohttp import ClientResponse

from pumice.faces.proxy.gate import Reply
from pumice.faces.proxy.tap import Tap
from pumice.faces.proxy.upstream import FAULTS, Unreachable, unreachable


class Collected(msgspec.Struct, frozen=True):
    """An answer in both forms."""

    reply: Reply
    """Its encoding undone."""
    raw: bytes
    """As it came."""


async def collected(answer: ClientResponse, dialect: str, limit: int) -> Collected:
    """A whole answer. Raises Unreachable when it breaks off, is larger than `limit` or cannot be decoded."""
    tap, raws = Tap(answer, dialect, limit, is_held=True), []
    try:
        async for chunk in answer.content.iter_any():
            raws.append(chunk)
            tap.see(chunk)
            if tap.is_blind:
                break
    except FAULTS as error:
        raise unreachable(error, answer.host) from error
    reply = tap.reply()
    if reply is None:
        raise Unreachable(502, "unreadable", f"pumice: {answer.host} sent an answer that is too large or cannot be decoded.")
    return Collected(reply, b"".join(raws))
