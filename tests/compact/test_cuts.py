"""Where a path may be cut (F-D2)."""

from pumice.compact import cuts
from pumice.domain.state import Entry, Item, TaskState


def test_a_pending_batch_is_never_behind_a_cut(story) -> None:
    """Calls that wait for results stay, also when the user speaks meanwhile (D3)."""
    story.step("old")
    story.step("", ("Bash", {"command": "a"}, "done"), ("Bash", {"command": "b"}, None))
    story.user("are you there?")
    assert cuts.is_legal(story.groups, story.state, 1)
    assert not cuts.is_legal(story.groups, story.state, 2)
    assert cuts.legal_before(story.groups, story.state, 2) == 1


def test_a_call_that_was_abandoned_long_ago_may_fold(story) -> None:
    """A dangling call of an earlier turn does not hold the whole history in view."""
    story.step("", ("Bash", {"command": "a"}, None))
    story.step("went on")
    story.step("and on")
    assert cuts.is_legal(story.groups, story.state, 2)


def test_an_approval_and_its_answer_stay_on_one_side(story) -> None:
    """What was asked and what was answered fold or stay together."""
    asked = story.step("May I delete the table?")[0]
    answer = story.user("yes")
    story.step("deleted")
    state = TaskState(items=(Item(Entry.APPROVAL, "delete the table", (asked.id, answer.id)),))
    assert not cuts.is_legal(story.groups, state, 1)
    assert cuts.is_legal(story.groups, state, 2)


def test_a_turn_begins_with_a_persons_words(story) -> None:
    """Only among the newest ten groups, and only where a person spoke."""
    story.user("request")
    for _ in range(4):
        story.step("work")
    assert cuts.turn_before(story.groups, 4) == 0
    for _ in range(10):
        story.step("work")
    assert cuts.turn_before(story.groups, 14) is None
