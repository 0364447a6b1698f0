"""Observe: find the branch and lane a request continues, or open new ones, and take in what is new."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from pumice.compile.assemble import Piece
from pumice.domain import marks
from pumice.domain.block import Role
from pumice.domain.decision import Cause
from pumice.domain.message import Message, Request
from pumice.engine import diet, journal
from pumice.engine.branch import Arrival
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane
from pumice.engine.reading import Reader
from pumice.engine.tree import Tree
from pumice.ledger.align import Alignment, align, familiar, is_client_compaction
from pumice.wire import jsonbytes

Write = Callable[[Entry], None]
MOST_LEFT = 8
"""Branches an agent has left that are looked at when a request does not go on from where it is."""


class Observed(msgspec.Struct, frozen=True):
    """Where a request landed."""

    lane: Lane
    first_new: int
    """Index of the first node the upstream has not seen in this lane."""
    changed: tuple[int, ...] = ()
    """Known nodes whose bytes on the wire are new with this request."""
    is_cold: bool = False
    """The upstream's cache of this lane cannot be warm: model or head are new."""
    notes: tuple[str, ...] = ()
    """What was seen to be volatile."""


class Observer:
    """Observes requests of one session; every change goes through `write` as a journal entry."""

    def __init__(self, tree: Tree, reader: Reader, write: Write, is_outdated: Callable[[Lane], bool] = lambda _: False) -> None:
        self._tree = tree
        self._reader = reader
        self._write = write
        self._is_outdated = is_outdated
        """Whether something of ours in a lane's head has changed that must not change inside a lane."""

    def observe(self, request: Request, agent: str, *, seen: int = 0) -> Observed:
        """Take a request in; so many of its first messages were `seen` by the upstream already."""
        raws: Sequence[bytes] = request.messages
        lane = self._tree.current.get(agent)
        if lane is None:
            return self._adopt(request, raws, agent, seen)
        found, raws = self._aligned(lane, raws)
        if found.forks(len(lane.branch.nodes)) or _was_elsewhere(found.fresh):
            lane, found, raws = self._resumed(lane, found, raws, request)
        branch = lane.branch
        cause = self._cause(lane, request, found)
        if cause is not None:
            lane = self._reopen(lane, request, found, cause)
        changed = self._touch(lane, found)
        self._note_head(lane, request)
        first_new, fresh = found.common, found.fresh
        if cause is Cause.CLIENT_COMPACT:
            # Its branch begins empty: a system message that stayed in front is taken in again.
            first_new, fresh = 0, (*map(self._reader.read, raws[: found.common]), *found.fresh)
        names = familiar(branch.nodes[first_new:], fresh) if lane.branch is not branch else ()
        self._take(lane, fresh, names, adopted=seen)
        notes = tuple(f"{request.field}[{index}]: only what the client injects there has changed" for index in found.volatile)
        is_cold = cause in (Cause.MODEL, Cause.CLIENT_HEAD, Cause.CLIENT_COMPACT)
        return Observed(lane, first_new, changed, is_cold, notes)

    def _aligned(self, lane: Lane, raws: Sequence[bytes]) -> tuple[Alignment, Sequence[bytes]]:
        raws = self._without_ours(lane, raws)
        return align(lane.branch.nodes, lane.branch.wire, raws, self._reader.read, lane.branch.held), raws

    def _resumed(
        self, lane: Lane, found: Alignment, raws: Sequence[bytes], request: Request
    ) -> tuple[Lane, Alignment, Sequence[bytes]]:
        """The lane a request that leaves this one goes on from, where it is one the agent has been in before.

        A conversation that two processes have resumed, or agents that open alike under one name, would otherwise fork at every
        call and be cut anew. One that goes back into a branch without reaching its end forks from there: the blocks it shares
        with it have their forms.
        """
        nearest = lane, found, raws
        for other in self._left(lane, request.dialect):
            if other.sent.epoch < 0:
                self._tree.restore(other)
            met, asked = self._aligned(other, request.messages)
            if met.common <= nearest[1].common:
                continue
            if not met.forks(len(other.branch.nodes)):
                self._write(Entry(other.branch.name, journal.ResumeEvent(other.name)))
                return other, met, asked
            nearest = other, met, asked
        # A summary of the client's stands for the lane it was made in, whatever else begins like it.
        return (lane, found, raws) if is_client_compaction(found.fresh, found.common) else nearest

    def _left(self, lane: Lane, dialect: str) -> Iterator[Lane]:
        """The newest lane of each other branch of the agent, the newest branches only."""
        met = {lane.branch.name}
        for other in reversed(self._tree.lanes.values()):
            is_left = other.agent == lane.agent and other.branch.name not in met and len(met) <= MOST_LEFT
            if is_left and other.dialect.name == dialect:
                met.add(other.branch.name)
                yield other

    def _cause(self, lane: Lane, request: Request, found: Alignment) -> Cause | None:
        """Why the lane cannot simply go on; None when it can."""
        if found.forks(len(lane.branch.nodes)):
            compacted = not found.volatile and is_client_compaction(found.fresh, found.common)
            return Cause.CLIENT_COMPACT if compacted else Cause.CLIENT_EDIT
        if request.model != lane.model or request.dialect != lane.dialect.name:
            return Cause.MODEL
        is_moved = request.head.key != lane.head_key or diet.forces(request, lane.diet) or self._is_outdated(lane)
        return Cause.CLIENT_HEAD if is_moved else None

    def _adopt(self, request: Request, raws: Sequence[bytes], agent: str, seen: int) -> Observed:
        """Open the first lane of an agent; a conversation already under way counts as seen by the upstream."""
        name = "main" if not self._tree.branches else f"branch-{len(self._tree.branches) + 1}"
        self._open_branch(journal.BranchEvent(name, len(self._tree.branches) + 1))
        lane = self._open_lane(agent, request, name, Cause.OPEN, None)
        messages = [self._reader.read(raw) for raw in raws]
        adopted = len(messages) if any(message.role == Role.ASSISTANT for message in messages) else seen
        self._note_head(lane, request)
        self._take(lane, messages, (), adopted=adopted)
        return Observed(lane, adopted)

    def _reopen(self, lane: Lane, request: Request, found: Alignment, cause: Cause) -> Lane:
        """Open the lane that continues this one, on a new branch when the request forks."""
        name = lane.branch.name
        if found.forks(len(lane.branch.nodes)):
            number = len(self._tree.branches) + 1
            carries = cause is Cause.CLIENT_COMPACT
            at = 0 if carries else found.common
            name = f"branch-{number}"
            self._open_branch(journal.BranchEvent(name, number, lane.branch.name, at, carries))
        return self._open_lane(lane.agent, request, name, cause, lane)

    def _open_branch(self, event: journal.BranchEvent) -> None:
        self._write(Entry(event.name, event))

    def _open_lane(self, agent: str, request: Request, branch: str, cause: Cause, parent: Lane | None) -> Lane:
        count = sum(1 for lane in self._tree.lanes.values() if lane.agent == agent)
        name = agent if count == 0 else f"{agent}~{count + 1}"
        parent_name = parent.name if parent else ""
        event = journal.LaneEvent(name, agent, request.dialect, request.model, branch, cause, parent_name)
        self._write(Entry(branch, event))
        return self._tree.lanes[name]

    def _touch(self, lane: Lane, found: Alignment) -> tuple[int, ...]:
        """Take the newest bytes of known nodes; returns which of them have changed."""
        branch, nodes = lane.branch, len(lane.branch.nodes)
        branch.held = {index: raw for index, raw in found.held.items() if index < nodes}
        newer = {index: raw for index, raw in found.changed.items() if index < nodes}
        newer |= {index: self._marked_as(raw, branch.wire[index]) for index, raw in branch.held.items()}
        changed = [index for index, raw in newer.items() if raw != branch.wire[index]]
        for index in changed:
            branch.touch(index, newer[index])
        return tuple(changed)

    def _marked_as(self, asked: bytes, ours: bytes) -> bytes:
        """Our bytes of a message with the cache markers of the current request: those of an older one would add up."""
        return self._reader.dialect.remark(asked, self._reader.dialect.unmarked(ours))

    def _note_head(self, lane: Lane, request: Request) -> None:
        """Record a version of the head where any top-level field but the messages is new."""
        # The key of the messages keeps its place: a past body is rebuilt byte for byte.
        written = jsonbytes.join_object({**request.fields, request.field: b"[]"})
        if written == lane.head_raw:
            return
        lane.head_raw = written
        raw, versions = self._reader.clean(written), self._tree.heads.get(lane.name)
        change = journal.patch(versions[-1], raw) if versions else None
        header = journal.HeadEvent(lane.name, request.head.key.hex(), change)
        self._write(Entry(lane.branch.name, header, b"" if change else raw))

    def _take(self, lane: Lane, fresh: Sequence[Message], names: Sequence[tuple[str, ...]], *, adopted: int) -> None:
        """Take new messages in; `names` are those of their blocks that came again, by message.

        Of the branch's nodes so many count as seen by the upstream.
        """
        arrivals = [self._reader.arrive(message) for message in fresh]
        if names:
            arrivals = [
                msgspec.structs.replace(one, ids=ids if any(ids) else ()) for one, ids in zip(arrivals, names, strict=True)
            ]
        nodes = lane.branch.append(arrivals)
        if adopted:
            lane.branch.adopted = max(lane.branch.adopted, min(adopted, len(lane.branch.nodes)))
        for node, arrival in zip(nodes, arrivals, strict=True):
            self._write(_message_entry(lane, node.index, arrival, node.index < adopted))

    def _without_ours(self, lane: Lane, raws: Sequence[bytes]) -> Sequence[bytes]:
        """A request that goes on from the lane's last view: what the view was made of, with the client's new tail."""
        sent = lane.sent.pieces
        wire = lane.branch.wire
        first = next((at for at, piece in enumerate(sent) if piece.node != at or piece.raw is not wire[at]), None)
        if (
            first is None
            or len(raws) < len(sent)
            or (first < len(wire) and raws[first] == wire[first])
            or (marks.OPEN.encode() in sent[first].raw) != (marks.OPEN.encode() in raws[first])
        ):
            return raws
        if not all(map(self._is_same, sent, raws)):
            return raws
        asked = {piece.node: raw for piece, raw in zip(sent, raws, strict=False)}
        known = (self._marked_as(asked.get(at, b"{}"), raw) for at, raw in enumerate(wire[: lane.sent.nodes]))
        return [*known, *raws[len(sent) :]]

    def _is_same(self, piece: Piece, raw: bytes) -> bool:
        return piece.raw == raw or self._reader.read(piece.raw).key == self._reader.read(raw).key


def _was_elsewhere(fresh: Sequence[Message]) -> bool:
    """Whether new messages hold more than the answer to the last request: what came between was said in another lane."""
    return sum(message.role is Role.ASSISTANT for message in fresh) > 1


def _message_entry(lane: Lane, index: int, arrival: Arrival, adopted: bool) -> Entry:
    message = arrival.message
    header = journal.MessageEvent(index, message.key.hex(), arrival.redactions, adopted, arrival.ids)
    return Entry(lane.branch.name, header, message.raw)
