"""One call's account from what is known of it: money counted with the cache, for what was sent and for what would have been."""

from typing import NamedTuple

from pumice.domain.account import Account, Facts
from pumice.measure import cost, models, prices
from pumice.measure.cache import Hit
from pumice.measure.prices import Prices


class _Sizes(NamedTuple):
    """Input of a call, the provider's figures before ours."""

    sent: int | None
    full: int | None
    hit: Hit | None
    scale: float = 1.0
    """Reported over counted tokens."""


def account(facts: Facts, before: Account | None = None, *, asked_usd: float = 0.0) -> Account:
    """The account of a call; `before` is the agent's newest account with a request of the client's own.

    The client's own history is taken to be cached as providers do it: what it shares with its request before is read, the
    rest is written, unless it lay idle longer than the cache lives. Sizes follow the provider's where it reports one.
    `asked_usd` is what pumice asked models for since the account before.
    """
    paid = prices.of(facts.model)
    sizes = _sizes(facts, before)
    is_own = facts.is_own and (before is None or before.is_own)
    output = facts.usage.output if facts.usage is not None else None
    spent = _usd(sizes.hit, paid, facts, output)
    cost_usd = None if spent is None else spent + asked_usd
    observed = None if facts.observed is None else round(facts.observed * sizes.scale)
    return Account(
        key=facts.key,
        at=facts.at,
        model=facts.model,
        dialect=facts.dialect,
        policy=facts.policy,
        agent=facts.agent,
        stage=facts.stage,
        lane=facts.lane,
        epoch=facts.epoch,
        full=sizes.full,
        sent=sizes.sent,
        read=None if sizes.hit is None else sizes.hit.read,
        written=None if sizes.hit is None else sizes.hit.written,
        fresh=None if sizes.hit is None else sizes.hit.plain,
        output=output,
        is_reported=facts.usage is not None,
        is_own=is_own,
        read_backs=facts.read_backs,
        cost_usd=cost_usd,
        full_cost_usd=spent if is_own else _full_usd(facts, sizes, before, paid, spent),
        read_back_usd=_read_back_usd(facts, paid, spent),
        asked_usd=asked_usd,
        observed=observed,
        observed_usd=_observed_usd(facts, observed, sizes.scale, before, paid),
    )


def _sizes(facts: Facts, before: Account | None) -> _Sizes:
    usage = facts.usage
    if usage is None:
        is_as_full = facts.is_own and facts.full is not None
        hit = _full_hit(facts, facts.full or 0, before) if is_as_full else None
        return _Sizes(facts.sent, facts.full, hit or _foretold(facts.sent, facts.predicted_read, facts, before))
    # An automatic cache writes whatever it did not read, also where the provider does not say so.
    written = usage.cache_write if _is_marked(facts) else usage.input - usage.cache_read
    hit = Hit(usage.cache_read, max(0, written), max(0, usage.input - usage.cache_read - max(0, written)))
    scale = usage.input / facts.sent if facts.sent else 1.0
    own = usage.input if facts.is_own else None
    return _Sizes(usage.input, own if facts.full is None else round(facts.full * scale), hit, scale)


def _foretold(size: int | None, read: int, facts: Facts, before: Account | None) -> Hit | None:
    """What a request that nobody reported on should have hit."""
    if size is None:
        return None
    found = 0 if _is_cold(facts, before) else _cacheable(min(read, size), facts)
    return Hit(found, size - found)


def _full_usd(facts: Facts, sizes: _Sizes, before: Account | None, paid: Prices | None, spent: float | None) -> float | None:
    """What the client's own request would have cost at this place."""
    if facts.full == 0:
        return None if paid is None else 0.0
    if sizes.full is None or paid is None:
        return None
    output = facts.usage.output if facts.usage is not None else None
    if facts.usage is not None and facts.usage.is_sum and facts.sent and spent is not None:
        # The bill of several requests behind one answer: each of them would have been so much longer.
        said = (output or 0) * paid.at(facts.usage.input).output
        return said + (spent - said) * (facts.full or 0) / facts.sent
    return _usd(_full_hit(facts, sizes.full, before), paid, facts, output)


def _full_hit(facts: Facts, full: int, before: Account | None) -> Hit:
    usage = facts.usage
    if usage is not None and _is_marked(facts) and not usage.cache_read and not usage.cache_write:
        return Hit(0, 0, full)  # a client that marks nothing has no cache, with its own history either
    shared = _shared(facts, full, before)
    read = _cacheable(round(shared * _served(facts)), facts)
    return Hit(read, full - read)


def _shared(facts: Facts, full: int, before: Account | None) -> int:
    """What of the client's own request its request before had too, and the provider still holds."""
    if before is None or _is_cold(facts, before):
        return 0
    if before.lane and facts.lane and before.lane != facts.lane:
        # The client itself went another way: what the provider still read of ours it would have read of its own.
        return min(facts.usage.cache_read if facts.usage is not None else 0, full)
    return min(before.full or 0, full)


def _served(facts: Facts) -> float:
    """How well a cache without markers did what it should: it promises nothing, and would have served any history alike."""
    usage, foretold = facts.usage, facts.predicted_read
    if usage is None or _is_marked(facts) or usage.is_sum or not facts.sent or foretold * 2 < facts.sent:
        return 1.0
    return min(1.0, usage.cache_read / foretold)


def _read_back_usd(facts: Facts, paid: Prices | None, spent: float | None) -> float | None:
    """All of a call that would not have been made, else what its results cost as new input."""
    if paid is None or spent is None:
        return None
    if facts.full == 0:
        return spent
    return facts.read_back_tokens * paid.at(facts.sent or 0).write


def _observed_usd(facts: Facts, size: int | None, scale: float, before: Account | None, paid: Prices | None) -> float | None:
    output = facts.usage.output if facts.usage is not None else None
    return _usd(_foretold(size, round(facts.observed_read * scale), facts, before), paid, facts, output)


def _usd(hit: Hit | None, paid: Prices | None, facts: Facts, output: int | None) -> float | None:
    if hit is None or paid is None:
        return None
    return cost.of_call(hit, paid, output=output or 0, long=facts.is_long).total


def _is_cold(facts: Facts, before: Account | None) -> bool:
    """Whether the cache has died since the call before; it holds nothing before the first."""
    rules = models.facts(facts.model).cache
    return before is None or facts.at - before.at > (rules.ttl_long if facts.is_long else rules.ttl)


def _cacheable(tokens: int, facts: Facts) -> int:
    rules = models.facts(facts.model).cache
    return tokens // rules.step * rules.step if tokens >= rules.min_tokens else 0


def _is_marked(facts: Facts) -> bool:
    return models.facts(facts.model).cache.marked
