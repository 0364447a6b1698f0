"""Planning a cut: every block decided, pairs together, sizes exact, the same every time."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pumice.compact import planner, validate
from pumice.domain import marks
from pumice.domain.block import Kind
from pumice.domain.book import Book, Room, Size
from pumice.domain.decision import Cause, Cut, Outcome
from pumice.domain.policy import Policy
from pumice.domain.state import Pin, TaskState
from pumice.errors import BadPolicy
from pumice.faces import settings as presets

BALANCED = presets.policy("balanced")
NEWEST = presets.policy("newest")
AWAY = (Outcome.FOLD, Outcome.DROP)


def plan(book: Book, room: Room, counter, policy: Policy = BALANCED, *, necessary: bool = True) -> Cut:
    cause = Cause.BUDGET if necessary else Cause.ADVISABLE
    return planner.plan(book, room, policy, cause=cause, necessary=necessary, count=counter)


def view_text(book: Book, cut: Cut) -> str:
    blocks = {block.id: block for group in book.groups for block in group.blocks}
    shown = (one.text or blocks[one.block].text for one in cut.decisions if one.outcome not in AWAY)
    return "\n".join((cut.preface, *shown))


def proof(book: Book, cut: Cut, room: Room) -> tuple[validate.Finding, ...]:
    return validate.check(validate.Case(book, cut, view_text(book, cut), cut.tokens + room.head, room.usable), BALANCED)


def test_a_plan_reaches_its_target_and_proves_sound(long_story, room, counter) -> None:
    """Old steps fold, the newest stay, both requests stand, and every check of the result passes."""
    book = long_story.book()
    cut = plan(book, room, counter)
    assert cut.tokens < 0.7 * room.usable
    assert proof(book, cut, room) == ()
    assert "Never push to main." in cut.preface
    assert "Now also fix the lexer." in view_text(book, cut)


def test_the_size_is_what_the_view_will_count(long_story, room, counter) -> None:
    """Summed over what is shown, preface included, calibrated once."""
    book = long_story.book()
    calibrated = replace(room, factor=1.37)
    cut = plan(book, calibrated, counter)
    kept = [book.sizes[one.block] for one in cut.decisions if one.outcome is Outcome.KEEP]
    total = Size(sum(size.text for size in kept) + counter([cut.preface])[0], sum(size.fixed for size in kept) + 8)
    assert cut.tokens == total.tokens(1.37)


def test_kept_lines_are_bytes_of_the_ledger(long_story, room, counter) -> None:
    """In the digest a line is ours, or stands exactly so in some block, after its number."""
    book = long_story.book()
    ledger = "\n".join(block.text for group in book.groups for block in group.blocks)
    digest = plan(book, room, counter).preface.split("<pumice:digest>\n")[1].split("\n</pumice:digest>")[0]
    for line in digest.split("\n"):
        bare = line.split("→", 1)[-1]
        assert line.startswith(marks.GAP) or line in ledger or bare in ledger


def test_the_model_sees_how_to_read_back(long_story, room, counter) -> None:
    """From the first epoch on a note says what folded means and how to get at it (F-B11, M4)."""
    cut = plan(long_story.book(), room, counter)
    assert cut.preface.startswith("<pumice:note>\n")
    assert "read back" in cut.preface


def test_a_rule_stands_verbatim_after_a_hundred_turns(story, room, counter) -> None:
    """A pin is outside every boundary (E1), also on a window too small for all words."""
    said = story.user("Some background. Never touch migrations/. More background.")
    for at in range(100):
        story.step(f"step_{at}", ("Bash", {"command": f"run {at}"}, "output\n" * 60))
        story.user(f"go on {at}")
    story.state = TaskState(pins=(Pin("p1", said.id, said.text, "Never touch migrations/."),))
    small = replace(room, window=30_000, usable=25_050)
    cut = plan(story.book(), small, counter)
    assert said.text in cut.preface
    assert proof(story.book(), cut, small) == ()


def test_a_huge_result_in_the_last_step_becomes_an_excerpt(long_story, room, counter) -> None:
    """Live results shrink too (B6, C5), errors as well as others (C9), and what is older keeps its pointers."""
    body = "\n".join(f"line {at} of the_output" for at in range(12_000))
    *_, result = long_story.step("", ("Bash", {"command": "make"}, body), is_error=True)
    cut = plan(long_story.book(), room, counter)
    [form] = [one for one in cut.decisions if one.block == result.id]
    assert form.outcome is Outcome.EXCERPT
    assert cut.tokens <= room.usable
    assert cut.preface.count(marks.GAP) > 10


def test_reasoning_goes_with_folded_steps_and_binding_models_lose_all_but_the_last(story, room, counter) -> None:
    """Thinking of kept steps stays where it is not bound to the prefix (K-A36, J2)."""
    for at in range(12):
        story.step(f"words {at}", ("Bash", {"command": f"run {at}"}, "x"), thinks=True)
    thoughts = [block.id for group in story.groups for block in group.blocks if block.kind is Kind.REASONING]
    for binds, kept in ((False, thoughts[-5:]), (True, thoughts[-1:])):
        cut = plan(story.book(), replace(room, binds_reasoning=binds), counter)
        shown = [one.block for one in cut.decisions if one.block in thoughts and one.outcome is Outcome.KEEP]
        assert shown == kept
        assert cut.strips_reasoning is binds


def test_results_of_calls_that_changed_something_are_folded_never_dropped(long_story, room, counter) -> None:
    """They keep a pointer (F-B4)."""
    book = long_story.book()
    for one in plan(book, room, counter).decisions:
        if one.outcome in AWAY and one.block in book.uses:
            assert one.outcome is Outcome.FOLD
            assert one.pointer == f"workspace://artifacts/{one.block}"


def test_a_second_plan_without_news_is_the_same(long_story, room, counter) -> None:
    """Same input, same bytes."""
    book = long_story.book()
    assert plan(book, room, counter) == plan(long_story.book(), room, counter)


def test_newest_keeps_the_longest_tail_that_fits(long_story, room, counter) -> None:
    """The sliding window tears no pair, and says in one line that something is left out where it begins inside a turn."""
    book = long_story.book()
    small = replace(room, window=6_000, usable=5_000)
    policy = replace(NEWEST, budget=replace(NEWEST.budget, to=1.0, to_under_50k=1.0))
    cut = plan(book, small, counter, policy)
    assert cut.preface == "<pumice:note>\n⋯ earlier steps are left out\n</pumice:note>"
    first = next(at for at, one in enumerate(cut.decisions) if one.outcome is Outcome.KEEP)
    assert all(one.outcome is Outcome.KEEP for one in cut.decisions[first:])
    assert cut.tokens <= 5_000


def test_a_target_by_hand_counts_the_complete_request(long_story, room, counter) -> None:
    """`--target` includes the head."""
    cut = planner.plan(
        long_story.book(),
        replace(room, head=5_000),
        BALANCED,
        cause=Cause.REQUESTED,
        necessary=True,
        count=counter,
        target=11_000,
    )
    assert cut.tokens + 5_000 <= 11_000


def test_an_unknown_level_is_named(long_story, room, counter) -> None:
    """A policy error says what is known."""
    with pytest.raises(BadPolicy, match=r"\$.order: no level 'nonsense'; known are .*offload"):
        plan(long_story.book(), room, counter, replace(BALANCED, order=("nonsense",)))


TEXTS = st.sampled_from(
    [
        "",
        "plain words",
        "src/app.py",
        "def load_page(): 4711",
        "不要动 migrations/",
        "x" * 3000,
        "</pumice:digest>",
        "\ud800",
        "🔥" * 50,
    ]
)
CALLS = st.tuples(st.sampled_from(["Read", "Bash", "Edit", "unknown_tool"]), TEXTS, st.one_of(st.none(), TEXTS))
STEPS = st.lists(
    st.one_of(
        TEXTS.map(lambda text: ("user", text)),
        st.tuples(TEXTS, st.lists(CALLS, max_size=3), st.booleans()).map(lambda made: ("step", made)),
    ),
    min_size=1,
    max_size=25,
)


def tell(story, steps) -> None:
    """A conversation of any shape: pending calls, empty texts, ids used twice, marks of ours in hostile text."""
    for kind, made in steps:
        if kind == "user":
            story.user(made)
        else:
            said, calls, reuse = made
            told = [(tool, {"file_path": target, "command": target}, result) for tool, target, result in calls]
            story.step(said, *told, ids=["same"] * len(told) if reuse else (), thinks=reuse)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, window=st.integers(500, 60_000), policy=st.sampled_from([BALANCED, NEWEST]))
def test_any_conversation_gets_one_decision_per_block(steps, window, policy, counter, story) -> None:
    """Whatever was said: all blocks decided, pairs together, nothing of ours forged, the same twice."""
    fresh = type(story)()
    tell(fresh, steps)
    book = fresh.book()
    room = Room(window=window, usable=window - window // 6, head=0, factor=1.2, view=window)
    cut = plan(book, room, counter, policy)
    assert cut == plan(book, room, counter, policy)
    assert Counter(one.block for one in cut.decisions) == Counter(block.id for group in book.groups for block in group.blocks)
    findings = proof(book, cut, room)
    assert not [one for one in findings if one.check in ("pairs_whole", "pointers_resolve")]
    if policy is BALANCED:
        assert {one.check for one in findings} <= {"budget_fits"}
        assert cut.preface.count("</pumice:") == cut.preface.count("<pumice:") <= 6


THREE = replace(BALANCED, order=("mechanical", "offload", "summarize"))


def test_a_level_that_went_as_far_as_it_should_is_the_last_needed(long_story, room, counter) -> None:
    """Lines of old results are not given up for a summary while they fit; a size asked for by hand is reached all the same."""
    policy = replace(THREE, budget=replace(THREE.budget, to=0.05, to_under_50k=0.05))
    room = replace(room, window=10_000, usable=8000)
    cut = plan(long_story.book(), room, counter, policy)
    assert cut.tokens > 0.05 * room.usable
    assert [step.level for step in cut.steps] == ["mechanical", "offload"]
    asked = planner.plan(long_story.book(), room, policy, cause=Cause.REQUESTED, necessary=True, count=counter, target=1000)
    assert [step.level for step in asked.steps] == ["mechanical", "offload", "summarize"]


def test_a_cut_for_money_alone_goes_on_until_it_pays(story, room, counter) -> None:
    """On a window whose share is far above the view the cheapest level is not all there is; nothing is put into new words."""
    story.user("Please read all parts.")
    for at in range(40):
        body = "\n".join(f"{line:5}→def helper_{at}_{line}(value): return value" for line in range(1, 60))
        story.step("", ("Read", {"file_path": f"src/part_{at}.py"}, body))
    policy, wide = THREE, replace(room, window=1_000_000, usable=900_000, view=35_000)
    forced = plan(story.book(), wide, counter, policy)
    assert [step.level for step in forced.steps] == ["mechanical"]
    advised = plan(story.book(), wide, counter, policy, necessary=False)
    assert [step.level for step in advised.steps] == ["mechanical", "offload"]
    assert advised.tokens < forced.tokens


def test_a_level_that_would_make_a_cut_for_money_larger_is_left_out(long_story, room, counter) -> None:
    """Lines that come back may take more than what was left; they are for making room, not for filling it."""
    wide = replace(room, window=1_000_000, usable=900_000, view=10_000)
    cut = plan(long_story.book(), wide, counter, THREE, necessary=False)
    assert [step.level for step in cut.steps] == ["mechanical"]
    assert cut.tokens < wide.view
