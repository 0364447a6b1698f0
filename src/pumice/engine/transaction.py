"""The transaction of a cut: plan → prove → commit, with the ladder for a plan that fails (DESIGN §1.4).

An advisable cut that fails is dropped and the view from before stands; a necessary one takes the floor; only when even
that does not fit is CannotFit raised.
"""

import asyncio
from typing import TYPE_CHECKING

import msgspec

from pumice.compact import carry, economics, planner, triggers
from pumice.compact.economics import pulse_after
from pumice.compact.triggers import Due
from pumice.compile.assemble import common
from pumice.domain import pointer
from pumice.domain.block import Block
from pumice.domain.book import Book, Room
from pumice.domain.decision import Cause, Cut
from pumice.engine import alerts, asking, breaking, due, harder, journal, ladder, probing
from pumice.engine.case import Case, book_of, input_of, live, room_of
from pumice.engine.journal import Entry
from pumice.engine.planning import Plan
from pumice.engine.shown import Shown

if TYPE_CHECKING:
    from pumice.engine.session import Session


async def run(case: Case) -> None:
    """Cut the lane if it is due and worth it, and leave it as it was otherwise."""
    step = harder.switch(case.lane, case.session.context, case.session.tree.spent.usd)
    if step is not None:
        case.write(step)
    room = _room(case)
    found = due.due(case, room)
    if case.asked is not None:
        case.write(journal.CutStart(case.lane.name, Cause.REQUESTED, case.asked.reason, case.asked.focus))
    if found is None:
        return
    book = book_of(case)
    if not book.groups:
        return
    if found.necessary and case.asked is None:
        case.write(journal.CutStart(case.lane.name, found.cause, found.why))
    await case.session.outbox.flush(case.at)
    await _pause(found)
    made = await _made(case, book, _within(case, room), found)
    if made is not None:
        _commit(case, made)


async def _pause(found: Due) -> None:
    """Between the steps of a cut calls of other sessions go first: they take milliseconds.

    Not of one whose beginning is on record: another engine at the same session would begin its own, and so on for ever.
    """
    if not found.necessary:
        await asyncio.sleep(0)


def weigh(case: Case, room: Room, found: Due) -> None:
    """Plan a cut that is not made now, and remember what it would have come to if it does not pay."""
    book, pulse = book_of(case), case.lane.pulse
    is_asked = bool(book.groups) and breaking.allows(case.session, case.lane, input_of(case))
    if not is_asked or planner.is_hopeless(book, room, case.policy, pulse, count=case.session.counts):
        return
    _, cut = _plan(case, book, room, found, is_full=True)
    if not economics.pays(cut, room, case.policy.budget.min_gain):
        case.write(journal.CutDeclined(case.lane.name, economics.remembered(pulse, cut)))


async def fall(case: Case, *, may_be_over: bool) -> None:
    """Cut the lane to the floor at once: the engine has failed at this call before. Raises as `ladder.floored`."""
    book, room = book_of(case), _room(case)
    if book.groups:
        case.write(journal.CutStart(case.lane.name, Cause.FAULT, "the engine has failed at this call"))
        await case.session.outbox.flush(case.at)
        found = Due(Cause.FAULT, necessary=True, fits=False)
        _commit(case, _Made(ladder.floored(case, book, room, found, may_be_over=may_be_over), is_full=False))


def _room(case: Case) -> Room:
    return msgspec.structs.replace(room_of(case), is_cold=due.is_cold(case, case.policy))


def _within(case: Case, room: Room) -> Room:
    target = case.asked.target if case.asked else None
    return room if target is None else msgspec.structs.replace(room, usable=min(room.usable, target))


class _Planned(msgspec.Struct, frozen=True):
    """A cut that is worth making, and the Book it was planned from."""

    cut: Cut
    book: Book
    is_full: bool
    """By the policy's own plan; otherwise nothing was summarised and no model asked."""


class _Made(msgspec.Struct, frozen=True):
    """What the lane shows after a cut."""

    shown: Shown
    is_full: bool
    """As of the plan; the second rung and the floor are not."""


async def _made(case: Case, book: Book, room: Room, found: Due) -> _Made | None:
    """The cut that is due; None when nothing should change."""
    if found.cause is Cause.CLIENT_COMPACT:
        return _carried(case, book, room)
    planned = await _planned(case, book, room, found)
    if planned is None:
        return None
    await _pause(found)
    made = _deeper(case, planned, room, found) or _proven(case, planned, room)
    if made is not None or not found.necessary:
        return made
    if not found.fits:
        return _Made(ladder.fallen(case, planned.book, room, found), is_full=False)
    _barred(case, room)
    return None


def _deeper(case: Case, planned: _Planned, room: Room, found: Due) -> _Made | None:
    """What a necessary cut goes on to where unloading alone leaves so little room that the next would be due at once."""
    is_last = found.necessary and not planned.is_full and found.cause is not Cause.REQUESTED
    if not is_last or not economics.is_scant(planned.cut, room, triggers.act_at(room, case.policy.budget)):
        return None
    shown = ladder.deeper(case, planned.book, planned.cut, room, found)
    return None if shown is None else _Made(shown, is_full=False)


def _carried(case: Case, book: Book, room: Room) -> _Made | None:
    """A person's words and rules placed again: no summary and no model, so an open breaker is no reason not to."""
    if case.lane.breaker.refused == input_of(case):
        return None
    shown = ladder.proven(case, book, carry.plan(book, room, case.policy, count=case.session.counts), room)
    return None if shown is None else _Made(shown, is_full=False)


