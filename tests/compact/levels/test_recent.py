"""Level recent: what stays by its place, in each of its shapes."""

import level_rules
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pumice.compact import planner
from pumice.compact.laid import lay
from pumice.compact.layout import Brief, Layout
from pumice.compact.levels import recent
from pumice.compact.recent import hybrid
from pumice.domain.block import Kind, Origin
from pumice.domain.decision import Outcome
from pumice.domain.policy import Keep, Policy, Recent
from pumice.domain.state import Entry, Item, TaskState

SHAPES = ("oldest", "middle", "tool_rounds", "hybrid")


def policy(shape: str = "oldest", *, pins: str = "whole", **numbers: object) -> Policy:
    return Policy("test", order=("recent",), recent=Recent(shape, **numbers), keep=Keep(pins=pins))


def brief(story, room, counter, *, target: int, **options: object) -> Brief:
    made = planner.briefed(story.book(), room, policy(**options), count=counter)
    return replace(made, target=target)


def kept(asked: Brief, layout: Layout) -> list[int]:
    """Positions of the groups that stay."""
    return [position for position in range(len(asked.book.groups)) if not layout.folds(position)]


def test_the_middle_goes_and_both_ends_stay(long_story, room, counter) -> None:
    """The first request and the newest steps are both in view, and one line points at what is between."""
    asked = brief(long_story, room, counter, shape="middle", target=8_000)
    after = recent.lay_out(asked, Layout())
    assert 0 < after.head < after.first_whole < len(asked.book.groups)
    assert lay(asked, after).tokens <= 8_000
    first, last = (asked.book.groups[at].blocks[0].id for at in (after.head, after.first_whole))
    before_last = asked.book.groups[after.first_whole - 1].blocks[-1].id
    assert f"<pumice:digest>\n⋯ {first}–{before_last} " in lay(asked, after).preface
    assert first != last


def test_a_number_of_first_groups_is_all_that_stays_in_front(long_story, room, counter) -> None:
    """`first: 2` keeps two, in every shape with ends."""
    for shape in ("oldest", "middle"):
        asked = brief(long_story, room, counter, shape=shape, first=2, target=8_000)
        assert recent.lay_out(asked, Layout()).head == 2


def test_a_plain_window_says_in_one_line_that_its_middle_is_gone(long_story, room, counter) -> None:
    """Without pins nothing is promised, so nothing else stands in front."""
    asked = brief(long_story, room, counter, shape="middle", pins="none", target=8_000)
    preface = lay(asked, recent.lay_out(asked, Layout())).preface
    assert preface == "<pumice:note>\n⋯ steps between the first ones and those that follow are left out\n</pumice:note>"


@pytest.mark.parametrize(
    ("numbers", "count"),
    [({"groups": 4}, 4), ({"turns": 1}, 8), ({"tool_rounds": 3}, 3)],
)
def test_a_number_of_newest_goes_before_the_target(long_story, room, counter, numbers, count) -> None:
    """N groups, turns or tool rounds stay, though the target would hold fewer."""
    asked = brief(long_story, room, counter, target=300, **numbers)
    assert len(kept(asked, recent.lay_out(asked, Layout()))) == count


def test_newest_tokens_stay_and_no_more(long_story, room, counter) -> None:
    """A number of tokens is a target of its own."""
    asked = brief(long_story, room, counter, tokens=3_000, target=30_000)
    assert 2_000 < lay(asked, recent.lay_out(asked, Layout())).tokens <= 3_000


def test_what_stands_in_the_preface_is_counted(story, room, counter) -> None:
    """A person's words move to the preface when they fold: the window makes room for them."""
    for at in range(60):
        story.user(f"Please also look at case_{at} " + "and all of its details " * 12)
        story.step(f"step {at}", ("Bash", {"command": f"run {at}"}, "some output\n" * 40))
    asked = brief(story, room, counter, target=9_000)
    assert lay(asked, recent.lay_out(asked, Layout())).tokens <= 9_000


