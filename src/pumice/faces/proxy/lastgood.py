"""The last view of a conversation with the client's new messages behind it, made without the engine and without the store."""

from collections.abc import Callable

import msgspec

from pumice import wire
from pumice.domain.message import Request
from pumice.wire import rules, size
from pumice.wire.dialect import Dialect


class Continued(msgspec.Struct, frozen=True):
    """A request that goes on from what was sent before."""

    body: bytes
    tokens: int
    """By the uncalibrated counter: near enough to know whether it fits."""


def continued(asked: Request, sent: bytes, request: Request) -> Continued | None:
    """What was `sent` for the request `asked`, with what the newer one has more; None where it does not go on from that.

    Old cache markers go, for there may be four at most; a head the client has changed is the client's.
    """
    dialect = wire.get(request.dialect)
    count = len(asked.messages)
    if asked.dialect != request.dialect or len(request.messages) < count:
        return None
    if not all(map(_is_same(dialect), asked.messages, request.messages)):
        return None
    before, fresh = dialect.open(sent), request.messages[count:]
    known = [dialect.unmarked(raw) for raw in before.messages] if fresh else list(before.messages)
    fields = {name: raw for name, raw in before.fields.items() if asked.fields.get(name) != raw and name != request.field}
    if request.head.key != asked.head.key:
        fields.clear()
    body = dialect.close(request, [*known, *fresh], fields=fields)
    made = dialect.open(body).for_model(request.model)
    if _broken(made) - _broken(request):
        return None
    return Continued(body, size_of(made))


def size_of(request: Request) -> int:
    """Tokens of a request, by the counter before any answer has calibrated it."""
    return sum(size.estimate(wire.get(request.dialect).units(request.body), request.model))


def _broken(request: Request) -> set[str]:
    return {violation.rule for violation in rules.check_request(request)}


def _is_same(dialect: Dialect) -> Callable[[bytes, bytes], bool]:
    return lambda one, other: one == other or dialect.read_message(one).key == dialect.read_message(other).key
