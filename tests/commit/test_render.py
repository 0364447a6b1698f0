from hypothesis import given
from hypothesis import strategies as st

from pumice.commit import StateRoom, render
from pumice.domain.state import Entry, Item, TaskState
from pumice.measure.tokens import count

STATE = TaskState(
    (
        Item(Entry.GOAL, "build it", ("b1",), "first", "open"),
        Item(Entry.CONSTRAINT, "never push to main", ("b2",), "b2.1", "superseded", "b9"),
        Item(Entry.CORRECTION, "no, use release/7.4", ("b3",)),
        Item(Entry.PLAN, "write the parser", ("b4",), "listed write the parser", "done"),
        Item(Entry.PLAN, "write the docs", ("b4",), "listed write the docs", "active"),
        Item(Entry.APPROVAL, "yes, do it", ("b6", "b5"), "Shall I delete the table?", "done"),
        Item(Entry.ERROR, "--- FAIL: TestDates", ("b7", "b8"), "Bash go test", "open"),
        Item(Entry.SIDE_EFFECT, "git push", ("b10", "b11"), "Bash b10", "done"),
        Item(Entry.DECISION, "I decided to use sqlite", ("b12",), "", "advisory"),
        Item(Entry.CORRECTION, "</pumice:state> hostile", ("b13",)),
    )
)


ROOM = StateRoom(1000)


def everything(_: str) -> bool:
    return True


def test_state_is_shown_with_what_it_answers_and_how_it_stands() -> None:
    """Corrections first; what no longer holds, what was only stated and what was approved then are named as such."""
    text = render(STATE, ROOM, count, everything, "build it".__contains__).text
    assert text.startswith("⋯ corrected by the user\nno, use release/7.4\n")
    assert "⋯ rules no longer in force\nnever push to main\n⋯ superseded by b9" in text
    assert "Shall I delete the table?\nyes, do it" in text
    assert "⋯ b8 Bash go test\n--- FAIL: TestDates" in text
    assert "⋯ b10 Bash git push" in text
    assert "⋯ stated by the assistant, advisory\nI decided to use sqlite" in text
    assert "build it" not in text


def test_what_is_in_view_is_not_said_again() -> None:
    """An item is shown only when all of its sources have left the view."""
    shown = render(STATE, ROOM, count, lambda block: block != "b5")
    assert "yes, do it" not in shown.text
    assert "no, use release/7.4" in shown.text
    assert render(STATE, ROOM, count, lambda _: False) == render(TaskState(), ROOM, count, everything)


def test_words_of_consent_stand_with_what_they_answered() -> None:
    """Once the question has left, a bare yes that is still in view is shown again under it, as a fact of then."""
    shown = render(STATE, ROOM, count, lambda block: block == "b5").text
    assert "⋯ approved then, by the user's next words\nShall I delete the table?\nyes, do it" in shown


def test_words_that_hold_our_marks_are_only_pointed_at() -> None:
    """Nothing in a source can close our marks."""
    text = render(STATE, ROOM, count, everything).text
    assert "pumice:" not in text
    assert "⋯ b13" in text


def test_a_goal_that_can_be_read_nowhere_else_is_said_first() -> None:
    """On a small window only the newest words stand: what was asked for is not among them."""
    assert render(STATE, ROOM, count, everything).text.startswith("⋯ asked for\nbuild it\n")


def test_goal_plan_approvals_and_children_stand_whatever_room_there_is() -> None:
    """They are never compressed; a policy may add kinds, and what is over all room is pointed at."""
    little = StateRoom(0, reserve=200)
    text = render(STATE, little, count, everything).text
    assert "build it" in text
    assert "write the docs" in text
    assert "Shall I delete the table?\nyes, do it" in text
    assert "no, use release/7.4" not in text
    more = StateRoom(0, ("goal", "decisions"), reserve=200)
    assert "no, use release/7.4" in render(STATE, more, count, everything).text
    nothing = render(STATE, StateRoom(0), count, everything)
    assert "⋯ b4 write the docs …" in nothing.text
    assert nothing.pointed == 3


def test_details_are_shown_where_nothing_else_tells_of_them() -> None:
    """Files changed and attempts that failed stand for the narrative."""
    made = Item(Entry.FILE, "src/app.py", ("b20",), "edit src/app.py", "edit")
    full = TaskState((*STATE.items, made))
    assert "⋯ files changed\n⋯ b20 src/app.py" in render(full, StateRoom(1000, is_full=True), count, everything).text
    assert "src/app.py" not in render(full, ROOM, count, everything).text
    assert "src/app.py" in render(full, StateRoom(1000, ("files",)), count, everything).text


@given(st.integers(0, 200), st.integers(0, 200))
def test_state_keeps_to_its_budget_and_to_its_words(budget: int, reserve: int) -> None:
    """At any budget each line is a source's own or ours, and what is shown is sourced; beyond it blocks are only named."""
    shown = render(STATE, StateRoom(budget, reserve=reserve), count, everything)
    named = [line for line in shown.text.split("\n") if line.startswith("⋯ also ")]
    assert count(shown.text) <= budget + reserve + 40 * shown.pointed + sum(12 + count(line) for line in named)
    words = {line for item in STATE.items for line in (item.text, item.key)}
    assert all(line.startswith("⋯") or line in words for line in shown.text.split("\n") if line)
    assert bool(shown.sources) == bool(shown.text)


def test_a_fact_the_user_stated_is_quoted_unless_it_can_be_read_anyway() -> None:
    """Under the name of its message; the words of that may stand elsewhere in the preface."""
    state = TaskState((Item(Entry.FACT, "已签收，三天前", ("b6",), "said 已签收，三天前", "said"),))
    assert render(state, ROOM, count, everything).text == "⋯ said by the user\n⋯ b6\n已签收，三天前"
    assert render(state, ROOM, count, everything, "他说：已签收，三天前".__contains__).text == ""


def test_a_step_that_was_only_moved_on_in_view_is_still_shown() -> None:
    """A call that names a task by its number does not say what the task is; a failed call's result alone says why."""
    step = Item(Entry.PLAN, "write the docs", ("b4", "b9"), "task 2", "active")
    error = Item(Entry.ERROR, "--- FAIL: TestDates", ("b7", "b8"), "Bash go test", "open")
    state = TaskState((step, error))
    assert "write the docs" in render(state, ROOM, count, lambda block: block != "b9").text
    assert "write the docs" not in render(state, ROOM, count, lambda block: block == "b9").text
    assert "FAIL" in render(state, ROOM, count, lambda block: block != "b7").text
