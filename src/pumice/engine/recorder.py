"""A streamed response, taken in chunk by chunk."""

from pumice import wire
from pumice.domain.message import Response
from pumice.wire import sse


class Recorder:
    """Collects a streamed response."""

    def __init__(self, dialect: str) -> None:
        self._stream = sse.Reader(wire.get(dialect).stream())

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes of the stream, split anywhere."""
        self._stream.feed(chunk)

    def finish(self) -> Response:
        """The response the stream adds up to."""
        return self._stream.response()
