"""The floor: the smallest view worth sending, or a typed error."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pumice.compact import floor
from pumice.domain.book import Room
from pumice.domain.decision import Cause, Cut, Outcome
from pumice.domain.state import Pin, TaskState
from pumice.errors import CannotFit
from pumice.faces import settings as presets

POLICY = presets.policy("balanced")


def lay(story, room: Room, counter) -> Cut:
    return floor.plan(story.book(), room, POLICY, cause=Cause.BUDGET, count=counter)


def test_the_newest_groups_that_fit_stay_and_the_rest_is_one_pointer(long_story, room, counter) -> None:
    """No model, no line values: a range pointer and the tail."""
    cut = lay(long_story, replace(room, window=30_000, usable=10_000), counter)
    assert cut.necessary
    assert cut.tokens <= 0.6 * 10_000
    assert cut.preface.split("<pumice:digest>\n")[1].count("\n") == 1
    assert cut.decisions[-1].outcome is Outcome.KEEP


def test_live_results_shrink_until_the_request_fits(story, room, counter) -> None:
    """Nine big results of the live turn come down to one size together (C5)."""
    calls = [("Bash", {"command": f"run {at}"}, f"value_{at}\n" * 4_000) for at in range(9)]
    story.user("go")
    story.step("", *calls)
    cut = lay(story, replace(room, window=12_000, usable=10_000), counter)
    excerpts = [one for one in cut.decisions if one.outcome is Outcome.EXCERPT]
    assert len(excerpts) == 9
    assert cut.tokens <= 10_000
    assert all(one.pointer in (one.text or "") for one in excerpts)


def test_one_huge_line_shrinks_too(story, room, counter) -> None:
    """A 1 MB result without a line end is cut all the same (M1)."""
    story.user("go")
    story.step("", ("Bash", {"command": "dump"}, '{"k": [' + "1234567," * 130_000 + "0]}"))
    assert lay(story, replace(room, usable=5_000), counter).tokens <= 5_000


def test_what_cannot_fit_is_an_error_with_parts_and_sizes(story, room, counter) -> None:
    """Fixed overhead over the limit is said, not looped on (B1, B3)."""
    story.user("hello " * 400)
    story.step("x" * 8_000)
    with pytest.raises(CannotFit) as error:
        lay(story, replace(room, usable=1_500, head=1_000), counter)
    assert error.value.budget == 1_500
    assert dict(error.value.parts).keys() >= {"head", "last group"}


def test_pins_by_hand_beyond_the_window_are_an_error(story, room, counter) -> None:
    """Rules have no eviction path; an overflow is the caller's to solve (E11)."""
    story.state = TaskState(pins=(Pin("p", "", "keep this " * 3_000, "keep this", by_hand=True),))
    story.user("old")
    story.step("go")
    with pytest.raises(CannotFit, match="pins"):
        lay(story, replace(room, usable=4_000), counter)


RULE = "Never touch the directory billing/ again."


@pytest.mark.parametrize("usable", [1_500, 3_000, 4_000])
def test_a_rule_in_the_middle_of_a_paste_stands_when_the_paste_is_cut(usable: int, story, room, counter) -> None:
    """The newest message alone is bigger than the window: what its excerpt leaves out is no less a rule."""
    lines = "\n".join(f"row {at} of the table" for at in range(400))
    said = story.user(f"Look at this:\n{lines}\n{RULE}\n{lines}")
    story.state = TaskState(pins=(Pin("p", said.id, RULE, RULE),))
    cut = lay(story, replace(room, usable=usable), counter)
    assert RULE not in (cut.decisions[0].text or "")
    assert RULE in cut.preface
    assert cut.tokens <= usable


def test_nothing_to_fold_is_no_preface(story, room, counter) -> None:
    """An empty range is a no-op (D5)."""
    story.user("hello")
    cut = lay(story, room, counter)
    assert cut.preface == ""
    assert [one.outcome for one in cut.decisions] == [Outcome.KEEP]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(usable=st.integers(1, 9_000))
def test_for_every_budget_it_fits_or_says_so(usable: int, long_story, room, counter) -> None:
    """From nothing fits to everything fits: within the budget or a typed error."""
    try:
        cut = lay(long_story, replace(room, window=usable + 1, usable=usable), counter)
    except CannotFit as error:
        assert sum(tokens for _, tokens in error.parts) > usable
    else:
        assert cut.tokens <= usable
