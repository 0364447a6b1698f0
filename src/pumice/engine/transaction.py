"""The transaction of a cut: plan → prove → commit, with the ladder for a plan that fails (DESIGN §1.4).

An advisable cut that fails is dropped and the view from before stands; a necessary one takes the floor; only when even
that does not fit is CannotFit raised.
"""

import msgspec

from pumice.compact import breaker, carry, economics, planner
from pumice.compact.economics import Pulse
from pumice.compact.triggers import Due
from pumice.compile.assemble import common
from pumice.domain.book import Book, Room
from pumice.domain.decision import Cause, Cut
from pumice.engine import due, harder, journal, ladder
from pumice.engine.case import Case, book_of, input_of, room_of
from pumice.engine.shown import Shown


async def run(case: Case) -> None:
    """Cut the lane if it is due and worth it, and leave it as it was otherwise."""
    step = harder.switch(case.lane, case.session.context, case.session.tree.spent.usd)
    if step is not None:
        case.write(step)
    room = room_of(case)
    found = due.due(case, room)
    if found is None:
        return
    book = book_of(case)
    if not book.groups:
        return
    if found.necessary:
        focus = case.asked.focus if case.asked else ""
        case.write(journal.CutStart(case.lane.name, found.cause, found.why, focus))
    await case.session.outbox.flush(case.at)
    shown = _planned(case, book, room, found)
    if shown is not None:
        _commit(case, shown)


def _planned(case: Case, book: Book, room: Room, found: Due) -> Shown | None:
    """What the lane shows after the cut that is due; None when nothing should change."""
    target = case.asked.target if case.asked else None
    if target is not None:
        room = _within(room, target)
    is_open = not breaker.allows(case.lane.breaker, case.policy.breaker, call=case.lane.calls, given=input_of(case))
    if is_open and not found.necessary:
        return None
    if found.cause is Cause.CLIENT_COMPACT:
        return ladder.proven(case, book, carry.plan(book, room, case.policy, count=case.session.counts), room)
    cut = planner.plan(
        book,
        room,
        case.policy,
        cause=found.cause,
        necessary=found.necessary,
        count=case.session.counts,
        target=target,
        unload_only=is_open,
    )
    if not _is_worth_it(case, cut, room, found):
        return None
    shown = ladder.proven(case, book, cut, room)
    if shown is not None or not found.necessary:
        return shown
    if not found.fits:
        return ladder.fallen(case, book, room, found)
    _barred(case, room)
    return None


def _within(room: Room, target: int) -> Room:
    return msgspec.structs.replace(room, usable=min(room.usable, target))


def _is_worth_it(case: Case, cut: Cut, room: Room, found: Due) -> bool:
    """Whether a cut gains enough; if not, it is on record when to ask again."""
    if found.cause is Cause.REQUESTED:
        return _is_worth_asking(case, cut, room)
    gain, pulse = case.policy.budget.min_gain, case.lane.pulse
    if not found.necessary and not economics.pays(cut, room, gain):
        case.write(journal.CutDeclined(case.lane.name, economics.declined(pulse, room, gain)))
        return False
    if found.necessary and found.fits and not isinstance(gain, str) and not economics.pays(cut, room, gain):
        _barred(case, room)
        return False
    return True


def _is_worth_asking(case: Case, cut: Cut, room: Room) -> bool:
    """Whether a compaction asked for by hand makes room, or places pins that have changed."""
    must = room.view + room.head > room.usable or case.lane.pins_version != case.session.tree.pins_version
    return must or cut.tokens <= (1 - economics.LEAST_GAIN) * room.view


def _barred(case: Case, room: Room) -> None:
    """A cut at the policy's share came to nothing while the view still fits: it is tried again when that has grown."""
    case.write(journal.CutDeclined(case.lane.name, economics.barred(case.lane.pulse, room)))


def _commit(case: Case, shown: Shown) -> None:
    """Begin the epoch, unless the view would stay as it is."""
    lane = case.lane
    before, after = lane.shown.pieces(), shown.pieces()
    if shown.cut is None or len(before) == len(after) == common(before, after):
        return
    cut = shown.cut
    pulse = Pulse(after=cut.tokens, since=cut.until, at=case.at, cost_usd=case.session.tree.spent.usd)
    case.write(journal.CutEvent(lane.name, lane.epoch.number + 1, cut, pulse, breaker.succeeded(lane.breaker)))
