"""A stream as whole events that keep their bytes, each with what it says."""

import re
from collections.abc import Callable, Iterator

from pumice.errors import BadRequest
from pumice.wire.sse import Event, Parser

_END = re.compile(rb"\r?\n\r?\n")

Rewrite = Callable[[Event, bytes], bytes]
"""What becomes of an event and its own bytes."""


class Reshaped:
    """Gives each event to `rewrite`; one that cannot be read goes by as it came."""

    def __init__(self, rewrite: Rewrite) -> None:
        self._rewrite = rewrite
        self._rest = b""

    def feed(self, chunk: bytes) -> bytes:
        """See `Reshaper`."""
        self._rest += chunk
        return b"".join(self._made(raw) for raw in self._whole())

    def finish(self) -> bytes:
        """See `Reshaper`."""
        rest, self._rest = self._rest, b""
        return rest

    def _whole(self) -> Iterator[bytes]:
        start = 0
        for end in _END.finditer(self._rest):
            yield self._rest[start : end.end()]
            start = end.end()
        self._rest = self._rest[start:]

    def _made(self, raw: bytes) -> bytes:
        found = next(Parser().feed(raw), None)
        if found is None:
            return raw
        try:
            return self._rewrite(found, raw)
        except BadRequest:
            return raw


class Whole:
    """A plain answer, changed when all of it is there; as it came where it cannot be read."""

    def __init__(self, change: Callable[[bytes], bytes]) -> None:
        self._change = change
        self._kept: list[bytes] = []

    def feed(self, chunk: bytes) -> bytes:
        """See `Reshaper`."""
        self._kept.append(chunk)
        return b""

    def finish(self) -> bytes:
        """See `Reshaper`."""
        body = b"".join(self._kept)
        try:
            return self._change(body)
        except BadRequest:
            return body


def event(name: str, data: bytes) -> bytes:
    """An event of ours."""
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"
