"""A view that holds more images and documents than the provider takes, though its tokens fit: the oldest are put away."""

from pumice.compact import crowded
from pumice.domain.decision import Cause
from pumice.engine import journal, ladder, verify
from pumice.engine.case import Case, book_of, room_of


async def relieve(case: Case) -> None:
    """Begin an epoch without the oldest media where that lets the request go out; the view from before stands otherwise."""
    lane = case.lane
    if not case.policy.order or not verify.is_crowded(lane, case.request, lane.shown):
        return
    case.write(journal.CutStart(lane.name, Cause.BUDGET, "images and documents"))
    await case.session.outbox.flush(case.at)
    book, room = book_of(case), room_of(case)
    cut = crowded.plan(book, room, case.policy, cause=Cause.BUDGET, count=case.session.counts)
    shown = ladder.proven(case, book, cut, room)
    if shown is not None and not verify.is_crowded(lane, case.request, shown):
        # The view's size and worth are what they were: nothing is learnt about when to cut it.
        case.write(journal.CutEvent(lane.name, lane.epoch.number + 1, shown.cut or cut, lane.pulse, lane.breaker))
