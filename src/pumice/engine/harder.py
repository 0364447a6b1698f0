"""Harder policies: what a lane is managed by once its session has cost more than its policy allows (F-C1)."""

import msgspec

from pumice.compact import triggers
from pumice.domain.policy import Policy
from pumice.domain.policy.limits import CHEAPEST
from pumice.engine import journal
from pumice.engine.context import Context
from pumice.engine.journal import PolicyEvent
from pumice.engine.lane import Lane


def in_force(lane: Lane, context: Context) -> Policy:
    """The policy of the lane's epoch."""
    return _at(lane.harder, context)


def coming(lane: Lane, context: Context) -> Policy:
    """The policy its next epoch begins with."""
    return _at(lane.harder_next, context)


def switch(lane: Lane, context: Context, cost_usd: float) -> journal.PolicyEvent | None:
    """The event of the next step, where the session's cost has reached it; None while it has not."""
    limits = context.policy.triggers
    step = min(triggers.steps_of_cost(limits, cost_usd), _steps(context.policy))
    known = lane.harder_next
    if step <= (known.step if known is not None and known.base == context.policy.name else 0):
        return None
    reason = f"the session has cost ${cost_usd:.2f}, {limits.on_cost} from ${step * (limits.cost_usd or 0):.2f} on"
    return PolicyEvent(lane.name, context.policy.name, step, reason)


def _steps(policy: Policy) -> int:
    if policy.triggers.on_cost == "harder":
        return len(policy.triggers.degrade)
    return int(policy.triggers.on_cost == "cheapest" and policy.summarize.model is not None)


def _at(event: PolicyEvent | None, context: Context) -> Policy:
    """The session's own policy, or the step of it that an event names; what it may cost stays the session's own limit.

    A session opened with another policy begins anew.
    """
    policy = context.policy
    if event is None or event.base != policy.name or not 0 < event.step <= _steps(policy):
        return policy
    limits = policy.triggers
    if limits.on_cost == "harder":
        step = context.harder[event.step - 1]
        kept = msgspec.structs.replace(step.triggers, cost_usd=limits.cost_usd, on_cost=limits.on_cost, degrade=limits.degrade)
        return msgspec.structs.replace(step, triggers=kept)
    return msgspec.structs.replace(policy, summarize=msgspec.structs.replace(policy.summarize, model=CHEAPEST))
