"""What makes a cut due (F-C1, frontier §5.2)."""

from typing import Any

import pytest
from msgspec.structs import replace

from pumice.compact import economics, triggers
from pumice.compact.economics import Pulse
from pumice.compact.triggers import Due, Gauge
from pumice.domain.book import Room, Tier
from pumice.domain.decision import Cause
from pumice.domain.policy import Budget, Cold, Offload, Policy, Triggers
from pumice.faces import settings as presets

BALANCED = presets.policy("balanced")
COLD = Gauge(is_cold=True)
WARM = Gauge()


def due(pulse: Pulse, room: Room, policy: Policy = BALANCED, gauge: Gauge = WARM) -> tuple[Cause, bool] | None:
    found = triggers.due(pulse, room, policy, gauge)
    return (found.cause, found.necessary) if found else None


def small(**parts: Any) -> Policy:
    """A policy that names levels, far from its budget unless a part says otherwise."""
    return Policy("small", order=("offload",), **parts)


MUST = (Cause.BUDGET, True)
MAY = (Cause.ADVISABLE, False)
FREE = (Cause.COLD, False)


def test_a_view_over_usable_must_be_cut(room: Room) -> None:
    """The head counts: what has to fit is the complete request."""
    found = triggers.due(Pulse(), replace(room, view=50_000, head=101), BALANCED, WARM)
    assert found == Due(Cause.BUDGET, necessary=True, why="50101 tokens, over 50100", fits=False)


def test_nothing_is_planned_before_a_view_has_grown_enough(room: Room) -> None:
    """Between cuts nothing is touched."""
    assert due(Pulse(), replace(room, view=30_000)) is None
    assert due(Pulse(), replace(room, view=14_000 + 17_944 + 1)) == MAY


def test_a_declined_plan_is_asked_again_four_thousand_tokens_later(room: Room) -> None:
    """The same input is not planned twice."""
    pulse = economics.declined(Pulse(), replace(room, view=40_000), "economics")
    assert due(pulse, replace(room, view=43_999)) is None
    assert due(pulse, replace(room, view=44_000)) == MAY


def test_a_cold_cache_is_the_moment_to_cut(room: Room) -> None:
    """It costs no cache; but not below 1.3 times what the last cut left, and not where the policy has no part for it."""
    view = replace(room, view=27_000)
    assert due(Pulse(after=20_000), view, gauge=COLD) == FREE
    assert due(Pulse(after=21_000), view, gauge=COLD) is None
    assert due(Pulse(after=20_000), view, replace(BALANCED, cold=None), COLD) is None


def test_a_sliding_window_is_cut_only_when_it_is_full(room: Room) -> None:
    """`newest` moves for the budget and for nothing else."""
    assert due(Pulse(), room, presets.policy("newest"), COLD) is None


def test_a_policy_without_levels_is_never_due(room: Room) -> None:
    """`none` sends the full history whatever its size."""
    assert due(Pulse(), replace(room, view=10**6), presets.policy("none"), COLD) is None


@pytest.mark.parametrize(
    ("budget", "limit"),
    [
        (Budget(act=0.8), 40_080),
        (Budget(act=0.8, of="window"), 48_000),
        (Budget(act=0.9, of="window"), 50_100),
        (Budget(act=0.8, of="input_limit"), 32_000),
        (Budget(act=0.8, act_at=30_000), 30_000),
        (Budget(act=0.8, act_at=45_000), 40_080),
        (Budget(act=0.9, max_view=25_000), 25_000),
    ],
)
def test_the_share_is_a_number_of_tokens(room: Room, budget: Budget, limit: int) -> None:
    """Share of what, a size of its own and a cap: the lowest holds, and never more than is usable (G6)."""
    room = replace(room, input_limit=40_000, head=1_000)
    assert triggers.act_at(room, budget) == limit
    at = replace(room, view=limit - 1_000)
    assert due(Pulse(), at, small(budget=budget)) is None
    assert due(Pulse(), replace(at, view=at.view + 1), small(budget=budget)) == MUST


