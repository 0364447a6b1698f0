"""Level extract: prose folds, what it lays down stands."""

import level_rules
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pumice.compact import planner
from pumice.compact.layout import Layout
from pumice.compact.levels import extract
from pumice.domain.block import Kind
from pumice.domain.decision import Cause, Cut, Outcome
from pumice.faces import settings as presets

POLICY = level_rules.policy_for(presets.policy("balanced"), "extract")


def told(story) -> None:
    """A talk with a rule and a fact of each side, and much prose."""
    story.user("Please look after the orders of the shop.")
    story.step("I will.")
    story.user("When a customer writes twice, answer the newest letter.\nbudget: 5000 EUR\n" + "That is how it was. " * 40)
    story.step("If the cache is cold then the read takes twice as long.\n- **Root cause**: the cache key\n" + "I go on. " * 300)
    story.step("", ("Bash", {"command": "cat rules.md"}, "If a file is old then delete it.\nowner: nobody"))
    story.user("Now look at the parts one by one please.")
    for at in range(40):
        story.step(
            f"I have looked at part {at} and thought about it. " * 40, ("Bash", {"command": f"run {at}"}, f"part {at} ok")
        )
    for at in range(6):
        story.step(f"Then I did step {at}.", ("Bash", {"command": f"do {at}"}, "ok"))
    story.user("Go on with the next one please.")
    story.step("Fine.")


def plan(story, room, counter, policy=POLICY) -> Cut:
    story.fold()
    return planner.plan(story.book(), room, policy, cause=Cause.BUDGET, necessary=True, count=counter)


def rules(cut: Cut) -> str:
    return cut.preface.partition("<pumice:rules>\n")[2].partition("\n</pumice:rules>")[0]


def small(room, usable: int = 6_000):
    return replace(room, window=usable + 1_000, usable=usable)


def test_rules_and_facts_of_folded_prose_stand_word_for_word(story, room, counter) -> None:
    """What a person laid down is binding, what a model stated advisory, what a tool printed nothing."""
    told(story)
    text = rules(plan(story, small(room), counter))
    user, _, assistant = text.partition("⋯ rules stated by the assistant, advisory")
    assert user.startswith("⋯ rules of the user\n⋯ b3\nWhen a customer writes twice, answer the newest letter.")
    assert "⋯ named by the user\n⋯ b3\nbudget: 5000 EUR" in user
    assert "If the cache is cold then the read takes twice as long." in assistant
    assert "- **Root cause**: the cache key" in assistant
    assert "delete it" not in text
    assert "nobody" not in text


def test_calls_and_results_of_the_steps_stay(story, room, counter) -> None:
    """Only what was said folds, oldest first, and no more than the target asks for."""
    told(story)
    cut = plan(story, small(room, 15_000), counter)
    by_id = {block.id: block for group in story.groups for block in group.blocks}
    gone = [by_id[one.block] for one in cut.decisions if one.outcome is Outcome.FOLD]
    assert {block.kind for block in gone} == {Kind.TEXT}
    assert cut.tokens <= 0.6 * 15_000
    kept = [by_id[one.block] for one in cut.decisions if one.outcome is Outcome.KEEP and by_id[one.block].kind is Kind.TEXT]
    assert len(kept) > 9
    assert "⋯ what else was said: b" in rules(cut)


def test_what_stands_elsewhere_is_not_extracted(story, room, counter) -> None:
    """A rule in the words of the user is paid for once."""
    told(story)
    cut = plan(story, replace(room, window=51_000, usable=16_000), counter)
    assert rules(cut).count("answer the newest letter") == 0
    assert "answer the newest letter" in cut.preface


def test_rules_of_prose_a_level_before_has_folded_are_shown_too(story, room, counter) -> None:
    """Whoever folded it."""
    told(story)
    story.fold()
    brief = planner.briefed(story.book(), room, POLICY, count=counter)
    after = extract.lay_out(brief, Layout("recent", first_whole=45))
    assert "If the cache is cold" in after.sections[-1].text
    assert after.first_whole == 45


def test_a_fact_named_again_takes_the_place_of_the_older(story, room, counter) -> None:
    """Of each name the newest value stands."""
    told(story)
    story.step("- **Root cause**: a race in the writer")
    story.groups.insert(20, story.groups.pop())
    text = rules(plan(story, small(room), counter))
    assert "a race in the writer" in text
    assert "the cache key" not in text


def test_it_keeps_to_its_tokens(story, room, counter) -> None:
    """The binding rules come first, then the newest."""
    for at in range(300):
        story.step(f"If value_{at} is above {at} then stop. I go on and on. " + "x " * 80)
    story.user("go on")
    story.step("ok")
    text = rules(plan(story, small(room, 20_000), counter))
    assert counter([text])[0] <= POLICY.extract.tokens
    assert "value_122 " in text


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=level_rules.STEPS, window=st.integers(500, 60_000), first=st.integers(0, 20), folded=st.integers(0, 4))
def test_any_conversation_keeps_the_promises_of_a_level(steps, window, first, folded, counter, story) -> None:
    """Only takes away, tears no pair, forges nothing, the same twice."""
    brief = level_rules.brief_of(level_rules.tell(type(story)(), steps).book(), window, POLICY, counter)
    level_rules.holds(extract.lay_out, brief, level_rules.before_of(brief, first, folded))
