"""The transaction of a cut: plan → prove → commit, with the ladder for a plan that fails (DESIGN §1.4).

An advisable cut that fails is dropped and the view from before stands; a necessary one takes the floor; only when even
that does not fit is CannotFit raised.
"""

from typing import TYPE_CHECKING

import msgspec

from pumice.compact import breaker, carry, economics, floor, planner, validate
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
from pumice.errors import CannotFit
from pumice.measure import entities, models

if TYPE_CHECKING:
    from pumice.engine.calling import Asked
    from pumice.engine.session import Session


LEAST_GAIN = 0.9
"""Share of its size a view must come below for a compaction asked for by hand to be worth a new prefix (F-C1)."""
SAFER = 0.5
"""Share of usable that the second try of a necessary cut goes down to."""


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

    def write(self, header: journal.Header) -> None:
        """Move the lane by an event, to be recorded with the call."""
        self.session.write(Entry(self.lane.branch.name, header))


async def run(case: Case) -> None:
    """Cut the lane if it is due and worth it, and leave it as it was otherwise."""
    room = room_of(case)
    due = _due(case, room)
    if due is None:
        return
    book = book_of(case)
    if not book.groups:
        return
    if due.necessary:
        asked = (case.asked.reason, case.asked.focus) if case.asked else ("", "")
        case.write(journal.CutStart(case.lane.name, due.cause, *asked))
    await case.session.outbox.flush(case.at)
    shown = _planned(case, book, room, due)
    if shown is not None:
        _commit(case, shown)


def book_of(case: Case) -> Book:
    """The lane's Book, its pins those that hold now: found ones and the session's hand-made ones."""
    book = case.lane.branch.book(case.lane.epoch)
    found = (*book.state.pins, *case.session.tree.pins.values()) if keeps_words(case.policy) else ()
    pins = admit.pins(found, case.at).pins
    focus = entities.names(case.asked.focus) if case.asked else frozenset()
    return msgspec.structs.replace(book, state=msgspec.structs.replace(book.state, pins=pins), focus=focus)


def keeps_words(policy: Policy) -> bool:
    """Whether a policy promises pins and a person's words."""
    return policy.keep.pins != "none"


def room_of(case: Case) -> Room:
    """What the lane's view has to fit into, its size as it stands."""
    view = call.tokens_of(case.lane, case.head, case.lane.shown.size)
    return call.room(case.lane, case.usable, view.head, view.messages)


def _due(case: Case, room: Room) -> economics.Due | None:
    if case.asked is not None:
        is_small = case.asked.target is not None and room.view + room.head <= min(case.asked.target, room.usable)
        return None if is_small else economics.Due(Cause.REQUESTED, necessary=True)
    if case.lane.cause is Cause.CLIENT_COMPACT and case.lane.epoch.number == 0 and room.view + room.head <= room.usable:
        return economics.Due(Cause.CLIENT_COMPACT, necessary=False)
    left = msgspec.structs.replace(room, usable=room.usable - case.lane.unexplained())
    due = economics.due(case.lane.pulse, left, case.policy, is_cold=case.is_cold or _is_idle(case))
    return None if due is not None and not due.necessary and case.lane.is_repeated() else due


def _is_idle(case: Case) -> bool:
    """Whether the provider's cache entry has run out since the lane's last call."""
    last, cold = case.lane.last_at, case.policy.cold
    if last is None or cold is None:
        return False
    ttl = models.facts(case.lane.model).cache.ttl if cold.ttl == "provider" else float(cold.ttl)
    return case.at - last > ttl


