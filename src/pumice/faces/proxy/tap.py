"""A copy of an answer for the gate, taken while the answer itself goes by."""

from collections.abc import Mapping

from aiohttp import ClientResponse

from pumice.errors import BadRequest
from pumice.faces.proxy import codings, headers
from pumice.faces.proxy.codings import Damaged, Decoder, TooLarge, Unsupported
from pumice.faces.proxy.gate import Reply
from pumice.wire import jsonbytes

STREAM = "text/event-stream"
_ENDINGS: Mapping[str, tuple[bytes, ...]] = {
    "anthropic": (b"\nevent: message_stop", b"\nevent: error"),
    "openai-chat": (b"\ndata: [DONE]",),
    "openai-responses": (b"\nevent: response.completed", b"\nevent: response.failed", b"\nevent: response.incomplete"),
    "gemini": (b'"finishReason"',),
}
"""How the line of a last event begins, or what stands only in it; clients leave when they have read it.

No text of a model looks like that: inside JSON a line end and a quotation mark are escaped.
"""
_MAY_GO_ON = ("gemini",)
"""A last event of these may have others behind it, with usage or a signature."""
_LONGEST = max(len(ending) for endings in _ENDINGS.values() for ending in endings)


class Tap:
    """Decodes an answer piece by piece; one that is no stream, or all of it if it `is_held`, is kept as well."""

    def __init__(self, answer: ClientResponse, dialect: str, limit: int, *, is_held: bool = False) -> None:
        self.is_stream = answer.content_type == STREAM
        self.is_whole = False
        """The upstream said all it had to say."""
        self._answer, self._limit, self._endings = answer, limit, _ENDINGS[dialect]
        self._tail, self._has_end, self._may_go_on = b"\n", False, dialect in _MAY_GO_ON
        self._kept: list[bytes] | None = [] if is_held or not self.is_stream else None
        self._size = 0
        self._decoders = self._made(answer.headers.get("content-encoding", ""))

    @property
    def is_blind(self) -> bool:
        """The copy cannot be read, or is too large to keep: nothing is recorded of this answer."""
        return self._decoders is None

    @property
    def has_ended(self) -> bool:
        """The last event of a stream went by, even if the connection was not closed after it."""
        return self.is_whole or (self._has_end and self._tail.endswith(b"\n"))

    @property
    def is_over(self) -> bool:
        """Nothing that counts can follow, though the connection may still be open."""
        return self.has_ended and not self._may_go_on

    def see(self, chunk: bytes) -> bytes:
        """The decoded form of a chunk that has gone by; empty where there is none (yet)."""
        if self._decoders is None:
            return b""
        try:
            for decoder in self._decoders:
                chunk = decoder.feed(chunk)
            self._keep(chunk)
        except (Damaged, TooLarge):
            self._decoders = self._kept = None
            return b""
        return chunk

    def reply(self) -> Reply | None:
        """What was kept, its encoding undone; None for a stream, which was handed on."""
        if self._kept is None:
            return None
        given = headers.read(self._answer.raw_headers)
        given.pop("content-encoding", None)
        return Reply(self._answer.status, b"".join(self._kept), given)

    def events(self) -> list[bytes]:
        """A stream that came as one JSON array (Gemini without `alt=sse`) in the form of the others; empty for any other."""
        whole = b"".join(self._kept or ()).strip()
        if self.is_stream or not whole.startswith(b"["):
            return []
        try:
            return [b"data: " + item + b"\n\n" for item in jsonbytes.items(whole)]
        except BadRequest:
            return []

    def _keep(self, chunk: bytes) -> None:
        if self.is_stream:
            reach = self._tail + chunk
            self._has_end = self._has_end or any(ending in reach for ending in self._endings)
            self._tail = reach[-_LONGEST:]
        if self._kept is not None:
            self._size += len(chunk)
            if self._size > self._limit:
                raise TooLarge(f"an answer of more than {self._limit:,} bytes.")
            self._kept.append(chunk)

    def _made(self, encoding: str) -> list[Decoder] | None:
        try:
            return codings.decoders(encoding, self._limit)
        except Unsupported:
            return None
