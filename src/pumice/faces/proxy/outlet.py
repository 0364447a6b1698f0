"""The client's end of an answer: begun at most once, with pumice's own headers on it."""

from collections.abc import Iterable, Mapping

from starlette.types import Send

from pumice.faces.proxy import headers, refusals
from pumice.faces.proxy.gate import Prepared, Reply
from pumice.faces.proxy.headers import Raw
from pumice.faces.proxy.journal import Entry
from pumice.faces.proxy.tap import STREAM

_COMMENT = b": pumice is still reading the answer\n\n"


class Outlet:
    """Sends one answer. What is left unfinished the server breaks off, which is how a cut stream is relayed."""

    def __init__(self, send: Send, entry: Entry) -> None:
        self._send, self._entry = send, entry
        self.has_begun = False
        self.told: list[Raw] = []

    def tell(self, prepared: Prepared) -> None:
        """What the answer's `x-pumice-…` headers say."""
        self._entry.stage = prepared.stage
        self.told = headers.told({**prepared.told, "x-pumice-step": prepared.stage})

    async def begin(self, status: int, raw: Iterable[Raw]) -> None:
        self.has_begun, self._entry.status = True, status
        await self._send({"type": "http.response.start", "status": status, "headers": [*raw, *self.told]})

    async def write(self, chunk: bytes) -> None:
        """Waits while the client is slower than the upstream."""
        await self._send({"type": "http.response.body", "body": chunk, "more_body": True})

    async def end(self, last: bytes = b"") -> None:
        await self._send({"type": "http.response.body", "body": last})

    async def comment(self) -> None:
        """A sign of life in a stream whose answer is still being collected (K-P2)."""
        if not self.has_begun:
            await self.begin(200, [(b"content-type", STREAM.encode()), (b"cache-control", b"no-cache")])
        await self.write(_COMMENT)

    async def whole(self, status: int, raw: Iterable[Raw], body: bytes) -> None:
        """An answer in one piece; where a stream has begun already, the rest of it."""
        if not self.has_begun:
            kept = [(name, value) for name, value in raw if name.lower() != b"content-length"]
            await self.begin(status, [*kept, (b"content-length", str(len(body)).encode())])
        await self.end(body)

    async def reply(self, reply: Reply) -> None:
        """An answer of the gate's; what is said of an encoding it no longer has is left out."""
        given: Mapping[str, str] = reply.headers or refusals.JSON
        raw = [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in given.items()]
        kept = [pair for pair in headers.relayed(raw, reply.status) if pair[0].lower() != b"content-encoding"]
        await self.whole(reply.status, kept, reply.body)

    async def refuse(self, status: int, message: str, *, code: str | None = None) -> None:
        """An error of our own in the provider's shape; inside the stream where one has begun (K-P4)."""
        if self.has_begun:
            await self.end(refusals.event(self._entry.named, status, message))
            return
        body = refusals.body(self._entry.named, status, message, code=code)
        await self.whole(status, [(b"content-type", b"application/json")], body)