def _planned(case: Case, book: Book, room: Room, due: economics.Due) -> Shown | None:
    """What the lane shows after the cut that is due; None when nothing should change."""
    target = case.asked.target if case.asked else None
    if target is not None:
        room = msgspec.structs.replace(room, usable=min(room.usable, target))
    if not due.necessary and not breaker.allows(
        case.lane.breaker, case.policy.breaker, call=case.lane.calls, given=_input(case)
    ):
        return None
    if due.cause is Cause.CLIENT_COMPACT:
        return _proven(case, book, carry.plan(book, room, case.policy, count=case.session.counts), room)
    cut = planner.plan(
        book, room, case.policy, cause=due.cause, necessary=due.necessary, count=case.session.counts, target=target
    )
    if due.cause is Cause.REQUESTED and not _is_worth_it(case, cut, room):
        return None
    if not due.necessary and not economics.pays(cut, room):
        case.write(journal.CutDeclined(case.lane.name, economics.declined(case.lane.pulse, room)))
        return None
    shown = _proven(case, book, cut, room)
    return shown if shown is not None or not due.necessary else _fallen(case, book, room, due)


def _fallen(case: Case, book: Book, room: Room, due: economics.Due) -> Shown:
    """The ladder of a necessary cut whose plan failed: once more with less room, then the floor."""
    target = room.head + round(SAFER * (room.usable - room.head))
    cut = planner.plan(book, room, case.policy, cause=due.cause, necessary=True, count=case.session.counts, target=target)
    return _proven(case, book, cut, room) or _floor(case, book, room, due)


def _floor(case: Case, book: Book, room: Room, due: economics.Due) -> Shown:
    """The last rung: raises CannotFit when even this is over, Unprovable when it breaks a rule."""
    shown = _floor_within(case, book, room, due, repairs=0)
    size = call.tokens_of(case.lane, case.head, shown.size)
    if size.total > room.usable and shown.cut is not None:
        shown = _floor_within(case, book, room, due, repairs=size.messages - shown.cut.tokens)
    verify.prove(case.lane, case.request, shown)
    return shown


def _floor_within(case: Case, book: Book, room: Room, due: economics.Due, *, repairs: int) -> Shown:
    """The floor with room left for what has to be repaired on the wire, which is in no plan."""
    less = msgspec.structs.replace(room, usable=room.usable - repairs)
    try:
        cut = floor.plan(book, less, case.policy, cause=due.cause, count=case.session.counts)
    except CannotFit as error:
        raise CannotFit(room.usable, (*error.parts, *([("repairs", repairs)] if repairs else []))) from error
    return Shown(case.lane.branch, case.lane.dialect, cut)


def _is_worth_it(case: Case, cut: Cut, room: Room) -> bool:
    """Whether a compaction asked for by hand makes room, or places pins that have changed."""
    must = room.view + room.head > room.usable or case.lane.pins_version != case.session.tree.pins_version
    return must or cut.tokens <= LEAST_GAIN * room.view


def _proven(case: Case, book: Book, cut: Cut, room: Room) -> Shown | None:
    """The lane under a cut, if that fits, loses nothing that must stand and breaks no rule; else the failure is on record."""
    shown = Shown(case.lane.branch, case.lane.dialect, cut)
    size = call.tokens_of(case.lane, case.head, shown.size).total
    found = validate.check(validate.Case(book, cut, shown.text(), size, room.usable), keeps_words=keeps_words(case.policy))
    reason = "; ".join(f"{finding.check}: {finding.message}" for finding in found)
    if not found:
        try:
            verify.prove(case.lane, case.request, shown)
        except verify.Unprovable as error:
            reason = str(error)
    if not reason:
        return shown
    failed = breaker.failed(case.lane.breaker, case.policy.breaker, call=case.lane.calls, given=_input(case))
    case.write(journal.CutDropped(case.lane.name, reason, failed))
    return None


def _input(case: Case) -> str:
    """Identity of what a plan would be made of."""
    return case.lane.branch.nodes[-1].key.hex() if case.lane.branch.nodes else ""


def _commit(case: Case, shown: Shown) -> None:
    """Begin the epoch, unless the view would stay as it is."""
    lane = case.lane
    before, after = lane.shown.pieces(), shown.pieces()
    if shown.cut is None or len(before) == len(after) == common(before, after):
        return
    case.write(journal.CutEvent(lane.name, lane.epoch.number + 1, shown.cut))
