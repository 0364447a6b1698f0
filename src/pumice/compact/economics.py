"""What a cut costs and saves at the model's prices (frontier §5.2, K-E4)."""

import math

import msgspec

from pumice.domain.book import Room, Tier
from pumice.domain.decision import Cause, Cut, Economics

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
LEAST_GAIN = 0.10
"""Share of its size a view must lose for a cut to be worth a new prefix where the policy leaves that to prices (F-C1)."""

FEW_CALLS = 3
"""As many calls a necessary cut must leave room for."""


class Pulse(msgspec.Struct, frozen=True):
    """What a lane remembers between calls; sizes in calibrated tokens of messages."""

    after: int = 0
    """Size of the view right after the last cut; 0 before the first."""
    target: int = 0
    """Size that cut was to come down to."""
    declined_at: int = 0
    """Size of the view from which a planned cut that did not pay is planned again; 0 when none is remembered."""
    preface: int = 0
    """Size of the preface of the last planned cut that did not pay; 0 when none is remembered."""
    barred_at: int = 0
    """The same for a cut at the policy's share of the budget that freed too little or could not be proven."""
    since: int = 0
    """Nodes of the branch the last cut covered: counters count what is newer."""
    at: float | None = None
    """When it was made, seconds; None before the first."""
    cost_usd: float = 0.0
    """What the session had cost then."""


def pulse_after(cut: Cut, at: float | None = None, cost_usd: float = 0.0) -> Pulse:
    """What a lane remembers of a cut that has been made: when, and what the session had cost then."""
    return Pulse(after=cut.tokens, target=cut.target, since=cut.until, at=at, cost_usd=cost_usd)


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


def is_over_tier(room: Room) -> bool:
    """Whether the request as it stands pays a dearer tier's prices for every one of its tokens."""
    return any(room.view + room.head > tier.above for tier in room.tiers)


def below_tier(room: Room) -> Room | None:
    """The room as if it ended at the lowest tier that has been reached; None for none, or where the head fills that.

    A cut planned in it goes as far below the tier as one goes below the budget: one that stops short of the tier by a call
    or two is paid for again at once.
    """
    limits = [tier.above for tier in room.tiers if room.view + room.head > tier.above >= room.head + FIRST_SIZE]
    if not limits:
        return None
    return msgspec.structs.replace(room, window=limits[0], usable=min(room.usable, limits[0]), input_limit=None)


def pays(cut: Cut, room: Room, min_gain: str | float) -> bool:
    """Whether a planned cut that need not be is worth it.

    It has to free `min_gain` of the view; where that is left to prices, enough for the growth between two cuts, and when
    the cache is cold anyway or a phase has ended, anything and a tenth. On a warm cache its rewrite has to come back in
    cached reads within the calls expected ahead (K-E4).
    """
    saved = room.view - cut.tokens
    if isinstance(min_gain, str):
        if cut.cause is Cause.COLD:
            return saved > 0
        if cut.cause is Cause.PHASE:
            return saved >= LEAST_GAIN * room.view
        return (saved >= growth_between_cuts(cut.tokens, room) or leaves_tier(cut.tokens, room)) and _comes_back(cut, room)
    is_free = cut.cause in (Cause.COLD, Cause.PHASE, Cause.REQUESTED, Cause.BUDGET)
    return saved > 0 and saved >= min_gain * room.view and (is_free or _comes_back(cut, room))


def is_scant(cut: Cut, room: Room, most: int) -> bool:
    """Whether a cut misses its target and leaves hardly any room below `most`, the complete request the next one is due at."""
    limit = most - room.head
    return cut.tokens > cut.target and limit - cut.tokens < max(LEAST_GAIN * limit, FEW_CALLS * room.growth)


def is_hopeless(kept: int, pulse: Pulse, room: Room) -> bool:
    """Whether a cut that leaves `kept` tokens at their places would not pay, judged by the last that was planned.

    A preface hardly ever gets smaller while a view grows; where it does, the cut comes a little later.
    """
    if not pulse.preface or is_over_tier(room):
        return False
    after = kept + pulse.preface
    return room.view - after < growth_between_cuts(after, room)


def leaves_tier(after: int, room: Room) -> bool:
    """Whether a view of `after` tokens pays the prices of a lower tier."""
    return prices_of(after, room) != prices_of(room.view, room)


def _comes_back(cut: Cut, room: Room) -> bool:
    figured = cut.economics or figures(cut.tokens, room)
    return figured.within(max(LEAST_CALLS, room.calls)) >= _rewrite(cut.tokens, room, figured.stays)


def prices_of(view: int, room: Room) -> Tier:
    """What fresh and cached input of a request with so big a view costs, relative to the model's input price."""
    reached = [tier for tier in room.tiers if view + room.head > tier.above]
    return reached[-1] if reached else Tier(0, room.fresh_price, room.read_price)


def saved_per_call(after: int, room: Room) -> float:
    """What each later call costs less in cached reads, in tokens of plain input."""
    now, then = prices_of(room.view, room), prices_of(after, room)
    if now == then:
        return now.read * (room.view - after)
    return now.read * (room.view + room.head) - then.read * (after + room.head)


def _lasts(after: int, room: Room) -> float | None:
    """Calls until a view cut to `after` tokens has grown out of the tier it has come down to; None where it leaves none."""
    limits = [tier.above for tier in room.tiers if tier.above >= after + room.head]
    return (limits[0] - room.head - after) / max(room.growth, 1.0) if limits and leaves_tier(after, room) else None


def _rewrite(after: int, room: Room, stays: int) -> float:
    """What writing the new prefix costs beyond reading it: all of the view but what it shares with the one before."""
    then = prices_of(after, room)
    return max(0.0, then.fresh - then.read) * (after - stays)


def declined(pulse: Pulse, room: Room, min_gain: str | float, cut: Cut | None = None) -> Pulse:
    """The pulse after a cut was not worth it: nothing is asked again before the view has grown. `cut` is what was planned."""
    grown = room.view + ASK_AGAIN if isinstance(min_gain, str) else math.ceil(LEAST_GROWTH * room.view)
    pulse = msgspec.structs.replace(pulse, declined_at=grown)
    return pulse if cut is None else remembered(pulse, cut)


def remembered(pulse: Pulse, cut: Cut) -> Pulse:
    """The pulse with what a planned cut that did not pay would have put in place of what it folds."""
    return msgspec.structs.replace(pulse, preface=sum(tokens for _, tokens, _ in cut.placed))


def barred(pulse: Pulse, room: Room) -> Pulse:
    """The pulse after a cut at the policy's share of the budget came to nothing while the view still fits."""
    return msgspec.structs.replace(pulse, barred_at=math.ceil(LEAST_GROWTH * room.view))


def figures(after: int, room: Room, stays: int = 0) -> Economics:
    """What a cut to `after` tokens was decided by; `stays` are its first tokens that the view before began with too."""
    figured = Economics(
        before=room.view,
        after=after,
        growth=room.growth,
        calls=room.calls,
        fresh_price=room.fresh_price,
        read_price=room.read_price,
        stays=stays,
        saved=saved_per_call(after, room),
        lasts=_lasts(after, room),
        later=prices_of(room.view, room).read * (room.view - after),
    )
    price = 0.0 if room.is_cold else _rewrite(after, room, stays)  # cold, all of either view would be written
    return msgspec.structs.replace(figured, break_even_calls=figured.calls_for(price))
