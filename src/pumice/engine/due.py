"""Whether a cut is due: what has come together in the lane, measured against the policy's triggers."""

import msgspec

from pumice.compact import cuts, triggers
from pumice.compact.economics import LEAST_GROWTH
from pumice.compact.triggers import Due, Gauge
from pumice.domain import marks
from pumice.domain.block import Block, Kind
from pumice.domain.book import Room
from pumice.domain.decision import Cause, Cut
from pumice.domain.group import Group
from pumice.domain.policy import Policy
from pumice.engine import harder
from pumice.engine.case import Case
from pumice.measure import models


def due(case: Case, room: Room) -> Due | None:
    """The cut to plan before this call; None when none is due."""
    if case.asked is not None:
        is_done = _is_small(case, room) or _is_as_asked(case, room)
        return None if is_done else Due(Cause.REQUESTED, necessary=True, why=case.asked.reason, fits=False)
    if is_handed_over(case) and case.lane.epoch.number == 0 and room.view + room.head <= room.usable:
        return Due(Cause.CLIENT_COMPACT, necessary=False)
    left = msgspec.structs.replace(room, usable=room.usable - case.lane.unexplained())
    policy = harder.in_force(case.lane, case.session.context)
    found = triggers.due(case.lane.pulse, left, policy, gauge(case, policy))
    is_new = found is not None and (found.necessary or found.cause is Cause.PHASE)
    return found if is_new or not case.lane.is_repeated() else None


def is_handed_over(case: Case) -> bool:
    """Whether the client has replaced its history by words of its own; what we handed it ourselves holds ours already."""
    branch = case.lane.branch
    first = (block for node in branch.nodes[branch.lead : branch.lead + 1] for block in node.blocks)
    is_ours = any(block.text.startswith(f"{marks.OPEN}{marks.COMPACTION}>") for block in first)
    is_ours = is_ours or any(form.level == marks.SEALED for form in branch.forms.values())
    return case.lane.cause is Cause.CLIENT_COMPACT and not is_ours


def _is_small(case: Case, room: Room) -> bool:
    """Whether the request is within the size that was asked for."""
    target = case.asked.target if case.asked else None
    return target is not None and room.view + room.head <= min(target, room.usable)


def _is_as_asked(case: Case, room: Room) -> bool:
    """Whether the last cut was planned from the same things, or hardly more: a share of what it left would be less and less."""
    lane, asked = case.lane, case.asked
    if asked is None or asked.target is not None or case.is_rebuilt or asked.focus not in ("", lane.focus):
        return False
    if lane.cut is None or lane.breaker.opened_at is not None or isinstance(case.policy.budget.min_gain, str):
        return False
    return room.view + room.head <= room.usable and _is_hardly_more(case, lane.cut, room.view)


def _is_hardly_more(case: Case, cut: Cut, view: int) -> bool:
    """Whether nothing but a little has come since a cut: no pin and no answer it had asked for."""
    lane, tree = case.lane, case.session.tree
    is_little = lane.pulse.since == len(lane.branch.nodes) or view < LEAST_GROWTH * lane.pulse.after
    return is_little and lane.pins_version == tree.pins_version and not any(ask.key in tree.answers for ask in cut.asks)


def gauge(case: Case, policy: Policy) -> Gauge:
    """What the triggers of a policy are held against; what none of them asks for is not measured."""
    lane, pulse, limits = case.lane, case.lane.pulse, policy.triggers
    newer = newer_groups(case) if limits.turns is not None or limits.tool_rounds is not None else ()
    begun = pulse.at if pulse.at is not None else lane.opened_at
    return Gauge(
        turns=sum(map(cuts.begins_turn, newer)),
        tool_rounds=sum(any(block.kind is Kind.RESULT for block in group.blocks) for group in newer),
        minutes=0.0 if begun is None else (case.at - begun) / 60,
        cost_usd=case.session.tree.spent.usd - pulse.cost_usd,
        largest=_largest(case) if policy.offload.single_result_over is not None else 0,
        is_cold=is_cold(case, policy),
        is_switched=case.is_cold and lane.cause is Cause.MODEL,
        phase=lane.ended,
    )


def newer_groups(case: Case) -> tuple[Group, ...]:
    """Groups that came after the lane's last cut."""
    groups, at = case.lane.branch.groups, len(case.lane.branch.groups)
    while at > 0 and groups[at - 1].nodes[0].index >= case.lane.pulse.since:
        at -= 1
    return groups[at:]


def _largest(case: Case) -> int:
    """Tokens of the largest result that stands in its own bytes and may be shown in another form."""
    lane = case.lane
    blocks = (block for group in lane.branch.groups for block in group.blocks if _is_movable(block))
    sizes = lane.branch.sizes
    whole = (sizes[block.id].tokens(lane.calibration.factor) for block in blocks if lane.shown.stands(block.id))
    return max(whole, default=0)


def _is_movable(block: Block) -> bool:
    return block.kind is Kind.RESULT and not block.media and marks.is_plain(block.text)


def is_cold(case: Case, policy: Policy) -> bool:
    """Whether the cache holds nothing of the view: it never did, or no longer does."""
    return case.is_cold or is_idle(case, policy)


def is_idle(case: Case, policy: Policy) -> bool:
    """Whether the provider's cache entry has run out since the lane's last call."""
    last, cold = case.lane.last_at, policy.cold
    return last is not None and case.at - last > ttl(case.lane.model, cold.ttl if cold is not None else "provider")


def ttl(model: str, set_value: str | int) -> float:
    """Seconds a cache entry of a model lives after its last use."""
    return models.facts(model).cache.ttl if set_value == "provider" else float(set_value)