def test_older_rounds_lose_their_calls_and_keep_what_was_said(long_story, room, counter) -> None:
    """Text stays; what changed something keeps a label, the rest a range."""
    long_story.step("And on.", ("Bash", {"command": "ls"}, "src"))
    asked = brief(long_story, room, counter, shape="tool_rounds", tool_rounds=1, target=2_000)
    laid = lay(asked, recent.lay_out(asked, Layout()))
    away = {one.block for one in laid.decisions if one.outcome is Outcome.FOLD}
    blocks = {block.id: block for group in asked.book.groups for block in group.blocks}
    assert {blocks[name].kind for name in away} == {Kind.CALL, Kind.RESULT}
    assert sum(block.kind is Kind.RESULT for block in blocks.values()) - len(away) // 2 == 1
    assert "⋯ b205 Edit src/part_1.py" in laid.preface
    assert "Read src/part_0.py" not in laid.preface


def test_rounds_go_oldest_first_until_the_target_is_met(long_story, room, counter) -> None:
    """Without a number, no more goes than has to."""
    sizes = []
    for target in (16_000, 8_000):
        asked = brief(long_story, room, counter, shape="tool_rounds", target=target)
        sizes.append(lay(asked, recent.lay_out(asked, Layout())).tokens)
        assert sizes[-1] <= target
    assert sizes[0] > 10_000


def test_reasoning_left_alone_goes_with_its_calls(story, room, counter) -> None:
    """No message is left that holds nothing but reasoning, and none is counted."""
    story.user("go")
    for at in range(3):
        story.step("", ("Bash", {"command": f"run {at}"}, "out\n" * 50), thinks=True)
    asked = brief(story, room, counter, shape="tool_rounds", tool_rounds=1, target=1)
    outcomes = {one.block: one.outcome for one in lay(asked, recent.lay_out(asked, Layout())).decisions}
    thoughts = [block.id for group in story.groups for block in group.blocks if block.kind is Kind.REASONING]
    assert [outcomes[name] for name in thoughts] == [Outcome.DROP, Outcome.DROP, Outcome.KEEP]


def test_calls_that_wait_for_a_result_are_never_behind_the_cut(story, room, counter) -> None:
    """Also in a plain window, whatever a user says meanwhile."""
    for at in range(5):
        story.step(f"step {at}", ("Bash", {"command": f"run {at}"}, "out\n" * 100))
    story.step("", ("Bash", {"command": "make"}, None))
    story.user("still there?")
    for pins in ("whole", "none"):
        asked = brief(story, room, counter, pins=pins, target=10)
        assert recent.lay_out(asked, Layout()).first_whole <= 5


def test_an_approval_stays_with_what_it_answers(story, room, counter) -> None:
    """The cut moves to before the question."""
    for at in range(4):
        story.step(f"step {at}", ("Bash", {"command": f"run {at}"}, "out\n" * 100))
    [asked_for] = story.step("May I drop the table?")
    given_ = story.user("Yes, do it.")
    story.state = TaskState(items=(Item(Entry.APPROVAL, "Yes, do it.", (given_.id, asked_for.id)),))
    asked = brief(story, room, counter, target=20)
    assert recent.lay_out(asked, Layout()).first_whole == 4


def messages(story, number: int, size: int, *, tools: bool = False) -> None:
    for at in range(number):
        if tools:
            story.step("", ("Bash", {"command": f"run_{at}"}, f"value_{at} " * size))
        else:
            story.user(f"word_{at} " * size)


def test_a_small_reduction_of_a_short_talk_takes_the_middle(story, room, counter) -> None:
    """First rule: up to 30% and 30 messages."""
    messages(story, 20, 30)
    asked = brief(story, room, counter, shape="hybrid", target=1_100)
    assert recent.lay_out(asked, Layout()).head > 0


def test_a_large_reduction_of_a_long_talk_takes_the_oldest(story, room, counter) -> None:
    """Second rule: from 60% and 60 messages on, also where tools are among the cut."""
    messages(story, 70, 30, tools=True)
    asked = brief(story, room, counter, shape="hybrid", target=1_500)
    assert recent.lay_out(asked, Layout()).head == 0


def test_a_heavy_end_takes_the_middle(story, room, counter) -> None:
    """Third rule: the newest ten messages hold half of all tokens."""
    messages(story, 50, 3)
    messages(story, 10, 120)
    asked = brief(story, room, counter, shape="hybrid", target=2_500)
    assert recent.lay_out(asked, Layout()).head > 0