def test_a_cut_goes_down_to_its_share_and_below_what_triggers_it(room: Room) -> None:
    """`to` is a share of usable; where that is no less than the trigger, of the trigger; or so many calls of growth."""
    room = replace(room, head=100)
    assert triggers.goal(Budget(to=0.4), room) == 20_000
    assert triggers.goal(Budget(to=0.4, act_at=30_000), room) == 20_000
    assert triggers.goal(Budget(to=0.4, act_at=20_100), room) == 8_000
    assert triggers.goal(Budget(to=0.7, max_view=30_100), room) == 21_000
    assert triggers.goal(Budget(to=0.7, turns_ahead=30), room) == 20_000
    assert triggers.goal(Budget(to=0.7, turns_ahead=300), room) == 5_000
    assert triggers.goal(Budget(to=0.4, of="window"), room) == 23_960
    assert triggers.goal(Budget(to=0.7, to_under_50k=0.6), replace(room, window=30_000, usable=25_100)) == 15_000


def test_a_cut_that_no_budget_asks_for_frees_its_share_of_the_view(room: Room) -> None:
    """A small view would lie below any share of a large window; one left to prices keeps its own target."""
    tiny = replace(room, view=5_000)
    assert triggers.goal(Budget(to=0.4), tiny, Cause.ADVISABLE) == 2_000
    assert triggers.goal(Budget(to=0.4), tiny, Cause.REQUESTED) == 2_000
    assert triggers.goal(BALANCED.budget, tiny, Cause.ADVISABLE) == 35_070


def test_a_single_large_result_makes_a_cut_due_whatever_the_budget(room: Room) -> None:
    """50k in a window of a million is 5% of it, and dear at every call (one result over N)."""
    policy, wide = small(offload=Offload(single_result_over=20_000)), replace(room, window=10**6, usable=900_000)
    assert due(Pulse(), wide, policy, Gauge(largest=20_000)) is None
    assert due(Pulse(), wide, policy, Gauge(largest=50_000)) == MAY


def test_many_tiny_turns_make_a_cut_due(room: Room) -> None:
    """Turns of a few words never fill a window; they are counted, as tool rounds and minutes are, each on its own."""
    tiny = replace(room, view=3_000)
    for limits, under, over in (
        (Triggers(turns=40), Gauge(turns=39), Gauge(turns=40)),
        (Triggers(tool_rounds=10), Gauge(tool_rounds=9), Gauge(tool_rounds=10)),
        (Triggers(minutes=60), Gauge(minutes=59.9), Gauge(minutes=60.0)),
    ):
        assert due(Pulse(), tiny, small(triggers=limits), under) is None
        assert due(Pulse(), tiny, small(triggers=limits), over) == MAY


def test_a_cheap_window_at_a_high_cost_makes_a_cut_due(room: Room) -> None:
    """A window that never fills may still be sent a thousand times: what was spent since the last cut counts."""
    policy = small(triggers=Triggers(cost_usd=2.0))
    assert due(Pulse(), room, replace(policy, budget=Budget(act=1.0)), Gauge(cost_usd=1.99)) is None
    assert due(Pulse(), room, replace(policy, budget=Budget(act=1.0)), Gauge(cost_usd=2.01)) == MAY


def test_a_reached_counter_that_did_not_pay_waits_for_growth_or_a_cold_cache(room: Room) -> None:
    """It is not planned again at every call, but at once where it costs no cache."""
    policy, over = small(triggers=Triggers(turns=5)), Gauge(turns=6)
    tiny = replace(room, view=10_000)
    pulse = economics.declined(Pulse(), tiny, 0.1)
    assert due(pulse, replace(tiny, view=10_999), policy, over) is None
    assert due(pulse, replace(tiny, view=11_001), policy, over) == MAY
    assert due(pulse, tiny, policy, replace(over, is_cold=True)) == FREE


def test_a_model_switch_is_a_good_moment(room: Room) -> None:
    """Its cache holds nothing of the view; below the target there is nothing to win, and a policy may say no."""
    switched, policy = Gauge(is_cold=True, is_switched=True), small(budget=Budget(act=1.0, to=0.4))
    assert due(Pulse(), replace(room, view=21_000), policy, switched) == FREE
    assert due(Pulse(), replace(room, view=20_000), policy, switched) is None
    assert due(Pulse(), replace(room, view=21_000), replace(policy, triggers=Triggers(model=False)), switched) is None


