"""The transaction of a cut: plan → prove → commit, with the ladder for a plan that fails (DESIGN §1.4).

An advisable cut that fails is dropped and the view from before stands; a necessary one takes the floor; only when even
that does not fit is CannotFit raised.
"""

from typing import TYPE_CHECKING

import msgspec

from pumice.compact import economics, floor, planner
from pumice.compile import admit
from pumice.compile.assemble import common
from pumice.domain.book import Book, Room
from pumice.domain.decision import Cause, Cut
from pumice.domain.manifest import Usable
from pumice.domain.message import Request
from pumice.domain.policy import Policy
from pumice.engine import call, journal, verify
from pumice.engine.call import HeadSize
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane
from pumice.engine.shown import Shown
from pumice.measure import models, tokens

if TYPE_CHECKING:
    from pumice.engine.calling import Asked
    from pumice.engine.session import Session


LEAST_GAIN = 0.9
"""Share of its size a view must come below for a compaction asked for by hand to be worth a new prefix (F-C1)."""


class Case(msgspec.Struct, frozen=True):
    """Everything a transaction needs to know of the call it serves."""

    session: "Session"
    lane: Lane
    request: Request
    head: HeadSize
    usable: Usable
    at: float
    is_cold: bool
    asked: "Asked | None" = None

    @property
    def policy(self) -> Policy:
        return self.session.context.policy


async def run(case: Case) -> None:
    """Cut the lane if it is due and worth it, and leave it as it was otherwise."""
    room = room_of(case)
    due = _due(case, room)
    if due is None:
        return
    await case.session.outbox.flush(case.at)
    shown = _planned(case, book_of(case), room, due)
    if shown is not None:
        _commit(case, shown)


def book_of(case: Case) -> Book:
    """The lane's Book, its pins those that hold now: found ones and the session's hand-made ones."""
    book = case.lane.branch.book(case.lane.epoch)
    pins = admit.pins((*book.state.pins, *case.session.tree.pins.values()), case.at).pins
    return msgspec.structs.replace(book, state=msgspec.structs.replace(book.state, pins=pins))


def room_of(case: Case) -> Room:
    """What the lane's view has to fit into, its size as it stands."""
    view = call.tokens_of(case.lane, case.head, case.lane.shown.pieces())
    return call.room(case.lane, case.usable, view.head, view.messages)


def _due(case: Case, room: Room) -> economics.Due | None:
    if case.asked is not None:
        is_small = case.asked.target is not None and room.view + room.head <= min(case.asked.target, room.usable)
        return None if is_small else economics.Due(Cause.REQUESTED, necessary=True)
    return economics.due(case.lane.pulse, room, case.policy, is_cold=case.is_cold or _is_idle(case))


def _is_idle(case: Case) -> bool:
    """Whether the provider's cache entry has run out since the lane's last call."""
    last, cold = case.lane.last_at, case.policy.cold
    if last is None or cold is None:
        return False
    ttl = models.facts(case.lane.model).cache.ttl if cold.ttl == "provider" else float(cold.ttl)
    return case.at - last > ttl


def _planned(case: Case, book: Book, room: Room, due: economics.Due) -> Shown | None:
    """The ladder: the plan, for a necessary cut the floor; None when nothing should change."""
    target = case.asked.target if case.asked else None
    if target is not None:
        room = msgspec.structs.replace(room, usable=min(room.usable, target))
    cut = planner.plan(
        book, room, case.policy, cause=due.cause, necessary=due.necessary, count=tokens.count_many, target=target
    )
    if due.cause is Cause.REQUESTED and not _is_worth_it(case, cut, room):
        return None
    if not due.necessary and not economics.pays(cut, room):
        case.lane.pulse = economics.declined(case.lane.pulse, room)
        return None
    shown = _proven(case, cut, room)
    if shown is not None or not due.necessary:
        return shown
    cut = floor.plan(book, room, case.policy, cause=due.cause, count=tokens.count_many)
    shown = Shown(case.lane.branch, case.lane.dialect, cut)
    verify.prove(case.lane, case.request, shown)
    return shown


def _is_worth_it(case: Case, cut: Cut, room: Room) -> bool:
    """Whether a compaction asked for by hand makes room, or places pins that have changed."""
    must = room.view + room.head > room.usable or case.lane.pins_version != case.session.tree.pins_version
    return must or cut.tokens <= LEAST_GAIN * room.view


def _proven(case: Case, cut: Cut, room: Room) -> Shown | None:
    """The lane under a cut, if that fits and breaks no rule."""
    shown = Shown(case.lane.branch, case.lane.dialect, cut)
    if call.tokens_of(case.lane, case.head, shown.pieces()).total > room.usable:
        return None
    try:
        verify.prove(case.lane, case.request, shown)
    except verify.Unprovable:
        return None
    return shown


def _commit(case: Case, shown: Shown) -> None:
    """Begin the epoch, unless the view would stay as it is."""
    lane = case.lane
    before, after = lane.shown.pieces(), shown.pieces()
    if shown.cut is None or len(before) == len(after) == common(before, after):
        return
    case.session.write(Entry(lane.branch.name, journal.CutEvent(lane.name, lane.epoch.number + 1, shown.cut)))
