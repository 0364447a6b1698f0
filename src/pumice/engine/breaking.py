"""The breaker of a lane at work: what a pass may use, and what failures and successes make of it (F-D4)."""

from typing import TYPE_CHECKING

import msgspec

from pumice.compact import breaker
from pumice.compact.breaker import Breaker
from pumice.domain.decision import Cut
from pumice.engine import journal
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane

if TYPE_CHECKING:
    from pumice.engine.session import Session


def allows(session: "Session", lane: Lane, given: str) -> bool:
    """Whether a pass over `given` may summarise and ask a model."""
    return breaker.allows(lane.breaker, session.context.policy.breaker, call=lane.calls, given=given)


def failed(session: "Session", lane: Lane, *, reason: str, given: str = "", is_quota: bool = False) -> Breaker:
    """The lane's breaker after a failure; where that opens it and the policy wants a person to look, that is on record.

    `given` is the identity of an input that is not to be tried again; empty where the input was not to blame.
    """
    limits, before = session.context.policy.breaker, lane.breaker
    after = breaker.failed(before, limits, call=lane.calls, given=given or before.refused, is_quota=is_quota)
    if before.opened_at is None and after.opened_at is not None and limits.on_open == "human":
        session.write(Entry(lane.branch.name, journal.ReviewEvent(lane.name, reason)))
    return after


def needs_review(session: "Session", lane: Lane) -> bool:
    """Whether a person is asked to look at the session."""
    return lane.breaker.opened_at is not None and session.context.policy.breaker.on_open == "human"


def after(session: "Session", lane: Lane, cut: Cut, *, is_full: bool) -> Breaker:
    """The lane's breaker once a cut stands as its next epoch.

    It closes when the policy's own plan was made and proven (`is_full`) and no question of it failed or is open; while
    some are nothing is known yet, but the one try of an open breaker is used up.
    """
    has_failed = session.tree.has_failed(lane.name, lane.epoch.number + 1)
    has_all = all(ask.key in session.tree.answers for ask in cut.asks)
    is_answered = has_all or (cut.summary is not None and bool(cut.summary.by))
    if is_full and is_answered and not has_failed:
        return breaker.succeeded(lane.breaker)
    if is_full and lane.breaker.opened_at is not None:
        return msgspec.structs.replace(lane.breaker, opened_at=lane.calls)
    return lane.breaker
