"""Open the bodies of a session: what begins like the agent's last one is taken apart only from there on."""

from typing import Any

from pumice import wire
from pumice.domain.message import Request
from pumice.wire import boundaries, jsonbytes

Body = dict[str, Any] | bytes | str


class Opener:
    """Remembers each agent's newest request; what it returns does not depend on that."""

    def __init__(self) -> None:
        self._last: dict[str, Request] = {}

    def open(self, given: Body, dialect: str | None, agent: str) -> Request:
        """The request of a body. Raises BadRequest, UnknownDialect."""
        last = self._last.get(agent)
        raw = _continued(given, last) if isinstance(given, dict) and last is not None else as_bytes(given)
        request = wire.get(dialect or _dialect(raw, last)).open(raw, last)
        self._last[agent] = request
        return request


def _dialect(raw: bytes, last: Request | None) -> str:
    """The last one's where model and first messages are its own, else what the body itself tells."""
    if last is not None and boundaries.shared(last, raw):
        request = wire.get(last.dialect).open(raw, last)
        if request.model == last.model:
            return last.dialect
    return wire.detect(raw)


def _continued(given: dict[str, Any], last: Request) -> bytes:
    """A dict as JSON bytes; messages that were sent before need no second look for what JSON cannot hold."""
    raw = jsonbytes.encode_plain(given)
    count = boundaries.shared(last, raw) if raw is not None else 0
    if raw is None or not count:
        return as_bytes(given)
    return raw if jsonbytes.is_plain({**given, last.field: given[last.field][count:]}) else as_bytes(given)


def as_bytes(body: Any) -> bytes:
    """A body or message as JSON bytes."""
    if isinstance(body, bytes):
        return body
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    return jsonbytes.encode(body)
