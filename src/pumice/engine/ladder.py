"""The ladder of a cut: prove it; a necessary one that fails is rebuilt with less room, then takes the floor."""

import msgspec

from pumice.compact import floor, planner, validate
from pumice.compact.economics import LEAST_GAIN
from pumice.compact.triggers import Due
from pumice.domain.book import Book, Room
from pumice.domain.decision import Cut
from pumice.engine import breaking, call, journal, probing, verify
from pumice.engine.case import REBUILD, Case, input_of
from pumice.engine.shown import Shown
from pumice.errors import CannotFit, Unprovable

SAFER = 0.5
"""Share of usable that the second try of a necessary cut goes down to."""


def proven(case: Case, book: Book, cut: Cut, room: Room, *, counts: bool = True) -> Shown | None:
    """The lane under a cut, if that fits, loses nothing that must stand and breaks no rule; else the failure is on record.

    A second failure of the same pass `counts` for nothing.
    """
    shown = Shown(case.lane.branch, case.lane.dialect, cut, case.lane.coming)
    size = call.tokens_of(case.lane, case.head, shown.size).total
    made = validate.Case(book, cut, shown.text(), size, room.usable, case.policy.never)
    found = validate.check(made, case.policy)
    shown.cut = probing.noted(case, book, shown)
    lost = [f"{probing.CHECK}: {said}" for said in probing.losses(shown.cut)]
    reason = "; ".join((*(f"{finding.check}: {finding.message}" for finding in found), *lost))
    if not reason:
        try:
            verify.prove(case.lane, case.request, shown)
        except Unprovable as error:
            reason = str(error)
    if not reason:
        return shown
    failed = breaking.failed(case.session, case.lane, reason=reason, given=input_of(case)) if counts else case.lane.breaker
    case.write(journal.CutDropped(case.lane.name, reason, failed))
    return None


def fallen(case: Case, book: Book, room: Room, due: Due) -> Shown:
    """A necessary cut whose plan failed: once more from state and evidence alone and with less room, then the floor.

    Raises CannotFit when even the floor is over, Unprovable when it breaks a rule.
    """
    # Not the policy's levels again: what failed may be what one of them said or chose, and level rebuild uses none of it.
    # Not the floor at once: as safe as that is, it folds the newest evidence, of which rebuild keeps what fits.
    book = msgspec.structs.replace(book, review=breaking.needs_review(case.session, case.lane))
    cut = _rebuilt(case, book, room, due, room.head + round(SAFER * (room.usable - room.head)))
    return proven(case, book, cut, room, counts=False) or floored(case, book, room, due)


def deeper(case: Case, book: Book, cut: Cut, room: Room, due: Due) -> Shown | None:
    """For a necessary cut that leaves hardly any room, one from state and evidence alone; None if that frees no more."""
    made = _rebuilt(case, book, room, due, room.head + cut.target)
    return proven(case, book, made, room, counts=False) if made.tokens <= (1 - LEAST_GAIN) * cut.tokens else None


def _rebuilt(case: Case, book: Book, room: Room, due: Due, target: int) -> Cut:
    return planner.plan(
        book,
        room,
        msgspec.structs.replace(case.policy, order=(REBUILD,)),
        cause=due.cause,
        necessary=True,
        count=case.session.counts,
        target=target,
        unload_only=True,
    )


def floored(case: Case, book: Book, room: Room, due: Due, *, may_be_over: bool = False) -> Shown:
    """The floor, proven. Raises CannotFit unless it `may_be_over`, Unprovable when it breaks a rule."""
    shown = _floor_within(case, book, room, due, 0, may_be_over=may_be_over)
    size = call.tokens_of(case.lane, case.head, shown.size)
    if size.total > room.usable and shown.cut is not None:
        shown = _floor_within(case, book, room, due, size.messages - shown.cut.tokens, may_be_over=may_be_over)
    verify.prove(case.lane, case.request, shown)
    # There is nothing below the floor: what a probe has lost here is on record and stands.
    shown.cut = probing.noted(case, book, shown)
    return shown


def _floor_within(case: Case, book: Book, room: Room, due: Due, repairs: int, *, may_be_over: bool) -> Shown:
    """The floor with room left for what has to be repaired on the wire, which is in no plan."""
    less = msgspec.structs.replace(room, usable=room.usable - repairs)
    try:
        cut = floor.plan(book, less, case.policy, cause=due.cause, count=case.session.counts, may_be_over=may_be_over)
    except CannotFit as error:
        raise CannotFit(room.usable, (*error.parts, *([("repairs", repairs)] if repairs else []))) from error
    return Shown(case.lane.branch, case.lane.dialect, cut, case.lane.coming)
