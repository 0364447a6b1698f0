"""Level summarize: what folds, what stays beside the summary, and how much room it takes."""

import pytest
from msgspec.structs import replace

from pumice.compact import planner, validate
from pumice.compact.layout import Layout
from pumice.compact.levels import summarize
from pumice.compact.section import Section
from pumice.domain.book import Room
from pumice.domain.decision import Cause, Decision, Epoch, Outcome
from pumice.domain.policy import Policy, Summarize
from pumice.errors import BadPolicy
from pumice.faces import settings as presets

BALANCED = presets.policy("balanced")


def policy(**own) -> Policy:
    return replace(BALANCED, order=("summarize",), summarize=replace(Summarize(), **own))


def plan(book, room: Room, counter, chosen: Policy):
    return planner.plan(book, room, chosen, cause=Cause.BUDGET, necessary=True, count=counter)


def kept(cut) -> list[str]:
    return [one.block for one in cut.decisions if one.outcome in (Outcome.KEEP, Outcome.EXCERPT)]


def proof(book, cut, room: Room) -> tuple[validate.Finding, ...]:
    blocks = {block.id: block for group in book.groups for block in group.blocks}
    shown = (one.text or blocks[one.block].text for one in cut.decisions if one.outcome not in (Outcome.FOLD, Outcome.DROP))
    return validate.check(
        validate.Case(book, cut, "\n".join((cut.preface, *shown)), cut.tokens + room.head, room.usable), BALANCED
    )


def test_old_steps_fold_into_a_summary_and_the_cut_proves_sound(long_story, room, counter) -> None:
    """Every check of a cut passes, and the target is met."""
    book = long_story.book()
    cut = plan(book, room, counter, policy())
    assert proof(book, cut, room) == ()
    assert cut.tokens <= 0.7 * room.usable
    assert cut.summary is not None
    assert {one.level for one in cut.decisions if one.outcome is Outcome.FOLD} == {"summarize"}
    assert cut.steps[0].level == "summarize"


def test_newest_tokens_stay_as_they_are(long_story, room, counter) -> None:
    """By tokens, at a place where a cut is legal; nothing but the last step with none."""
    book = long_story.book()
    sizes = {name: size.tokens(1.0) for name, size in book.sizes.items()}
    many = kept(plan(book, room, counter, policy(keep_tokens=3_000)))
    assert 2_000 < sum(sizes[name] for name in many) <= 3_000
    assert kept(plan(book, room, counter, policy(keep_tokens=0))) == [block.id for block in long_story.groups[-1].blocks]
    half = kept(plan(book, replace(room, view=6_000), counter, policy(keep_share=0.5)))
    assert 2_000 < sum(sizes[name] for name in half) <= 3_000


def test_a_persons_words_have_a_number_of_their_own(story, room, counter) -> None:
    """Newest first, the first that overflows loses its middle (codex)."""
    for at in range(30):
        story.user(f"message {at} begins " + "and goes on " * 40 + f"and ends {at}")
        story.step(f"step {at}", ("Bash", {"command": f"run {at}"}, f"out_{at}\n" * 20))
    book = story.book()
    words = {
        tokens: {name: size for name, size, _ in plan(book, room, counter, policy(user_words=tokens)).placed}["words"]
        for tokens in (500, 3_000)
    }
    assert words[500] <= 520
    assert 2_500 < words[3_000] <= 3_020


def test_a_policy_without_pins_keeps_only_what_it_asks_for(long_story, room, counter) -> None:
    """A product that drops everything but its summary can be shown as it is."""
    chosen = policy()
    bare = replace(chosen, keep=replace(chosen.keep, pins="none"))
    cut = plan(long_story.book(), room, counter, bare)
    assert [name for name, _, _ in cut.placed] == ["summary"]


