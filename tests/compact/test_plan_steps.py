"""Levels one after the other in a plan: what each has done is told of it alone."""

from msgspec.structs import replace

from pumice.compact import planner
from pumice.domain.decision import Cause, Cut, Outcome
from pumice.domain.policy import Budget, Offload, Policy


def plan(story, room, counter, *order: str, to: float = 0.05) -> Cut:
    policy = Policy("test", order=order, budget=Budget(to=to), offload=Offload(newest=3))
    return planner.plan(story.book(), replace(room), policy, cause=Cause.BUDGET, necessary=True, count=counter)


def test_each_level_counts_what_it_left_out_and_names_it_its_own(long_story, room, counter) -> None:
    """A block that a level shortened stays decided by it, whatever levels come after."""
    cut = plan(long_story, room, counter, "mechanical", "offload", "recent")
    assert [step.level for step in cut.steps] == ["mechanical", "offload", "recent"]
    assert [step.after for step in cut.steps][:-1] == [step.before for step in cut.steps][1:]
    changed = [one for one in cut.decisions if one.outcome is not Outcome.KEEP]
    by_level = {step.level: sum(one.level == step.level for one in changed) for step in cut.steps}
    assert by_level["recent"] > 0
    assert {step.level: step.left for step in cut.steps} == by_level


def test_what_a_later_level_has_taken_is_not_an_earlier_ones(long_story, room, counter) -> None:
    """Each block is counted once, by the level that has it out of view."""
    alone, both = plan(long_story, room, counter, "mechanical"), plan(long_story, room, counter, "mechanical", "recent")
    assert alone.steps[0].left == 37
    assert both.steps[0].left < 37
    assert sum(step.left for step in both.steps) == sum(one.outcome is not Outcome.KEEP for one in both.decisions)


def test_what_was_made_to_fit_is_a_step_of_its_own_and_no_levels_doing(long_story, room, counter) -> None:
    """A level that found nothing to do has freed nothing."""
    cut = plan(long_story, replace(room, usable=10_000), counter, "isolate")
    level, fitted = cut.steps
    assert (level.level, level.left) == ("isolate", 0)
    assert (fitted.level, fitted.before, fitted.after) == ("fitted", level.after, cut.tokens)
    assert fitted.left == sum(one.level == "fitted" for one in cut.decisions if one.outcome is not Outcome.KEEP) > 0
    assert not any(one.level == "isolate" for one in cut.decisions if one.outcome is not Outcome.KEEP)


def test_levels_stop_where_the_target_is_met(long_story, room, counter) -> None:
    """The cheapest first, and none for nothing."""
    cut = plan(long_story, room, counter, "mechanical", "offload", "recent", to=0.9)
    assert [step.level for step in cut.steps] == ["mechanical"]
