"""Notes of a lane: where the next one may stand, what it says, on record before it is sent (DESIGN §2).

A note is placed once, at the end of what the upstream has seen, and stays until the epoch ends. It speaks as the system
where the model takes that inside a conversation, else it waits for the next words of a person; behind a tool's results
it never stands as the user's (K-A15).
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pumice.commit.again import again
from pumice.compile import placed
from pumice.domain import marks
from pumice.domain.block import Block, Kind, Role, Trust
from pumice.domain.book import Size
from pumice.domain.group import Node
from pumice.domain.message import Request
from pumice.domain.note import HEAD, REMINDER, Note
from pumice.engine import call, harder, journal, verify
from pumice.engine.heads import HeadSize
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane
from pumice.engine.observe import Observed
from pumice.measure import models, tokens

if TYPE_CHECKING:
    from pumice.engine.session import Session


def place(session: "Session", observed: Observed, request: Request, head: HeadSize, usable: int, moved: str) -> None:
    """Place what is due in the lane's view, if there is a place for it and room; `moved` tells what the head holds back."""
    lane = observed.lane
    for name, text, reason, sources in (*_reminder(session, lane, usable), *_head(lane, moved)):
        spot = _spot(lane, observed)
        if spot is None:
            return
        at, role = spot
        number = max(session.tree.calls, default=0) + 1
        note = Note(name, text, tokens.count(text), at, role, number, reason, _trust(lane, name, sources), sources)
        size = call.tokens_of_sent(lane, head, lane.shown.size).total + Size(note.tokens).tokens(lane.calibration.factor)
        if size <= usable and verify.may_stand(lane, request, lane.shown, note):
            session.write(Entry(lane.branch.name, journal.NoteEvent(lane.name, note)))


_Due = tuple[str, str, str, tuple[str, ...]]


def _reminder(session: "Session", lane: Lane, usable: int) -> Iterable[_Due]:
    """The goal and what is open, quoted again once the policy's number of groups has passed since it was."""
    policy = harder.in_force(lane, session.context)
    after = policy.reminder.after
    if after is None or _passed(lane) < after:
        return
    lane.branch.settle()
    room = min(policy.keep.state_tokens, round(policy.shares.state * usable))
    said = again(lane.branch.state, round(room / lane.calibration.factor), tokens.count)
    if said.text:
        yield REMINDER, marks.wrap(REMINDER, said.text), f"reminder.after, {after} groups", said.sources


def _passed(lane: Lane) -> int:
    """Groups since the goal was last quoted, by a cut or a reminder."""
    since = lane.cut.until if lane.cut is not None else lane.branch.lead
    since = max([since, *(note.at for note in lane.shown.notes if note.name == REMINDER)])
    passed = 0
    for group in reversed(lane.branch.groups):
        if group.nodes[0].index < since:
            break
        passed += 1
    return passed


def _head(lane: Lane, moved: str) -> Iterable[_Due]:
    """What of the head is another now, where no note of the epoch says so yet."""
    told = [note.text for note in lane.shown.notes if note.name == HEAD]
    text = marks.wrap(HEAD, moved or AS_IT_STANDS)
    if (moved or told) and (not told or told[-1] != text):
        yield HEAD, text, "head.freeze: the first value stays in place", ()


AS_IT_STANDS = marks.gap("what the system text says holds again")


def _spot(lane: Lane, observed: Observed) -> tuple[int, str] | None:
    """Where a note may stand now, and who speaks it; None while there is no place."""
    nodes = lane.branch.nodes
    if not nodes or nodes[-1].role not in (Role.USER, Role.TOOL):
        return None
    if models.facts(lane.model).takes_system:
        role = lane.dialect.lead_role(lane.branch.wire[: lane.branch.lead]) or "system"
        return len(nodes), role
    is_new = observed.first_new < len(nodes) and lane.sent.nodes < len(nodes)
    is_turn = len(nodes) > 1 and nodes[-2].role == Role.ASSISTANT and not any(map(_acts, nodes[-2:]))
    return (len(nodes) - 1, "user") if is_new and is_turn else None


def _acts(node: Node) -> bool:
    """Whether a node holds calls or results: what stands between those is no turn of a person."""
    return any(block.kind in (Kind.CALL, Kind.RESULT, Kind.OPAQUE) for block in node.blocks)


def _trust(lane: Lane, name: str, sources: tuple[str, ...]) -> Trust:
    """Of the least trusted source; what the client's head says is the agent's."""
    blocks: list[Block] = [lane.branch.block(source) for source in sources if lane.branch.has(source)]
    return max((block.trust for block in blocks), key=placed.FALLING.index, default=Trust.AGENT if name == HEAD else Trust.USER)
