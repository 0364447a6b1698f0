"""What a cut costs and saves (frontier §5.2, K-E4)."""

import math

import pytest
from msgspec.structs import replace

from pumice.compact import economics
from pumice.domain.book import Room, Tier
from pumice.domain.decision import Cause, Cut

PRICES = "economics"


def cut(tokens: int, cause: Cause = Cause.ADVISABLE) -> Cut:
    return Cut(cause, False, (), "", 0, tokens)


def test_the_growth_between_cuts_is_the_papers_square_root(room: Room) -> None:
    """For prices 1.25 and 0.1 it is sqrt(23 · T · g)."""
    assert economics.growth_between_cuts(20_000, room) == pytest.approx(math.sqrt(23 * 20_000 * 1_000))


def test_a_cut_that_saves_too_little_does_not_pay(room: Room) -> None:
    """This is the nothing-to-save answer."""
    assert economics.pays(cut(15_000), room, PRICES)
    assert not economics.pays(cut(40_000), room, PRICES)


def test_a_young_session_expects_few_calls(room: Room) -> None:
    """The price must come back within as many calls as lie behind."""
    costly = replace(room, view=60_000, growth=10.0, calls=3)
    assert not economics.pays(cut(40_000), costly, PRICES)
    assert economics.pays(cut(40_000), replace(costly, calls=60), PRICES)


def test_the_cheaper_cached_reads_are_the_rarer_a_cut_pays(room: Room) -> None:
    """Prices are inputs: the same plan pays at 0.1 and not at 0.025; where reads are free nothing ever does."""
    plan = cut(20_000)
    assert economics.pays(plan, room, PRICES)
    assert not economics.pays(plan, replace(room, read_price=0.025), PRICES)
    assert not economics.pays(plan, replace(room, read_price=0.0), PRICES)


def test_on_a_cold_cache_any_saving_pays(room: Room) -> None:
    """Nothing is lost by a new prefix then."""
    assert economics.pays(cut(47_000, Cause.COLD), room, PRICES)
    assert not economics.pays(cut(48_000, Cause.COLD), room, PRICES)


def test_the_example_of_the_contracts_breaks_even_after_180_calls() -> None:
    """20k cut out of 200k at 30k, cached reads at 0.05, writes at 1.25: 180,000 one-off against 1,000 a call (K-E4)."""
    room = Room(window=10**6, usable=10**6, head=0, factor=1.0, fresh_price=1.25, read_price=0.05, view=200_000)
    figured = economics.figures(180_000, room, stays=30_000)
    assert figured.break_even_calls == pytest.approx(180)
    tenth = replace(room, read_price=0.1)
    assert economics.figures(180_000, tenth, stays=30_000).break_even_calls == pytest.approx(86.25)


@pytest.mark.parametrize(("calls", "pays"), [(179, False), (180, True)])
def test_with_a_gain_in_numbers_a_warm_cut_must_still_come_back(calls: int, pays: bool) -> None:
    """An advisable pass waits until its rewrite comes back within the calls expected ahead, whatever the policy."""
    room = Room(window=10**6, usable=10**6, head=0, factor=1.0, read_price=0.05, view=200_000, calls=calls)
    plan = replace(cut(180_000), economics=economics.figures(180_000, room, stays=30_000))
    assert economics.pays(plan, room, 0.1) is pays
    assert economics.pays(replace(plan, cause=Cause.COLD), room, 0.1)


def test_a_cut_that_frees_less_than_the_policy_asks_is_not_worth_it(room: Room) -> None:
    """Not even on a cold cache: `min_gain` is a share of the view."""
    for cause in (Cause.COLD, Cause.PHASE, Cause.BUDGET):
        assert not economics.pays(cut(44_000, cause), room, 0.10)
        assert economics.pays(cut(43_000, cause), room, 0.10)


def test_leaving_a_dearer_tier_pays_at_once() -> None:
    """Above the limit every token of the request costs five times as much; just below it, nothing is wrong."""
    dear = Tier(100_000, 6.25, 0.5)
    room = Room(window=10**6, usable=900_000, head=1_000, factor=1.0, tiers=(dear,), view=101_000, growth=100.0, calls=12)
    assert economics.is_over_tier(room)
    assert economics.pays(cut(95_000), room, PRICES)
    assert economics.figures(95_000, room).break_even_calls == pytest.approx(1.15 * 95_000 / (0.5 * 102_000 - 0.1 * 96_000))
    cheap = replace(room, view=98_000)
    assert not economics.is_over_tier(cheap)
    assert not economics.pays(cut(92_000), cheap, PRICES)


def test_a_tiers_saving_counts_for_the_calls_until_the_view_is_back_in_it() -> None:
    """Two calls below the limit do not pay for a prefix written anew; after them only what was taken out saves."""
    dear = Tier(100_000, 6.25, 0.5)
    room = Room(window=10**6, usable=900_000, head=1_000, factor=1.0, tiers=(dear,), view=101_000, growth=3_000.0, calls=50)
    scant, deep = economics.figures(93_000, room), economics.figures(60_000, room)
    assert (scant.lasts, deep.lasts) == (2.0, 13.0)
    assert scant.within(12) == pytest.approx(2 * (0.5 * 102_000 - 0.1 * 94_000) + 10 * 0.5 * 8_000)
    assert scant.break_even_calls is not None
    assert scant.break_even_calls > scant.lasts
    assert scant.within(scant.break_even_calls) == pytest.approx(1.15 * 93_000)
    assert deep.break_even_calls == pytest.approx(1.15 * 60_000 / (0.5 * 102_000 - 0.1 * 61_000))
    young = replace(room, calls=5)
    assert economics.pays(cut(60_000), young, PRICES)
    assert not economics.pays(cut(98_500), young, PRICES)


def test_a_tier_is_planned_for_as_if_the_window_ended_there(room: Room) -> None:
    """Only one that the request has reached, and that the head leaves something of."""
    tiers = (Tier(40_000, 2.5, 0.2), Tier(200_000, 5.0, 0.4))
    below = economics.below_tier(replace(room, tiers=tiers))
    assert below is not None
    assert (below.usable, below.window) == (40_000, 40_000)
    assert economics.below_tier(replace(room, tiers=tiers[1:])) is None
    assert economics.below_tier(replace(room, tiers=tiers, head=39_000)) is None


def test_on_a_cold_cache_a_cut_has_paid_for_itself_at_once(room: Room) -> None:
    """All of the next request is written whatever it is; a cut that saves nothing never pays all the same."""
    cold = replace(room, is_cold=True)
    assert economics.figures(20_000, cold).break_even_calls == 0
    assert economics.figures(50_000, cold).break_even_calls is None


def test_the_break_even_is_on_record(room: Room) -> None:
    """Calls after which the cut has paid for itself; None when it never does."""
    assert economics.figures(20_000, room).break_even_calls == pytest.approx(1.15 * 20_000 / (0.1 * 28_000))
    assert economics.figures(50_000, room).break_even_calls is None


def test_where_the_budget_forces_the_next_cut_a_token_is_dearer(room: Room) -> None:
    """Lines are priced by what keeping them costs: the nearer the next forced cut, the more; never less than usual."""
    roomy = replace(room, window=200_000, usable=167_000)
    assert economics.scarcity(20_000, roomy) == 1.0
    tight = [economics.scarcity(after, room) for after in (20_000, 40_000, 46_000)]
    assert tight == sorted(tight)
    assert tight[-1] > 2
    assert economics.scarcity(40_000, replace(room, growth=3_000.0)) > tight[1]
