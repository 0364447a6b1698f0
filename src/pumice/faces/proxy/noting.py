"""Of a compiled call, what there is to count: read off its lane, nothing computed anew but at a cut."""

from collections import Counter
from collections.abc import Mapping, Sequence

from pumice.compact.economics import Pulse
from pumice.domain.decision import Cause, Cut, Epoch, Outcome
from pumice.engine import alerts, misses
from pumice.engine.alert import Kind
from pumice.engine.call import View
from pumice.engine.lane import Lane
from pumice.engine.session import Session
from pumice.faces.proxy.seen import Seen

_LEFT = (Outcome.EXCERPT, Outcome.FOLD, Outcome.DROP)
_FOR_ROOM = (Cause.BUDGET, Cause.ADVISABLE)


def pulse(session: Session, agent: str) -> Pulse | None:
    """What an agent's lane remembers before a call is compiled; None where nothing of it is in memory."""
    lane = session.tree.current.get(agent)
    return lane.pulse if lane is not None else None


def of(session: Session, view: View, before: Pulse | None) -> Seen:
    """What there is to count of a view, beside what `pulse` said before it was compiled."""
    lane = session.tree.lanes[view.lane]
    begun = _begun(session, lane, view.call)
    cuts = [epoch.cut for epoch in begun if epoch.cut is not None and epoch.number > 0]
    kinds = [alarm.kind for alarm in view.alarms]
    often = [Kind.TOO_OFTEN] if _is_too_often(lane, begun, before) else []
    return Seen(
        dialect=lane.dialect.name,
        policy=session.context.policy.name,
        place=f"{session.context.key}\0{lane.agent}",
        occupancy=view.tokens.total / max(1, view.usable.tokens),
        epochs=tuple(str(epoch.cause) for epoch in begun),
        levels=tuple(step.level for cut in cuts for step in cut.steps if step.left or step.after < step.before),
        left=_left(lane, begun),
        alerts=tuple(dict.fromkeys(str(kind) for kind in (*kinds, *often))),
        failed=kinds.count(Kind.CUT_FAILED),
        is_declined=_is_declined(before, lane.pulse),
        is_open=lane.breaker.opened_at is not None,
    )


def _begun(session: Session, lane: Lane, call: int) -> Sequence[Epoch]:
    """Epochs of a lane that its call before this one had not reached."""
    before = misses.before_of(session.tree, session.tree.calls[call])
    return [epoch for epoch in lane.epochs if before is None or epoch.number > before.epoch]


def _left(lane: Lane, begun: Sequence[Epoch]) -> Mapping[str, int]:
    """Blocks that are out of view and were not before, by level."""
    found: Counter[str] = Counter()
    for epoch in begun:
        at = lane.epochs.index(epoch)
        hidden = _hidden(lane.epochs[at - 1].cut) if at else {}
        found.update(level for block, level in _hidden(epoch.cut).items() if at and block not in hidden)
    return found


def _hidden(cut: Cut | None) -> dict[str, str]:
    return {one.block: one.level for one in cut.decisions if one.outcome in _LEFT} if cut is not None else {}


def _is_too_often(lane: Lane, begun: Sequence[Epoch], before: Pulse | None) -> bool:
    last, at = before.at if before is not None else None, lane.pulse.at
    is_for_room = any(epoch.number > 0 and epoch.cause in _FOR_ROOM for epoch in begun)
    return is_for_room and last is not None and at is not None and alerts.is_too_soon(lane, last, at)


def _is_declined(before: Pulse | None, after: Pulse) -> bool:
    """A declined pass is remembered by the size from which it is planned again."""
    if before is None:
        return False
    pairs = ((before.declined_at, after.declined_at), (before.barred_at, after.barred_at))
    return any(now and now != then for then, now in pairs)
