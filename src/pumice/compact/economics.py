"""When to cut: when the budget demands it, when the cache is cold anyway, or when it pays (frontier §5.2)."""

import math

import msgspec

from pumice.domain.book import Room
from pumice.domain.decision import Cause, Cut, Economics
from pumice.domain.policy import Policy

FIRST_SIZE = 14_000
"""What a view is taken to be worth cutting down to before anything is known, in tokens (frontier §5.2)."""
ASK_AGAIN = 4_000
"""Tokens a view has to grow before a cut that did not pay is planned again."""
LEAST_GROWTH = 1.1
"""A view that could not be cut below the trigger is cut again only when it has grown by a tenth, or must be."""
LEAST_LEFT = 0.05
"""Share of the budget that is taken to be left after any cut."""
LEAST_CALLS = 10
"""As many calls are expected ahead as lie behind, but at least this many."""


class Pulse(msgspec.Struct, frozen=True):
    """What a lane remembers between calls; sizes in calibrated tokens of messages."""

    after: int = 0
    """Size of the view right after the last cut; 0 before the first."""
    declined_at: int = 0
    """Size of the view when a planned cut last did not pay; 0 when none is remembered."""


class Due(msgspec.Struct, frozen=True):
    """A cut that should be planned now; unless necessary, it is done only if it `pays`."""

    cause: Cause
    necessary: bool


def due(pulse: Pulse, room: Room, policy: Policy, *, is_cold: bool) -> Due | None:
    """Whether to plan a cut before this call; `is_cold` says that the cache holds nothing of the view any more."""
    if not policy.order:
        return None
    size = room.view + room.head
    if size > room.usable or (size > act_at(room, policy) and room.view >= LEAST_GROWTH * pulse.after):
        return Due(Cause.BUDGET, necessary=True)
    if policy.every_call:
        return None
    base = max(pulse.after, FIRST_SIZE)
    if policy.cold is not None and is_cold and room.view > policy.cold.growth * base:
        return Due(Cause.COLD, necessary=False)
    has_grown = room.view >= base + growth_between_cuts(base, room)
    if policy.budget.min_gain == "economics" and has_grown and room.view >= pulse.declined_at:
        return Due(Cause.ADVISABLE, necessary=False)
    return None


def act_at(room: Room, policy: Policy) -> int:
    """Size of the complete request above which a cut is necessary; never more than is usable."""
    base = room.usable if policy.budget.of == "usable" else room.window
    return min(room.usable, round(policy.budget.act * base))


def growth_between_cuts(after: int, room: Room) -> float:
    """How far a view may grow before cutting it again costs least on average: sqrt(2·(w − r)/r · T·g)."""
    if room.read_price <= 0:
        return math.inf
    gain = max(0.0, room.fresh_price - room.read_price)
    return math.sqrt(2 * gain / room.read_price * after * max(room.growth, 1.0))


def scarcity(after: int, room: Room) -> float:
    """How much dearer than usual it is to keep a token in a view of `after` tokens, from 1 on.

    Where the budget will force the next cut before it would pay, each token kept brings that cut nearer: per call it
    costs (w − r)·g·U/(U − T)² + r/2, where an unforced one costs r + sqrt(r·(w − r)·g/2T).
    """
    limit = max(1, room.usable - room.head)
    gain, growth = max(0.0, room.fresh_price - room.read_price), max(room.growth, 1.0)
    usual = room.read_price + math.sqrt(room.read_price * gain * growth / (2 * max(1, after)))
    left = max(limit - after, limit * LEAST_LEFT)
    if left >= growth_between_cuts(after, room) or usual <= 0:
        return 1.0
    return max(1.0, (gain * growth * limit / left**2 + room.read_price / 2) / usual)


def pays(cut: Cut, room: Room) -> bool:
    """Whether a planned cut is worth its price; on a cold cache anything smaller is."""
    saved = room.view - cut.tokens
    if cut.cause is Cause.COLD:
        return saved > 0
    price = max(0.0, room.fresh_price - room.read_price) * cut.tokens
    ahead = max(LEAST_CALLS, room.calls)
    return saved >= growth_between_cuts(cut.tokens, room) and room.read_price * saved * ahead >= price


def done(cut: Cut) -> Pulse:
    """The pulse after a cut was committed."""
    return Pulse(after=cut.tokens)


def declined(pulse: Pulse, room: Room) -> Pulse:
    """The pulse after a planned cut did not pay: nothing is asked again before the view has grown."""
    return msgspec.structs.replace(pulse, declined_at=room.view + ASK_AGAIN)


def figures(after: int, room: Room) -> Economics:
    """What a cut to `after` tokens was decided by."""
    saved = room.read_price * (room.view - after)
    price = max(0.0, room.fresh_price - room.read_price) * after
    return Economics(
        before=room.view,
        after=after,
        growth=room.growth,
        calls=room.calls,
        fresh_price=room.fresh_price,
        read_price=room.read_price,
        break_even_calls=price / saved if saved > 0 else None,
    )
