"""Costs add up, by kind of token and by partition, and resending grows as it must."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pumice.measure import cost, prices
from pumice.measure.cache import Hit
from pumice.measure.cost import Part
from pumice.measure.prices import Prices


def priced(model: str) -> Prices:
    known = prices.of(model)
    assert known is not None
    return known


OPUS = priced("claude-opus-4-5")
counts = st.integers(0, 300_000)


def test_a_call_costs_each_token_at_its_own_price() -> None:
    """A million plain, read, written and output tokens cost what the price list says for each."""
    found = cost.of_call(Hit(1_000_000, 1_000_000, 1_000_000), OPUS, output=1_000_000)
    assert (found.plain, found.read, found.written, found.output) == pytest.approx((5, 0.5, 6.25, 25))
    assert found.total == pytest.approx(36.75)
    assert cost.of_call(Hit(0, 1_000_000), OPUS, long=True).written == pytest.approx(10)


def test_a_session_costs_the_sum_of_its_calls() -> None:
    """Nothing is lost or counted twice between calls."""
    one = cost.of_call(Hit(10, 20, 30), OPUS, output=40)
    assert cost.of_session([one, one, one]).total == pytest.approx(3 * one.total)
    assert cost.of_session([]).total == 0


def test_one_token_above_a_tier_makes_the_whole_request_dearer() -> None:
    """A compaction that stays under the tier saves on every token, so the tier must show."""
    sol = priced("gpt-5.6-sol")
    below, above = cost.of_call(Hit(0, 0, 272_000), sol), cost.of_call(Hit(0, 0, 272_001), sol)
    assert above.total > 1.99 * below.total


@given(st.lists(st.tuples(st.sampled_from(["system", "tools", "history"]), counts), max_size=8), counts, counts)
def test_partitions_share_the_whole_cost(parts: list[tuple[str, int]], read: int, written: int) -> None:
    """What the partitions cost adds up to what the call costs."""
    total = sum(tokens for _, tokens in parts)
    read = min(read, total)
    written = min(written, total - read)
    hit = Hit(read, written, total - read - written)
    split = cost.by_partition([Part(name, tokens) for name, tokens in parts], hit, OPUS)
    assert sum(split.values()) == pytest.approx(cost.of_call(hit, OPUS).input)


def test_what_stands_first_is_what_the_cache_reads() -> None:
    """A cached head is cheap and a fresh tail is dear, each on its own partition's account."""
    split = cost.by_partition([Part("system", 1_000_000), Part("history", 1_000_000)], Hit(1_000_000, 1_000_000), OPUS)
    assert split == pytest.approx({"system": 0.5, "history": 6.25})


def test_resent_history_grows_with_the_square_of_the_calls() -> None:
    """Ten times the calls send a hundred times the tokens; the cache lowers the price, not the order (F-A3)."""
    short, long = (cost.curve([1_000 * (call + 1) for call in range(calls)], OPUS) for calls in (100, 1_000))
    assert long[-1].sent / short[-1].sent == pytest.approx(100, rel=0.02)
    assert long[-1].cached / short[-1].cached > 50
    assert all(point.cached <= 1.25 * point.uncached for point in long)


def test_a_request_that_shrank_is_paid_anew() -> None:
    """After a cut nothing is known to be shared, so the curve shows the rewrite."""
    points = cost.curve([100_000, 20_000], OPUS)
    assert points[1].cached - points[0].cached == pytest.approx(20_000 * OPUS.write)
