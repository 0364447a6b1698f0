"""Level rebuild: a view from state and evidence alone."""

import re

import level_rules
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pumice.compact import planner
from pumice.compact.layout import Layout
from pumice.compact.levels import rebuild
from pumice.compact.section import Section
from pumice.domain.decision import Cause, Cut, Outcome
from pumice.domain.summary import Summary
from pumice.faces import settings as presets

POLICY = level_rules.policy_for(presets.policy("balanced"), "rebuild")


def plan(story, room, counter) -> Cut:
    return planner.plan(story.book(), room, POLICY, cause=Cause.BUDGET, necessary=True, count=counter)


def shown(cut: Cut) -> set[str]:
    return {one.block for one in cut.decisions if one.outcome is Outcome.KEEP}


def test_state_words_and_the_last_group_stand_and_no_narrative(long_story, room, counter) -> None:
    """What the user said, what was done and what is at hand; nothing the model told."""
    long_story.fold()
    cut = plan(long_story, room, counter)
    assert "Never push to main." in cut.preface
    assert "Now also fix the lexer." in cut.preface
    assert {block.id for block in long_story.groups[-1].blocks} <= shown(cut)
    told = {b.id for g in long_story.groups[:-1] for b in g.blocks if b.text.startswith("I look at")}
    assert not told & shown(cut)
    assert "I look at" not in cut.preface


def test_the_newest_read_of_each_file_and_what_failed_are_evidence(long_story, room, counter) -> None:
    """They stay at their own place, calls with their results."""
    _, failed = long_story.step("", ("Bash", {"command": "make"}, "error: no rule to make target"), is_error=True)
    long_story.step("and now", ("Bash", {"command": "ls"}, "src"))
    long_story.fold()
    kept = shown(plan(long_story, room, counter))
    newest = {}
    for group in long_story.groups:
        for block in group.blocks:
            if block.tool == "Read" and block.call_id and block.text.startswith("    1→"):
                newest[long_story.uses()[block.id].target] = block.id
    assert failed.id in kept
    assert set(newest.values()) <= kept


def test_what_a_level_before_said_is_not_carried_over(long_story, room, counter) -> None:
    """A summary that cannot be trusted is no source of the new view."""
    long_story.fold()
    brief = planner.briefed(long_story.book(), room, POLICY, count=counter)
    before = Layout("summarize", first_whole=9, sections=(Section("summary", "all done"),), summary=Summary("pumice", 1, ()))
    after = rebuild.lay_out(brief, before)
    assert after.summary is None
    assert [section.name for section in after.sections] == ["digest"]


def test_a_last_group_too_big_for_the_window_becomes_excerpts(long_story, room, counter) -> None:
    """Also when the user has spoken after it."""
    long_story.step("", ("Bash", {"command": "make"}, "\n".join(f"line {at} of the_output" for at in range(12_000))))
    long_story.user("What does it say?")
    long_story.fold()
    assert plan(long_story, room, counter).tokens <= room.usable


def test_more_state_stands_than_beside_a_narrative(long_story, room, counter) -> None:
    """What was changed is listed, since nothing tells of it any more."""
    long_story.step("", ("Write", {"file_path": "made/of_it.py", "content": "x"}, "ok"))
    long_story.step("done")
    long_story.fold()
    assert re.search(r"⋯ files changed\n(⋯ b\d+ \S+\n)*⋯ b\d+ made/of_it.py", plan(long_story, room, counter).preface)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=level_rules.STEPS, window=st.integers(500, 60_000), first=st.integers(0, 20))
def test_any_conversation_can_be_rebuilt(steps, window, first, counter, story) -> None:
    """The same twice, no pair torn, nothing forged, whatever stood before."""
    brief = level_rules.brief_of(level_rules.tell(type(story)(), steps).book(), window, POLICY, counter)
    level_rules.holds(rebuild.lay_out, brief, level_rules.before_of(brief, first, 3), may_add=True)
