"""What the levels leave over the limit is made to fit, whatever a policy's numbers keep and however small the window."""

from collections.abc import Sequence

import level_rules
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pumice.compact import cuts, fitted, fixed, keep, laid, planner
from pumice.compact.layout import Brief, Layout
from pumice.compact.shrink import shrink_all
from pumice.domain.decision import Cause
from pumice.domain.policy import Budget, Keep, Policy
from pumice.faces import settings as presets

QUICK = settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
NAMES = [name for name in presets.preset_names() if name != "none"]
LARGE = "line of output with some words\n" * 400


def least(brief: Brief) -> int:
    """Tokens of a view of nothing but what stands in any case and the last step in excerpts."""
    groups = brief.book.groups
    last = cuts.legal_before(groups, brief.book.state, keep.last_step(groups, len(groups) - 1))
    forms = shrink_all(groups[last:], 10**9, brief.ruler, "least")
    return laid.lay(brief, Layout("least", first_whole=last, forms=forms)).tokens


@pytest.mark.parametrize("name", NAMES)
@QUICK
@given(steps=level_rules.STEPS, window=st.integers(2_000, 60_000), times=st.sampled_from((1, 3, 9)))
def test_a_plan_fits_where_one_can(name: str, steps: Sequence[object], window: int, times: int, counter, story) -> None:
    """Over the limit is only what holds no more than words, state and the last step in excerpts, and that is over too."""
    told = level_rules.tell(type(story)(), list(steps) * (times if len(steps) < 8 else 1))
    brief = level_rules.brief_of(told.book(), window, presets.policy(name), counter)
    cut = planner.plan(brief.book, brief.room, brief.policy, cause=Cause.BUDGET, necessary=True, count=counter)
    assert cut.tokens <= brief.limit or least(brief) > 0.9 * brief.limit


@pytest.mark.parametrize("pins", ["whole", "none"])
def test_the_oldest_steps_go_before_the_last_is_cut_short(story, counter, pins: str) -> None:
    """First whole groups from the oldest on, as many as it takes; the last step gives excerpts when it alone is too big."""
    for at in range(6):
        story.step(f"step {at}", ("Bash", {"command": f"run {at}"}, LARGE))
    policy = Policy("test", order=("recent",), keep=Keep(pins=pins))
    roomy = level_rules.brief_of(story.book(), 20_000, policy, counter)
    after = fitted.fit(roomy, Layout("recent", forms={}))
    assert 0 < after.first_whole < 5
    assert not after.forms
    one_less = laid.lay(roomy, Layout("recent", first_whole=after.first_whole - 1)).tokens
    assert laid.lay(roomy, after).tokens <= roomy.limit < one_less
    tight = level_rules.brief_of(story.book(), 3_000, policy, counter)
    after = fitted.fit(tight, Layout("recent"))
    assert after.first_whole == 5
    assert list(after.forms) == [story.groups[5].blocks[-1].id]
    assert laid.lay(tight, after).tokens <= tight.limit


def test_what_fits_is_left_alone(long_story, counter) -> None:
    """The same layout comes back."""
    brief = level_rules.brief_of(long_story.book(), 60_000, Policy("test", order=("recent",)), counter)
    layout = Layout("recent", head=2, first_whole=60)
    assert fitted.fit(brief, layout) is layout


@pytest.mark.parametrize(("act_at", "most"), [(None, 30_060), (20_000, 12_000), (8_000, 4_800)])
def test_numbers_of_newest_keep_a_share_of_what_makes_a_cut_necessary(long_story, room, counter, act_at, most) -> None:
    """Not more, or the next cut would follow at once."""
    policy = Policy("test", order=("recent",), budget=Budget(act=1.0, act_at=act_at))
    assert fixed.most(planner.briefed(long_story.book(), room, policy, count=counter)) == most
