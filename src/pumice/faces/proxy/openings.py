"""Conversations told apart by how they begin, where no mark of the client names them, and inside those that are named.

Clients resend everything with small changes (real-clients, "Every path seen to change"), so a message is known again by what
no client changes: the ids of its calls, the words a person typed, or the store's identity of all of it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

import msgspec

from pumice import wire
from pumice.domain.block import Block, Kind, Origin, Role
from pumice.domain.group import Node
from pumice.domain.message import Message, Request
from pumice.ledger.align import is_client_compaction
from pumice.measure import models
from pumice.wire import system, volatile

MOST = 16
"""Messages a conversation is known by: ids of calls make the first few unmistakable."""
_BYTES = 8

Hash = Callable[[bytes], bytes]


class Trace(msgspec.Struct, frozen=True, gc=False):
    """What a message is known again by."""

    key: bytes
    """The store's identity of all of it."""
    gist: bytes
    """Of what no client changes; empty where it holds nothing but what a client writes, which may be another every day."""
    is_answer: bool

    def is_of(self, other: "Trace") -> bool:
        return self.key == other.key or self.gist == other.gist

    def says_so(self, other: "Trace") -> bool:
        """Whether that they are the same message says something."""
        return self.key == other.key or bool(self.gist)


class Opening(msgspec.Struct, frozen=True):
    """How a request begins."""

    traces: tuple[Trace, ...]
    """Of its first messages; system messages in front left out."""
    read: int
    """How many messages were looked at, those in front too."""
    is_hand_over: bool
    """It begins with a summary of the client's."""
    head: str
    """Hex; of the dialect, the model's family and the system text without what is volatile in it."""
    first: str
    """Hex; of the first words a person typed, else of the first message."""
    answer: str
    """Hex; of the model's first answer; empty where there is none yet."""


def read(request: Request, hashed: Hash) -> Opening:
    """The opening of a request. Raises BadRequest."""
    dialect = wire.get(request.dialect)
    pieces = system.pieces(request)
    lead = 0 if request.head.system else len(pieces)
    messages = [dialect.read_message(raw) for raw in request.messages[lead : lead + MOST]]
    texts = "\n".join(volatile.masked(system.text(raw, request.dialect)) for raw in pieces)
    head = f"{request.dialect}\0{models.facts(request.model).family}\0{texts}".encode("utf-8", "surrogatepass")
    typed = next((trace for trace in map(_typed, messages) if trace), "")
    traces = tuple(_trace(message.role, message.blocks, hashed(message.key)) for message in messages)
    return Opening(
        traces,
        lead + len(messages),
        is_client_compaction(messages[:2], 0),
        hashed(head)[:_BYTES].hex(),
        hashed(typed.encode() or b"".join(message.key for message in messages[:1]))[:_BYTES].hex(),
        next((hashed(trace.gist or trace.key)[:_BYTES].hex() for trace in traces if trace.is_answer), ""),
    )


def again(request: Request, before: Request, opening: Opening) -> Opening | None:
    """The opening of the request before where this one begins just like it; None where that has to be read."""
    is_long = len(opening.traces) == MOST or len(request.messages) == len(before.messages)
    is_same = request.head.system == before.head.system and request.model == before.model
    firsts = zip(before.messages[: opening.read], request.messages[: opening.read], strict=False)
    return opening if is_long and is_same and all(one is other for one, other in firsts) else None


def _typed(message: Message) -> str:
    return "\n".join(block.hash for block in message.blocks if block.origin is Origin.PERSON)


def of_nodes(nodes: Sequence[Node]) -> tuple[Trace, ...]:
    """Traces of the first messages a lane has seen."""
    lead = next((at for at, node in enumerate(nodes) if node.role != Role.SYSTEM), len(nodes))
    return tuple(every(nodes[lead : lead + MOST]))


def shares(nodes: Iterable[Node], opening: Opening) -> bool:
    """Whether something of a lane comes again in a request, behind its first message."""
    known = {trace.gist for trace in every(nodes) if trace.gist}
    return any(trace.gist in known for trace in opening.traces[1:])


def every(nodes: Iterable[Node]) -> Iterator[Trace]:
    """The trace of each message."""
    return (_trace(Role(node.role), node.blocks, node.key) for node in nodes)


def _trace(role: Role, blocks: Iterable[Block], key: bytes) -> Trace:
    said = [part.encode("utf-8", "surrogatepass") for part in _gist(blocks)]
    gist = sha256(b"\0".join((role.encode(), *said))).digest()[:_BYTES] if said else b""
    return Trace(key[:_BYTES], gist, role is Role.ASSISTANT)


def _gist(blocks: Iterable[Block]) -> Iterable[str]:
    for block in blocks:
        if block.kind is Kind.CALL:
            yield f"{block.call_id} {block.tool} {block.text}"
        elif block.kind is Kind.RESULT and block.call_id:
            yield block.call_id  # the client may put a placeholder in its place
        elif block.kind is Kind.TEXT and block.origin in (Origin.PERSON, Origin.MODEL):
            yield block.hash


class Known(msgspec.Struct):
    """A conversation met before."""

    session: str
    agent: str
    traces: tuple[Trace, ...] = ()

    def shared(self, opening: Opening) -> int:
        """How many of the first messages it has in common with a request; 0 where none of them says anything."""
        pairs = list(zip(self.traces, opening.traces, strict=False))
        common = next((at for at, (mine, its) in enumerate(pairs) if not mine.is_of(its)), len(pairs))
        return common if any(mine.says_so(its) for mine, its in pairs[:common]) else 0

    def goes_on(self, opening: Opening, *, is_named: bool) -> bool:
        """Whether a request belongs to it: it has what this one had, or at least an answer of the model.

        Of conversations that only open alike each is its own, unless the client says by name that they are not.
        """
        common = self.shared(opening)
        is_whole = common == len(self.traces)
        has_answer = any(trace.is_answer for trace in self.traces[:common])
        return common > 0 and (is_named or is_whole or has_answer)


KnownT = TypeVar("KnownT", bound=Known)


def choose(known: Sequence[KnownT], opening: Opening, *, is_named: bool) -> KnownT | None:
    """The conversation a request continues: of those it belongs to, that with which it shares most, the first of equals."""
    fitting = [one for one in known if one.goes_on(opening, is_named=is_named)]
    return max(fitting, key=lambda one: one.shared(opening), default=None)
