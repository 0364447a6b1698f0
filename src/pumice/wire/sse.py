"""Server-sent events, from chunks split anywhere, to a provider's answer.

A copy of the stream is read here; the stream itself is relayed unchanged (K-P1).
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

import msgspec

from pumice.domain.message import Response

INCOMPLETE = "incomplete"
"""`Response.stop` of a stream that ended before its answer did."""
ERROR = "error"
"""`Response.stop` of a stream in which the provider reported an error after 200 (K-P4)."""


class Event(msgspec.Struct, frozen=True):
    name: str
    """Empty where the stream names none."""
    data: bytes


class Accumulator(Protocol):
    """Puts one streamed answer of a dialect together."""

    def add(self, event: Event) -> None: ...

    def response(self) -> Response:
        """The answer so far; its message is None and `stop` says why unless the answer is whole."""
        ...


class Parser:
    """Splits bytes into events: any line ending, comments and unknown fields left out."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._name = ""
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """Events that this chunk completes."""
        self._rest.append(chunk)
        if b"\n" not in chunk and b"\r" not in chunk:
            return
        lines = b"".join(self._rest).splitlines(keepends=True)
        # A line without an end may go on in the next chunk, and a CR may be half of CRLF.
        self._rest = [] if lines[-1].endswith(b"\n") else [lines.pop()]
        yield from self._read(lines)

    def finish(self) -> Iterator[Event]:
        """What a stream without its last blank line still holds."""
        yield from self._read([b"".join(self._rest), b"\n"])
        self._rest = []

    def _read(self, lines: Iterable[bytes]) -> Iterator[Event]:
        for whole in lines:
            line = whole.rstrip(b"\r\n").removeprefix(b"\xef\xbb\xbf")
            if line:
                self._field(line)
            elif self._data:
                yield Event(self._name, b"\n".join(self._data))
                self._name, self._data = "", []
            else:
                self._name = ""

    def _field(self, line: bytes) -> None:
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
        elif field == b"event":
            self._name = value.decode("utf-8", "replace")


class Reader:
    """Reads one streamed answer chunk by chunk."""

    def __init__(self, accumulator: Accumulator) -> None:
        self._parser = Parser()
        self._accumulator = accumulator

    def feed(self, chunk: bytes) -> None:
        for event in self._parser.feed(chunk):
            self._accumulator.add(event)

    def response(self) -> Response:
        """The answer, at the end of the stream."""
        for event in self._parser.finish():
            self._accumulator.add(event)
        return self._accumulator.response()


def read(chunks: Iterable[bytes], accumulator: Accumulator) -> Response:
    """The answer of a whole stream: `sse.read(chunks, dialect.stream())`."""
    reader = Reader(accumulator)
    for chunk in chunks:
        reader.feed(chunk)
    return reader.response()
