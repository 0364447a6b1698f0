"""What makes a cut due: the budget, one result, counters and cost since the last cut, a phase's end, a cold cache (F-C1)."""

from collections.abc import Iterator

import msgspec

from pumice.compact.economics import FIRST_SIZE, LEAST_GROWTH, Pulse, growth_between_cuts, is_over_tier
from pumice.domain.book import Room
from pumice.domain.decision import Cause
from pumice.domain.policy import Budget, Policy, Triggers

SMALL_WINDOW = 50_000
"""Tokens of window below which a cut goes down to `to_under_50k`."""
LEAST_LEFT = 0.10
"""Share of the budget that stays, however much a session has grown from call to call."""
ECONOMICS = "economics"
"""The `min_gain` that leaves it to prices whether a cut is worth it."""


class Gauge(msgspec.Struct, frozen=True):
    """What has come together since the lane's last cut; what a view measures stands in `Room`."""

    turns: int = 0
    """Turns of a person."""
    tool_rounds: int = 0
    minutes: float = 0.0
    cost_usd: float = 0.0
    """What the session has cost since then."""
    largest: int = 0
    """Tokens of the largest result that stands whole in view."""
    is_cold: bool = False
    """The cache holds nothing of the view any more."""
    is_switched: bool = False
    """The lane opens with this call because the model is another."""
    phase: str = ""
    """Name of a phase that has ended; empty for none."""


class Due(msgspec.Struct, frozen=True):
    """A cut that should be planned now; unless necessary, it is done only if it is worth it."""

    cause: Cause
    necessary: bool
    why: str = ""
    """The trigger in words, for the record."""
    fits: bool = True
    """The view as it stands may be sent if the cut comes to nothing."""

    @property
    def may_wait(self) -> bool:
        """Whether a model's answers may be waited for: the budget's cuts are made at once."""
        return self.cause not in (Cause.BUDGET, Cause.FAULT)


def due(pulse: Pulse, room: Room, policy: Policy, gauge: Gauge) -> Due | None:
    """The cut to plan before this call, the most pressing first; None when nothing asks for one."""
    if not policy.order:
        return None
    return _full(pulse, room, policy) or (None if policy.every_call else _early(pulse, room, policy, gauge))


def _full(pulse: Pulse, room: Room, policy: Policy) -> Due | None:
    """A view that has reached its budget; one that could not be cut below it is cut again only when it has grown."""
    size, most = room.view + room.head, act_at(room, policy.budget)
    is_new = room.view >= max(LEAST_GROWTH * pulse.after, pulse.barred_at)
    if size > room.usable or (size > most and is_new):
        return Due(Cause.BUDGET, necessary=True, why=f"{size} tokens, over {most}", fits=size <= room.usable)
    return None


def _early(pulse: Pulse, room: Room, policy: Policy, gauge: Gauge) -> Due | None:
    if gauge.phase and policy.triggers.phase:
        return Due(Cause.PHASE, necessary=False, why=f"phase {gauge.phase} has ended")
    priced = policy.budget.min_gain == ECONOMICS
    size = max(pulse.after, FIRST_SIZE)
    if policy.cold is not None and gauge.is_cold and room.view > policy.cold.growth * size:
        return Due(Cause.COLD, necessary=False, why="the cache is cold")
    if gauge.is_switched and policy.triggers.model and not priced and room.view > goal(policy.budget, room):
        return Due(Cause.COLD, necessary=False, why="the model is another")
    why = next(_counted(policy, gauge), "") or _paying(size, room, priced=priced)
    if why and gauge.is_cold and not priced:
        return Due(Cause.COLD, necessary=False, why=why)
    return Due(Cause.ADVISABLE, necessary=False, why=why) if why and room.view >= pulse.declined_at else None


def _counted(policy: Policy, gauge: Gauge) -> Iterator[str]:
    """Limits of the policy's own that have been reached, in words."""
    over, limits = policy.offload.single_result_over, policy.triggers
    if over is not None and gauge.largest > over:
        yield f"a result of {gauge.largest} tokens, over {over}"
    if limits.turns is not None and gauge.turns >= limits.turns:
        yield f"{gauge.turns} turns since the last cut"
    if limits.tool_rounds is not None and gauge.tool_rounds >= limits.tool_rounds:
        yield f"{gauge.tool_rounds} tool rounds since the last cut"
    if limits.minutes is not None and gauge.minutes >= limits.minutes:
        yield f"{gauge.minutes:.0f} minutes since the last cut"
    if steps_of_cost(limits, gauge.cost_usd):
        yield f"${gauge.cost_usd:.2f} spent since the last cut"


def steps_of_cost(limits: Triggers, cost_usd: float) -> int:
    """How many times over a cost has reached the policy's limit; 0 without one."""
    return int(cost_usd / limits.cost_usd) if limits.cost_usd else 0


def _paying(size: int, room: Room, *, priced: bool) -> str:
    """Whether prices alone may make a cut worth planning: the view has grown enough, or has reached a dearer tier."""
    if priced and room.view >= size + growth_between_cuts(size, room):
        return "it may pay"
    return "its size is in a dearer price tier" if is_over_tier(room) else ""


def act_at(room: Room, budget: Budget) -> int:
    """Size of the complete request above which a cut is necessary; never more than is usable."""
    limits = (room.usable, round(budget.act * base_of(budget.of, room)), budget.act_at, budget.max_view)
    return min(limit for limit in limits if limit is not None)


def warn_at(room: Room, budget: Budget) -> int:
    """Size of the complete request from which the manifest warns."""
    return round(budget.warn * base_of(budget.of, room))


def base_of(of: str, room: Room) -> int:
    """What shares are of, in tokens."""
    if of == "input_limit":
        return room.usable if room.input_limit is None else room.input_limit
    return room.usable if of == "usable" else room.window


def goal(budget: Budget, room: Room, cause: Cause = Cause.BUDGET) -> int:
    """Tokens of messages a cut goes down to at most; one the budget does not ask for frees its share of the view as it is.

    One asked for by hand does not go below the last: asked for at every turn a view would shrink away.
    """
    limit, most = max(0, room.usable - room.head), act_at(room, budget)
    share = budget.to_under_50k if room.window < SMALL_WINDOW and budget.to_under_50k is not None else budget.to
    found = round(share * (limit if budget.of == "usable" else max(0, base_of(budget.of, room) - room.head)))
    if most < room.usable and found >= most - room.head:
        found = round(share * max(0, most - room.head))
    if budget.turns_ahead is not None:
        found = min(found, max(round(LEAST_LEFT * limit), limit - round(budget.turns_ahead * room.growth)))
    if cause is not Cause.BUDGET and budget.min_gain != ECONOMICS:
        found = min(found, round(share * room.view))
        found = max(found, room.reached) if cause is Cause.REQUESTED else found
    return max(0, min(found, limit))