async def _planned(case: Case, book: Book, room: Room, found: Due) -> _Planned | None:
    """The plan of a cut that gains enough, with what a model answers where the cut may wait for that."""
    is_full = breaking.allows(case.session, case.lane, input_of(case))
    if not is_full and not found.necessary:
        return None
    if found.cause is Cause.ADVISABLE and _is_hopeless(case, book, room):
        return None
    until = case.session.context.ports.clock() + case.policy.questions.wait_seconds
    plan, cut = _plan(case, book, room, found, is_full=is_full)
    if not _is_worth_it(case, cut, room, found):
        return None
    if not found.may_wait or not is_full:
        return _Planned(cut, book, is_full)
    cut = await plan.answered(book, cut, until)
    if breaking.allows(case.session, case.lane, ""):
        return _Planned(cut, await probing.answered(case, book, cut, until), True)
    cut = plan.cut(book, is_full=False)
    return _Planned(cut, book, False) if _is_worth_it(case, cut, room, found) else None


def _plan(case: Case, book: Book, room: Room, found: Due, *, is_full: bool) -> tuple[Plan, Cut]:
    """The cut that is due; one that need not be goes as far below a dearer price tier as pays, where that can be."""
    below = None if found.necessary else economics.below_tier(room)
    if below is not None:
        plan = Plan(case, below, found)
        cut = plan.cut(book, is_full=is_full)
        if economics.leaves_tier(cut.tokens, room) and economics.pays(cut, room, case.policy.budget.min_gain):
            return plan, cut
    plan = Plan(case, room, found)
    return plan, plan.cut(book, is_full=is_full)


def _is_hopeless(case: Case, book: Book, room: Room) -> bool:
    """Whether it is not even worth planning; if so, it is on record when to ask again."""
    pulse, policy = case.lane.pulse, case.policy
    found = planner.is_hopeless(book, room, policy, pulse, count=case.session.counts)
    if found:
        case.write(journal.CutDeclined(case.lane.name, economics.declined(pulse, room, policy.budget.min_gain)))
    return found


def _proven(case: Case, planned: _Planned, room: Room) -> _Made | None:
    for key, why in planned.cut.refused:
        if key not in case.session.tree.failed:
            asking.fail(case.session, asking.Live(case.lane.name, case.lane.epoch.number + 1), key, why)
    shown = ladder.proven(case, planned.book, planned.cut, room, counts=planned.is_full)
    return None if shown is None else _Made(shown, planned.is_full)


def _is_worth_it(case: Case, cut: Cut, room: Room, found: Due) -> bool:
    """Whether a cut gains enough; if not, it is on record when to ask again."""
    if found.cause is Cause.REQUESTED:
        return _is_worth_asking(case, cut, room)
    gain, pulse = case.policy.budget.min_gain, case.lane.pulse
    if not found.necessary and not economics.pays(cut, room, gain):
        case.write(journal.CutDeclined(case.lane.name, economics.declined(pulse, room, gain, cut)))
        return False
    if found.necessary and found.fits and not isinstance(gain, str) and not economics.pays(cut, room, gain):
        _barred(case, room)
        return False
    return True


def _is_worth_asking(case: Case, cut: Cut, room: Room) -> bool:
    """Whether a compaction asked for by hand makes room, places pins that have changed, or is for something else than room."""
    is_for_more = case.is_rebuilt or (case.asked is not None and bool(case.asked.focus))
    must = is_for_more or room.view + room.head > room.usable or case.lane.pins_version != case.session.tree.pins_version
    return must or cut.tokens <= (1 - economics.LEAST_GAIN) * room.view


def _barred(case: Case, room: Room) -> None:
    """A cut at the policy's share came to nothing while the view still fits: it is tried again when that has grown."""
    case.write(journal.CutDeclined(case.lane.name, economics.barred(case.lane.pulse, room)))


def _commit(case: Case, made: _Made) -> None:
    """Begin the epoch, unless the view would stay as it is; what it leaves to be asked is asked meanwhile."""
    lane, session = case.lane, case.session
    before, after = lane.shown.pieces(), made.shown.pieces()
    cut = made.shown.cut
    if cut is None or len(before) == len(after) == common(before, after):
        return
    asks = (*cut.asks, *probing.late(case, made.shown, is_full=made.is_full)) if session.context.ports.model is not None else ()
    end = live(case) if asks else None
    often = alerts.too_often(lane, case.at) if cut.cause in (Cause.BUDGET, Cause.ADVISABLE) else ()
    bare = tuple(msgspec.structs.replace(ask, prompt="", material="") for ask in cut.asks)
    cut = msgspec.structs.replace(cut, warnings=(*cut.warnings, *often), asks=bare)
    pulse = pulse_after(cut, case.at, session.tree.spent.usd)
    breaker = breaking.after(session, lane, cut, is_full=made.is_full)
    for address, block in cut.artifacts:
        name(session, address, lane.branch.block(block))
    session.read_back.clear()
    case.write(journal.CutEvent(lane.name, lane.epoch.number + 1, cut, pulse, breaker))
    for ask in asks:
        if end is not None and asking.is_open(session, lane, ask):
            session.asker.start(ask, end)


def name(session: "Session", address: str, block: Block) -> None:
    """Give a block an address besides its own, and keep it under that, before any view shows it."""
    if address not in session.tree.addresses and address != pointer.artifact(block.id):
        session.write(Entry(journal.ADDRESSES, journal.AddressEvent(address, block.id)))
        session.outbox.keep(block, pointer.kept_as(pointer.parse(address)))
