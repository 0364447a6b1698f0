"""When to cut (frontier §5.2)."""

import math

import pytest
from msgspec.structs import replace

from pumice.compact import economics
from pumice.compact.economics import Due, Pulse
from pumice.domain.book import Room
from pumice.domain.decision import Cause, Cut
from pumice.domain.policy import Budget
from pumice.faces import settings as presets

BALANCED = presets.policy("balanced")


def cut(tokens: int, cause: Cause = Cause.ADVISABLE) -> Cut:
    return Cut(cause, False, (), "", 0, tokens)


def test_a_view_over_usable_must_be_cut(room: Room) -> None:
    """The head counts: what has to fit is the complete request."""
    full = replace(room, view=50_000, head=101)
    assert economics.due(Pulse(), full, BALANCED, is_cold=False) == Due(Cause.BUDGET, necessary=True)


def test_the_growth_between_cuts_is_the_papers_square_root(room: Room) -> None:
    """For prices 1.25 and 0.1 it is sqrt(23 · T · g)."""
    assert economics.growth_between_cuts(20_000, room) == pytest.approx(math.sqrt(23 * 20_000 * 1_000))


def test_nothing_is_planned_before_a_view_has_grown_enough(room: Room) -> None:
    """Between cuts nothing is touched."""
    small = replace(room, view=30_000)
    assert economics.due(Pulse(), small, BALANCED, is_cold=False) is None
    grown = replace(room, view=14_000 + 17_944 + 1)
    assert economics.due(Pulse(), grown, BALANCED, is_cold=False) == Due(Cause.ADVISABLE, necessary=False)


def test_a_declined_plan_is_asked_again_four_thousand_tokens_later(room: Room) -> None:
    """The same input is not planned twice."""
    pulse = economics.declined(Pulse(), replace(room, view=40_000))
    assert economics.due(pulse, replace(room, view=43_999), BALANCED, is_cold=False) is None
    assert economics.due(pulse, replace(room, view=44_000), BALANCED, is_cold=False) is not None


def test_a_cold_cache_is_the_moment_to_cut(room: Room) -> None:
    """It costs no cache; but not below 1.3 times what the last cut left, and not where the policy has no part for it."""
    view = replace(room, view=27_000)
    assert economics.due(Pulse(after=20_000), view, BALANCED, is_cold=True) == Due(Cause.COLD, necessary=False)
    assert economics.due(Pulse(after=21_000), view, BALANCED, is_cold=True) is None
    assert economics.due(Pulse(after=20_000), view, replace(BALANCED, cold=None), is_cold=True) is None


def test_a_cut_that_saves_too_little_does_not_pay(room: Room) -> None:
    """This is the nothing-to-save answer."""
    assert economics.pays(cut(15_000), room)
    assert not economics.pays(cut(40_000), room)


def test_a_young_session_expects_few_calls(room: Room) -> None:
    """The price must come back within as many calls as lie behind."""
    costly = replace(room, view=60_000, growth=10.0, calls=3)
    assert not economics.pays(cut(40_000), costly)
    assert economics.pays(cut(40_000), replace(costly, calls=60))


def test_the_cheaper_cached_reads_are_the_rarer_a_cut_pays(room: Room) -> None:
    """Prices are inputs: the same plan pays at 0.1 and not at 0.025; where reads are free nothing ever does."""
    plan = cut(20_000)
    assert economics.pays(plan, room)
    assert not economics.pays(plan, replace(room, read_price=0.025))
    assert not economics.pays(plan, replace(room, read_price=0.0))


def test_on_a_cold_cache_any_saving_pays(room: Room) -> None:
    """Nothing is lost by a new prefix then."""
    assert economics.pays(cut(47_000, Cause.COLD), room)
    assert not economics.pays(cut(48_000, Cause.COLD), room)


def test_a_sliding_window_is_cut_only_when_it_is_full(room: Room) -> None:
    """`newest` moves for the budget and for nothing else."""
    sliding = presets.policy("newest")
    assert economics.due(Pulse(), room, sliding, is_cold=True) is None


def test_a_policy_without_levels_is_never_due(room: Room) -> None:
    """`none` sends the full history whatever its size."""
    assert economics.due(Pulse(), replace(room, view=10**6), presets.policy("none"), is_cold=True) is None


def test_an_earlier_trigger_may_be_set(room: Room) -> None:
    """`act` lowers the point of a necessary cut; one ratio on one base (G6)."""
    early = replace(BALANCED, budget=Budget(act=0.8, of="window"))
    assert economics.act_at(room, early) == 48_000
    assert economics.act_at(room, replace(BALANCED, budget=Budget(act=0.9, of="window"))) == 50_100


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


def test_a_view_that_stays_above_an_early_trigger_is_not_cut_at_every_call(room: Room) -> None:
    """What is whole in view may exceed a trigger below the budget; cutting it again and again would free nothing (B1)."""
    early = replace(BALANCED, budget=Budget(act=0.5))
    assert economics.due(Pulse(after=40_000), replace(room, view=41_000), early, is_cold=False) is None
    assert economics.due(Pulse(after=40_000), replace(room, view=44_000), early, is_cold=False) == Due(
        Cause.BUDGET, necessary=True
    )
    assert economics.due(Pulse(after=50_000), replace(room, view=50_200), early, is_cold=False) == Due(
        Cause.BUDGET, necessary=True
    )