def test_the_end_of_a_phase_is_a_good_moment(room: Room) -> None:
    """For every policy, unless it says no."""
    tiny, ended = replace(room, view=3_000), Gauge(phase="design")
    assert due(Pulse(), tiny, gauge=ended) == (Cause.PHASE, False)
    assert due(Pulse(), tiny, small(triggers=Triggers(phase=False)), ended) is None


def test_an_idle_lane_with_a_gain_in_numbers_is_cut_too(room: Room) -> None:
    """`cold` is a part like any other."""
    assert due(Pulse(), replace(room, view=20_000), small(cold=Cold()), COLD) == FREE
    assert due(Pulse(), replace(room, view=18_000), small(cold=Cold()), COLD) is None


def test_a_dearer_price_tier_is_asked_about_at_once(room: Room) -> None:
    """It multiplies the whole request (K-E4); what has been declined waits for growth as usual."""
    wide = replace(room, window=10**6, usable=900_000, view=101_000, growth=10**6, tiers=(Tier(100_000, 6.25, 0.5),))
    assert due(Pulse(after=90_000), wide) == MAY
    assert due(Pulse(after=90_000), wide, small()) == MAY
    assert due(Pulse(after=90_000), replace(wide, view=99_000)) is None
    assert due(Pulse(after=90_000, declined_at=105_000), wide) is None


def test_a_view_that_stays_above_an_early_trigger_is_not_cut_at_every_call(room: Room) -> None:
    """What is whole in view may exceed a trigger below the budget; cutting it again and again would free nothing (B1)."""
    early = replace(BALANCED, budget=Budget(act=0.5))
    assert due(Pulse(after=40_000), replace(room, view=41_000), early) is None
    assert due(Pulse(after=40_000), replace(room, view=44_000), early) == MUST
    assert due(Pulse(after=50_000), replace(room, view=50_200), early) == MUST


def test_an_early_cut_that_came_to_nothing_is_barred_until_the_view_has_grown(room: Room) -> None:
    """Unless it must be made."""
    early = small(budget=Budget(act=0.5))
    pulse = economics.barred(Pulse(), replace(room, view=30_000))
    assert due(pulse, replace(room, view=32_999), early) is None
    assert due(pulse, replace(room, view=33_001), early) == MUST
    assert due(economics.barred(Pulse(), replace(room, view=49_000)), replace(room, view=50_101), early) == MUST


@pytest.mark.parametrize(
    ("kept", "preface", "expected"),
    [(5_000, 0, False), (5_000, 4_000, False), (5_000, 30_000, True), (38_000, 4_000, True)],
)
def test_a_cut_is_hopeless_where_what_must_stay_and_the_last_preface_leave_too_little(
    room: Room, kept: int, preface: int, expected: bool
) -> None:
    """Nothing is judged before the first plan; what stays whole counts as much as what is said of the rest."""
    view = replace(room, view=40_000)
    assert economics.is_hopeless(kept, Pulse(preface=preface), view) is expected


def test_a_dearer_tier_is_never_judged_without_a_plan(room: Room) -> None:
    """To leave it pays by other sums than growth."""
    view = replace(room, view=40_000, tiers=(Tier(30_000, 2.5, 0.2),))
    assert not economics.is_hopeless(38_000, Pulse(preface=4_000), view)


def test_a_plan_that_does_not_pay_is_remembered_by_its_preface(room: Room) -> None:
    """Whether it was planned for a call or between two."""
    pulse = economics.declined(Pulse(after=7), replace(room, view=40_000), "economics")
    assert (pulse.after, pulse.preface, pulse.declined_at) == (7, 0, 44_000)


def test_a_compaction_by_hand_goes_no_further_than_the_last_cut(room: Room) -> None:
    """Asked for after every turn it would otherwise shrink what is left to nothing; a view that has grown frees its share."""
    small = replace(room, view=6_000, reached=5_900)
    assert triggers.goal(Budget(to=0.4), small, Cause.REQUESTED) == 5_900
    assert triggers.goal(Budget(to=0.4), replace(small, view=20_000), Cause.REQUESTED) == 8_000
    assert triggers.goal(Budget(to=0.1), small, Cause.REQUESTED) == 5_900
    assert triggers.goal(Budget(to=0.4), small, Cause.ADVISABLE) == 2_400
