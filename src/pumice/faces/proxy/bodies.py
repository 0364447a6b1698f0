"""The client's side of a connection as a body that ends, is not too large, or breaks off."""

from collections.abc import AsyncIterator

from starlette.types import Receive

from pumice.faces.proxy.codings import TooLarge


class ClientLeft(Exception):
    """Nobody waits for the answer any more."""


async def read(receive: Receive, declared: str, limit: int) -> bytes:
    """A whole body, `declared` being its content-length. Raises TooLarge and ClientLeft."""
    if declared.isdigit() and int(declared) > limit:
        raise _too_large(limit)
    chunks, size = [], 0
    async for chunk in pieces(receive):
        chunks.append(chunk)
        size += len(chunk)
        if size > limit:
            raise _too_large(limit)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


async def pieces(receive: Receive) -> AsyncIterator[bytes]:
    """A body as it comes. Raises ClientLeft."""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientLeft
        more = message.get("more_body", False)
        if message.get("body"):
            yield message["body"]


async def left(receive: Receive) -> None:
    """Returns when the client has left; to be awaited once its body is read."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _too_large(limit: int) -> TooLarge:
    return TooLarge(f"a body of more than {limit:,} bytes.", hint="Send a smaller one, or raise the proxy's limit.")
