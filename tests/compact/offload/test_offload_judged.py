"""Offloading by verdicts: two decisions per call, text untouched."""

import json

import level_rules
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pumice.compact import planner
from pumice.compact.laid import lay
from pumice.compact.layout import Brief, Layout
from pumice.compact.offload import judged
from pumice.domain.block import Kind
from pumice.domain.decision import Cause, Decision, Epoch, Outcome
from pumice.domain.policy import Judge, Keep, Offload, Policy, Summarize

OUTPUT = "\n".join(f"line {at} of some output" for at in range(60))


def policy(pins: str = "whole", **parts: object) -> Policy:
    made = Judge(by="model", first=1, newest=2)
    return Policy("test", order=("offload",), offload=Offload("judged"), judge=replace(made, **parts), keep=Keep(pins=pins))


def brief(story, room, counter, verdicts: dict[str, list[float]] | None = None, **parts: object) -> Brief:
    """A brief in which a model has answered with verdicts by the id of the call."""
    asked = planner.briefed(story.book(), room, policy(**parts), count=counter)
    [ask] = judged.lay_out(asked, Layout()).asks
    said = {name: (verdicts or {}).get(name, [0.0, 0.0]) for name in ask.sources}
    return replace(asked, book=replace(asked.book, answers={ask.key: json.dumps(said)}))


def forms(asked: Brief) -> dict[str, Decision]:
    return dict(judged.lay_out(asked, Layout()).forms)


def greps(story, number: int) -> list[tuple[str, str]]:
    """Ids of calls that read, with their results', and two groups after them."""
    story.user("go")
    made = [story.step(f"step {at}", ("Grep", {"pattern": f"p{at}"}, OUTPUT)) for at in range(number)]
    story.step("And now?", ("Bash", {"command": "true"}, "ok"))
    story.user("go on")
    return [(call.id, result.id) for _, call, result in made]


def test_two_verdicts_make_three_fates(story, room, counter) -> None:
    """Whole from the one threshold on; the first characters and a line from the other; else both go."""
    whole, cut, gone = greps(story, 3)
    asked = brief(story, room, counter, {whole[0]: [0.0, 0.5], cut[0]: [0.5, 0.49], gone[0]: [0.49, 0.49]}, min_reduction=0)
    made = forms(asked)
    assert {name: form.outcome for name, form in made.items()} == {
        cut[1]: Outcome.EXCERPT,
        gone[0]: Outcome.FOLD,
        gone[1]: Outcome.FOLD,
    }
    opening, *lines, more, closing = (made[cut[1]].text or "").split("\n")
    assert (opening, closing) == (f'<pumice:excerpt of="{cut[1]}" read="workspace://artifacts/{cut[1]}">', "</pumice:excerpt>")
    shown = "\n".join(lines)
    assert OUTPUT.startswith(shown)
    assert 250 < len(shown) <= 300
    assert more == f"⋯ {len(OUTPUT) - len(shown)} more characters"
    assert made[gone[0]].reason == "call 0.49, result 0.49"


def test_who_is_asked_is_the_policys_model_or_the_engines_own(story, room, counter) -> None:
    """By the address the policy writes for summaries; where it writes none and no callable was given, the rules judge."""
    greps(story, 3)
    named = replace(policy(min_reduction=0), summarize=Summarize(model="cheapest"))
    for has_model in (True, False):
        book = replace(story.book(), has_model=has_model)
        [ask] = judged.lay_out(planner.briefed(book, room, named, count=counter), Layout()).asks
        assert ask.model == "cheapest"
    alone = planner.briefed(replace(story.book(), has_model=False), room, policy(min_reduction=0), count=counter)
    by_rules = replace(alone, policy=policy(min_reduction=0, by="rules"))
    made, expected = judged.lay_out(alone, Layout()), judged.lay_out(by_rules, Layout())
    assert made.asks == ()
    assert made.forms == expected.forms
    assert made.warnings == (judged.NOBODY, *expected.warnings)


def test_parts_of_a_long_shell_output_stay_where_they_are_worth_it(story, room, counter) -> None:
    """Twenty lines each, verbatim at their place between lines that count the rest; a short one has no parts."""
    story.user("go")
    named = {at: f"src/module_{at}.py:{at} failed" for at in range(305, 312)}
    log = "\n".join(named.get(at, f"compiled unit without a word of interest, number {at % 7}") for at in range(400))
    for line in named.values():
        story.step(f"I look at {line.split()[0]} now.", ("Bash", {"command": f"ls {line.split()[0]}"}, "ok"))
    story.step("", ("Bash", {"command": "make all"}, log))
    greps(story, 1)
    asked = brief(story, room, counter, min_reduction=0)
    [form] = [form for name, form in forms(asked).items() if form.reason == "its parts are judged one by one"]
    text = form.text or ""
    assert all(line in text for line in named.values())
    shown = text.split("\n")[1:-1]
    assert [line for line in shown if line.startswith("⋯")] == ["⋯ 300 lines", "⋯ 80 lines"]
    assert [line for line in shown if not line.startswith("⋯")] == log.split("\n")[300:320]