def test_tools_among_the_cut_take_the_middle(story, room, counter) -> None:
    """Fourth rule: what a tool said early is not simply the oldest."""
    messages(story, 5, 30, tools=True)
    messages(story, 40, 30)
    asked = brief(story, room, counter, shape="hybrid", target=1_800)
    assert recent.lay_out(asked, Layout()).head > 0


def test_else_the_better_of_both_by_reduction_and_retention_wins(story, room, counter) -> None:
    """0.6 of what goes and 0.4 of the names that stay; the weights are the policy's."""
    for at in range(10):
        story.user(" ".join(f"early_name_{at}_{n}" for n in range(12)))
    messages(story, 40, 30)
    both = {}
    for shape in ("hybrid", "oldest", "middle"):
        asked = brief(story, room, counter, shape=shape, target=1_700)
        both[shape] = recent.lay_out(asked, Layout())
    scores = {shape: hybrid.score(asked, Layout(), both[shape]) for shape in ("oldest", "middle")}
    assert scores["middle"] > scores["oldest"]
    assert both["hybrid"] == both["middle"]
    assert hybrid.retention(asked, both["middle"]) > hybrid.retention(asked, both["oldest"])


def test_what_a_level_before_folded_stays_folded(long_story, room, counter) -> None:
    """A window begins no earlier than what is left, and one that fits is left alone."""
    before = Layout("summarize", first_whole=60)
    asked = brief(long_story, room, counter, target=3_000)
    assert recent.lay_out(asked, before).first_whole > 60
    roomy = brief(long_story, room, counter, target=40_000)
    assert recent.lay_out(roomy, before) is before


def test_client_texts_do_not_count_as_turns(story, room, counter) -> None:
    """A turn begins where a person speaks."""
    for at in range(6):
        story.user(f"request {at}", Origin.PERSON if at % 2 else Origin.CLIENT)
        story.step("done", ("Bash", {"command": "ls"}, "out\n" * 100))
    asked = brief(story, room, counter, turns=2, target=10_000)
    assert recent.lay_out(asked, Layout()).first_whole == 6


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=level_rules.STEPS,
    window=st.integers(500, 60_000),
    first=st.integers(0, 20),
    shape=st.sampled_from(SHAPES),
    pins=st.sampled_from(["whole", "none"]),
    number=st.sampled_from([{}, {"groups": 3}, {"turns": 2}, {"tool_rounds": 2}, {"first": 2}, {"tokens": 400}]),
)
def test_any_conversation_in_any_shape(steps, window, first, shape, pins, number, counter, story) -> None:
    """Only less is shown, never more tokens, the same twice, nothing torn or forged; done once is done."""
    told = level_rules.tell(type(story)(), steps)
    asked = level_rules.brief_of(told.book(), window, policy(shape, pins=pins, **number), counter)
    before = level_rules.before_of(asked, first, 3)
    after = level_rules.holds(recent.lay_out, asked, before)
    laid = lay(asked, after)
    assert laid.tokens <= lay(asked, before).tokens
    if laid.tokens <= asked.target or number:
        assert lay(asked, recent.lay_out(asked, after)).decisions == laid.decisions


def test_an_advisable_cut_waits_for_a_turn_that_began_near(story, room, counter) -> None:
    """It keeps the step or two the turn has more, not half a window; a necessary one falls between any two groups (F-D2)."""
    story.user("Fix the parser.")
    for at in range(20):
        if at == 12:
            story.user("Now the lexer.")
        story.step("", ("Bash", {"command": f"run {at}"}, "\n".join(f"line {line} of {at}" for line in range(80))))
    step = sum(story.book().sizes[block.id].tokens(1.0) for block in story.book().groups[-1].blocks)
    asked = brief(story, room, counter, target=0)
    fixed = lay(asked, recent.lay_out(asked, Layout())).tokens - step
    for steps, begins in ((7.5, 13), (4.5, 18)):
        must = replace(asked, target=fixed + round(steps * step) + 40)
        assert recent.lay_out(must, Layout()).first_whole > begins or steps < 7
        assert recent.lay_out(replace(must, at_turn=True), Layout()).first_whole == begins
