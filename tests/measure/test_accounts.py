"""The account of one call: money with the cache counted, for what was sent and for the client's own history."""

import msgspec
import pytest
from rows_of_calls import MODEL, entered, facts, usage

from pumice.domain.message import Usage
from pumice.measure import prices

PAID = prices.of(MODEL)
assert PAID is not None
READ, WRITE, INPUT, OUTPUT = PAID.read, PAID.write, PAID.input, PAID.output


def test_a_call_that_went_as_it_came_saves_and_loses_nothing() -> None:
    """Pass-through is no gain and no loss, whatever the provider's cache did."""
    rows = entered(
        [
            facts(1, full=30_000, sent=30_000, usage=usage(31_000, 0), is_own=True),
            facts(2, full=32_000, sent=32_000, usage=Usage(33_000, 200, 7_000, 20_000), is_own=True),
            facts(3, stage="passed", is_own=True, usage=usage(35_000, 33_000)),
        ]
    )
    assert [row.saved_usd for row in rows] == [0.0, 0.0, 0.0]
    assert (rows[1].read, rows[1].written, rows[1].fresh) == (7_000, 20_000, 6_000)
    assert (rows[2].full, rows[2].sent) == (35_000, 35_000)


def test_what_is_left_out_is_saved_at_the_price_of_a_cached_read() -> None:
    """The client's own prefix would have been read, its new part written; sizes follow the provider's count."""
    _, second = entered(
        [
            facts(1, full=40_000, sent=40_000, usage=usage(40_000, 0)),
            facts(2, full=42_000, sent=21_000, usage=usage(22_050, 20_000), predicted_read=19_000),
        ]
    )
    assert second.full == 44_100
    assert second.cost_usd == pytest.approx(20_000 * READ + 2_050 * WRITE + 300 * OUTPUT)
    assert second.full_cost_usd == pytest.approx(40_000 * READ + 4_100 * WRITE + 300 * OUTPUT)


def test_a_cache_that_died_is_dead_for_both() -> None:
    """After a pause longer than the cache lives, the client's own history would have been written anew too."""
    first = facts(1, full=40_000, sent=40_000, usage=usage(40_000, 0))
    late = facts(1, at=60.0 + 301, full=41_000, sent=20_000, usage=usage(20_000, 0))
    assert entered([first, late])[1].full_cost_usd == pytest.approx(41_000 * WRITE + 300 * OUTPUT)
    long = msgspec.structs.replace(late, is_long=True)
    assert entered([first, long])[1].full_cost_usd == pytest.approx(40_000 * READ + 1_000 * PAID.write_long + 300 * OUTPUT)


def test_a_client_that_goes_another_way_pays_for_it_itself() -> None:
    """After a compaction of its own the client's prefix is another: only the head, which was read, is taken as cached."""
    rows = entered(
        [
            facts(1, lane="l1", full=90_000, sent=30_000, usage=usage(30_000, 0)),
            facts(2, lane="l2", full=20_000, sent=15_000, usage=usage(15_000, 4_000)),
        ]
    )
    assert rows[1].full_cost_usd == pytest.approx(4_000 * READ + 16_000 * WRITE + 300 * OUTPUT)


def test_a_client_without_markers_has_no_cache_on_either_side() -> None:
    """Where a marked cache was never asked for, nothing is compared with one."""
    bare = Usage(20_000, 0)
    rows = entered([facts(1, full=40_000, sent=20_000, usage=bare), facts(2, full=41_000, sent=20_000, usage=bare)])
    assert rows[1].full_cost_usd == pytest.approx(41_000 * INPUT)


def test_a_cache_that_promises_nothing_serves_both_alike() -> None:
    """An automatic cache that held half of what it should is not taken to have held all of the client's history."""
    model = "gpt-4.1"
    paid = prices.of(model)
    assert paid is not None
    rows = entered(
        [
            facts(1, model=model, full=40_960, sent=40_960, usage=Usage(40_960)),
            facts(2, model=model, full=41_984, sent=20_480, usage=Usage(20_480, 0, 9_728), predicted_read=19_456),
        ]
    )
    assert rows[1].full_cost_usd == pytest.approx(20_480 * paid.read + 21_504 * paid.input)


def test_a_call_only_a_read_back_needed_is_all_loss() -> None:
    """The client would not have made it; the next call is compared with the client's last own one."""
    rows = entered(
        [
            facts(1, full=40_000, sent=20_000, usage=usage(20_000, 0)),
            facts(2, full=0, sent=20_500, usage=usage(20_500, 20_000), read_backs=1),
            facts(3, full=41_000, sent=21_000, usage=usage(21_000, 20_500), read_backs=1, read_back_tokens=400),
        ]
    )
    assert rows[1].full_cost_usd == 0
    assert rows[1].saved_usd == -(rows[1].cost_usd or 0)
    assert rows[1].read_back_usd == rows[1].cost_usd
    assert rows[2].full_cost_usd == pytest.approx(40_000 * READ + 1_000 * WRITE + 300 * OUTPUT)
    assert rows[2].read_back_usd == pytest.approx(400 * WRITE)


def test_what_nobody_counted_is_compared_with_nothing() -> None:
    """A request put together below the engine: what was paid stands there, what the client's own would have cost is unknown."""
    rows = entered(
        [
            facts(1, full=40_000, sent=20_000, usage=usage(20_000, 0)),
            facts(2, stage="last-good", usage=usage(20_500, 20_000)),
            facts(3, full=41_000, sent=21_000, usage=usage(21_000, 20_500)),
        ]
    )
    assert (rows[1].full, rows[1].sent, rows[1].full_cost_usd) == (None, 20_500, None)
    assert rows[1].cost_usd is not None
    assert rows[2].full_cost_usd == pytest.approx(40_000 * READ + 1_000 * WRITE + 300 * OUTPUT)


def test_unknown_prices_are_no_money_and_silence_is_foretold() -> None:
    """A model nobody knows costs null; without a report the counted sizes and the foretold cache stand."""
    unknown = entered([facts(1, model="house-model", full=900, sent=800, usage=Usage(850, 20))])[0]
    assert (unknown.cost_usd, unknown.full_cost_usd, unknown.saved_usd, unknown.sent) == (None, None, None, 850)
    silent = entered([facts(1, full=40_000, sent=20_000), facts(2, full=41_000, sent=21_000, predicted_read=20_000)])[1]
    assert (silent.is_reported, silent.read, silent.written, silent.output) == (False, 20_000, 1_000, None)
    assert silent.cost_usd == pytest.approx(20_000 * READ + 1_000 * WRITE)


def test_observed_calls_say_what_they_would_have_cost() -> None:
    """The client's own request is billed; beside it stands what the engine would have sent, scaled as the bill was."""
    seen = facts(2, stage="observed", full=42_000, sent=42_000, is_own=True, observed=21_000, observed_read=20_000)
    first = facts(1, stage="observed", full=40_000, sent=40_000, is_own=True)
    rows = entered([first, msgspec.structs.replace(seen, usage=usage(46_200, 40_000))])
    assert rows[1].saved_usd == 0
    assert rows[1].observed == 23_100
    assert rows[1].observed_usd == pytest.approx(22_000 * READ + 1_100 * WRITE + 300 * OUTPUT)