def test_what_may_have_changed_something_keeps_its_call(story, room, counter) -> None:
    """Unknown effects too: offloaded, never dropped (F-B4)."""
    story.user("go")
    calls = [story.step("", ("Bash", {"command": f"make {at}"}, OUTPUT))[0] for at in range(4)]
    greps(story, 1)
    made = forms(brief(story, room, counter))
    assert not any(call.id in made for call in calls)
    assert sum(form.outcome is Outcome.EXCERPT for form in made.values()) == 4


def test_the_preface_says_how_many_messages_are_left(story, room, counter) -> None:
    """And where what went can be read back."""
    calls = greps(story, 6)
    laid = lay(brief(story, room, counter), judged.lay_out(brief(story, room, counter), Layout()))
    assert f"⋯ kept 10/16 messages, no summary\n⋯ {calls[0][0]}–{calls[-1][1]}" in laid.preface
    plain = brief(story, room, counter, pins="none")
    assert lay(plain, judged.lay_out(plain, Layout())).preface == (
        "<pumice:note>\n⋯ kept 10/16 messages, no summary\n</pumice:note>"
    )


def test_text_is_never_touched(story, room, counter) -> None:
    """Whoever said it."""
    greps(story, 6)
    blocks = {block.id: block for group in story.groups for block in group.blocks}
    assert {blocks[name].kind for name in forms(brief(story, room, counter))} == {Kind.CALL, Kind.RESULT}


def test_the_first_the_newest_and_pending_calls_always_stay(story, room, counter) -> None:
    """Whatever a judge says."""
    first = story.step("", ("Grep", {"pattern": "first"}, OUTPUT))
    calls = greps(story, 4)
    story.step("", ("Grep", {"pattern": "new"}, OUTPUT))
    story.step("", ("Grep", {"pattern": "pending"}, None))
    made = forms(brief(story, room, counter, first=1, newest=4))
    assert set(made) == {name for pair in calls for name in pair}
    assert first[0].id not in made


def test_too_small_a_gain_leaves_all_to_the_next_level(story, room, counter) -> None:
    """And says so."""
    whole = greps(story, 8)
    asked = brief(story, room, counter, {call: [1.0, 1.0] for call, _ in whole[1:]})
    after = judged.lay_out(asked, Layout())
    assert after.forms == {}
    assert after.sections == ()
    assert after.warnings[0].startswith("judged: nothing gained, ")


def test_little_to_prune_is_no_failure(story, room, counter) -> None:
    """Where the rest is text, what can go goes."""
    [pair] = greps(story, 1)
    story.user("Words and words. " * 2_000)
    story.step("And on.", ("Bash", {"command": "true"}, "ok"))
    after = judged.lay_out(brief(story, room, counter), Layout())
    assert set(pair) <= set(after.forms)
    assert after.warnings[0].startswith("judged: nothing to prune, ")


def test_what_was_cut_is_not_judged_again(story, room, counter) -> None:
    """It stands as it stood, and no model is asked about it."""
    calls = greps(story, 6)
    first = brief(story, room, counter, {calls[0][0]: [0.9, 0.1]})
    cut = planner.build(first, judged.lay_out(first, Layout()), cause=Cause.BUDGET, necessary=True)
    new = story.step("", ("Grep", {"pattern": "new"}, OUTPUT))[0]
    for _ in range(3):
        story.step("more", ("Bash", {"command": "true"}, "ok"))
    later = planner.briefed(story.book(), room, policy(), count=counter)
    later = replace(later, book=replace(later.book, epoch=Epoch(1, Cause.BUDGET, cut)))
    after = judged.lay_out(later, Layout())
    assert {name: after.forms[name] for name in forms(first)} == forms(first)
    assert [name for ask in after.asks for name in ask.sources if name in {call for call, _ in calls}] == []
    assert new.id in {name for ask in after.asks for name in ask.sources}


def test_rules_decide_until_a_model_has_answered(long_story, room, counter) -> None:
    """The plan needs no answer; an unusable one changes nothing and is on record."""
    by_rules = planner.briefed(long_story.book(), room, policy(by="rules"), count=counter)
    expected = judged.lay_out(by_rules, Layout())
    assert expected.asks == ()
    asked = planner.briefed(long_story.book(), room, policy(), count=counter)
    before = judged.lay_out(asked, Layout())
    assert before.forms == expected.forms != {}
    [ask] = before.asks
    answered = judged.lay_out(replace(asked, book=replace(asked.book, answers={ask.key: "I would keep all."})), Layout())
    assert answered.forms == expected.forms
    assert answered.asks == ()
    assert answered.refused[0][0] == ask.key


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=level_rules.STEPS,
    window=st.integers(500, 60_000),
    first=st.integers(0, 20),
    parts=st.sampled_from([{}, {"newest": 0, "first": 0}, {"min_reduction": 0.0, "newest": 1}, {"pins": "none"}]),
)
def test_any_conversation_can_be_judged(steps, window, first, parts, counter, story) -> None:
    """Only less is shown, never more tokens, the same twice, nothing torn or forged; done once is done."""
    told = level_rules.tell(type(story)(), steps)
    asked = level_rules.brief_of(told.book(), window, policy(**{"by": "rules", **parts}), counter)
    before = level_rules.before_of(asked, first, 3)
    after = level_rules.holds(judged.lay_out, asked, before)
    laid = lay(asked, after)
    assert laid.tokens <= lay(asked, before).tokens
    assert lay(asked, judged.lay_out(asked, after)).decisions == laid.decisions