def test_forms_of_earlier_levels_stay_and_count(long_story, room, counter) -> None:
    """What offload has shortened is not shown whole again."""
    book = long_story.book()
    last = long_story.groups[-2].blocks[-1]
    form = Decision(last.id, Outcome.EXCERPT, "offload", "big", "<pumice:excerpt>x</pumice:excerpt>")
    before = Layout("offload", forms={last.id: form}, sections=(Section("digest", "⋯ b1", ("b1",)),), warnings=("w",))
    brief = planner.briefed(book, room, policy(), count=counter)
    after = summarize.lay_out(brief, before)
    assert after.forms[last.id] == form
    assert after.warnings[0] == "w"
    assert [part.name for part in after.sections] == ["summary"]
    assert "⋯ b1–" in after.sections[0].text


def test_what_an_earlier_level_has_taken_away_does_not_come_back(long_story, room, counter) -> None:
    """A window of the newest groups, then a summary: the window stays as small."""
    brief = planner.briefed(long_story.book(), room, policy(), count=counter)
    first = len(long_story.groups) - 2
    after = summarize.lay_out(brief, Layout("recent", first_whole=first))
    assert after.first_whole >= first
    assert set(after.pairs) == set()


def test_pointers_to_what_stays_in_part_are_not_lost(long_story, room, counter) -> None:
    """Exchanges taken out of groups that stay keep their own digest."""
    newest = long_story.groups[-1].blocks[0].id
    before = Layout("mechanical", sections=(Section("digest", f"⋯ {newest}", (newest,)),))
    after = summarize.lay_out(planner.briefed(long_story.book(), room, policy(), count=counter), before)
    assert [part.name for part in after.sections] == ["digest", "summary"]


def test_a_huge_last_step_gives_way_to_a_summary(long_story, room, counter) -> None:
    """One huge message: an excerpt of it stays, and there is a summary all the same."""
    long_story.step("", ("Bash", {"command": "make"}, "\n".join(f"line {at} of the_output" for at in range(12_000))))
    book = long_story.book()
    cut = plan(book, room, counter, policy())
    assert cut.tokens <= room.usable
    assert cut.summary is not None
    assert cut.summary.items


def test_direction_from_leaves_what_the_last_cut_left(long_story, room, counter) -> None:
    """Only what is newer folds; in any other direction the oldest does."""
    book = long_story.book()
    first = plan(book, room, counter, policy(keep_tokens=500))
    left = set(kept(first))
    for at in range(20):
        long_story.step(f"more {at}", ("Bash", {"command": f"run {at}"}, f"out_{at}\n" * 30))
    later = replace(long_story.book(), epoch=Epoch(1, Cause.BUDGET, first))
    assert left <= set(kept(plan(later, room, counter, policy(keep_tokens=500, direction="from"))))
    up_to = plan(later, room, counter, policy(keep_tokens=500, direction="up_to"))
    assert not left & set(kept(up_to))
    assert plan(later, room, counter, policy(keep_tokens=500)) == up_to


def test_lines_take_what_a_summary_leaves_them(long_story, room, counter) -> None:
    """`share` divides what is left of the target between both."""
    book = long_story.book()
    with_lines = replace(policy(share=0.25, tokens=4_000), offload=replace(BALANCED.offload, style="lines"))
    cut = plan(book, room, counter, with_lines)
    sizes = {name: tokens for name, tokens, _ in cut.placed}
    assert 0 < sizes["summary"] <= 1_000 + 20
    assert sizes["digest"] > sizes["summary"]
    assert proof(book, cut, room) == ()


def test_a_template_nobody_knows_is_refused(long_story, room, counter) -> None:
    """By name, with those there are."""
    with pytest.raises(BadPolicy, match="nine-section"):
        plan(long_story.book(), room, counter, policy(template="ten-section"))


def test_planning_is_the_same_twice(long_story, room, counter) -> None:
    """Same input, same bytes."""
    assert plan(long_story.book(), room, counter, policy()) == plan(long_story.book(), room, counter, policy())
