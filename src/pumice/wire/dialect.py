"""What every dialect can do: read a provider's request and response, and write requests back."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from pumice.domain.block import Block, Media
from pumice.domain.message import Message, Request, Response
from pumice.wire.repair import Repaired
from pumice.wire.sse import Accumulator


class Unit(msgspec.Struct, frozen=True):
    """The unit prefixes are compared by: a tool, a system block or a content block, markers left out."""

    key: bytes
    """sha256 of the canonical value and its role: equal keys are the same to a provider's cache."""
    text: str
    """What is counted; media come on top."""
    path: str
    """JSON path in the request, `messages[3].content[0]`."""
    media: tuple[Media, ...] = ()
    message: int = -1
    """Index of the message; -1 in the head."""
    block: int = 0
    """Index in the message, or among the tools or system blocks."""
    spelling: str = ""
    """Arguments or schema with their keys in the order written: providers' caches tell orders apart (K §1.4)."""

    @property
    def exact(self) -> bytes:
        """Equal only where the order of keys inside arguments and schemas is equal too."""
        return self.key + self.spelling.encode("utf-8", "surrogatepass")


class Dialect(Protocol):
    """One wire format, both ways. Everything raises BadRequest for input that is not of the format."""

    name: str
    field: str
    """Top-level key of the messages."""
    system_field: str
    """Top-level key of the system text; empty where messages hold it."""

    def open(self, body: bytes, before: Request | None = None) -> Request:
        """Read the envelope; messages stay raw bytes. What the body shares with the request before is not read again."""
        ...

    def read_message(self, raw: bytes) -> Message:
        """Read one message into blocks without ids."""
        ...

    def read_response(self, body: bytes) -> Response:
        """Read a complete answer."""
        ...

    def stream(self) -> Accumulator:
        """A fresh accumulator of a streamed answer: `sse.read(chunks, dialect.stream())`."""
        ...

    def rewrite(self, message: Message, forms: Mapping[int, str | None]) -> bytes | None:
        """The message with block i's text replaced, or the block left out (None); None when nothing is left.

        Other blocks' bytes stay as they are. A result keeps its id, error flag and place and loses its media; a call
        takes a JSON object as its arguments; reasoning and media become text. Cache markers of blocks that go move to
        the nearest block that stays.
        """
        ...

    def loose(self, raw: bytes) -> bytes | None:
        """A message without what ties it to others of its response; None where it is nothing without them.

        The very same bytes where nothing ties it.
        """
        ...

    def remark(self, lost: bytes, onto: bytes) -> bytes:
        """Message `onto` with the cache marker of a message that is left out, where it has none of its own."""
        ...

    def unmarked(self, raw: bytes) -> bytes:
        """A message without cache markers; the very same bytes when it has none."""
        ...

    def user(self, text: str) -> bytes:
        """A user message of ours."""
        ...

    def headed(self, request: Request, text: str, /) -> Mapping[str, bytes]:
        """Top-level fields of a request with a system block of ours behind the client's; none where messages hold them."""
        ...

    def lead_role(self, lead: Sequence[bytes], /) -> str:
        """The role in which system text of ours stands behind messages in front; empty where it is a field of its own."""
        ...

    def system(self, text: str, role: str) -> bytes:
        """A system message of ours."""
        ...

    def headless(self, request: Request, text: str, /) -> Request:
        """A request without a last system block that reads exactly so; the very same one where there is none."""
        ...

    def aborted(self, call: Block) -> bytes:
        """A message with the result of a call that has none; stands directly after the call's message."""
        ...

    def repair(self, messages: Sequence[bytes]) -> Repaired:
        """Messages that keep the pairing rules; the same ones when they do already (DESIGN §5, invalid input).

        A call without a result gets an aborted one, a result without a call is left out, an id that stands twice in
        one assistant message is told apart by occurrence, results stand directly behind their calls, and texts a
        provider refuses as empty are left out. Unknown kinds stay.
        """
        ...

    def close(self, request: Request, messages: Sequence[bytes], *, fields: Mapping[str, bytes | None] | None = None) -> bytes:
        """The body with these messages and every other top-level key as the client wrote it.

        `fields` replaces, adds or (None) removes top-level keys. Without a change the body is the client's own bytes.
        """
        ...

    def units(self, body: bytes) -> list[Unit]:
        """Canonical units in the order a provider's cache reads them: tools, system, messages."""
        ...
