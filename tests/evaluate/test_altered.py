"""Altered values: what stands inside our marks must stand in a source."""

import pytest
import small_sessions as small

from pumice.domain import marks

SOURCE = "   7→\tretries = 123456\nerror_code 4021 in src/pool.py\n"
SESSION = [small.user("look"), *small.read(1, "src/pool.py", SOURCE), small.said("done")]


def _altered(shown: str) -> int:
    return small.judged(SESSION, {2: [small.user(marks.wrap("digest", shown))]}, epochs={2: 1})[0].score.altered


@pytest.mark.parametrize(
    "text",
    [
        "7→\tretries = 123456",
        "error_code 4021 in src/pool.py",
        "4021 in src/pool.py",
        "⋯ b3 Read elsewhere/x.py 99 lines",
        "12→retries = 123456",
    ],
)
def test_what_a_source_holds_is_not_altered(text: str) -> None:
    """Lines and pieces of sources, our own labels and original line numbers."""
    assert _altered(text) == 0


@pytest.mark.parametrize("text", ["error_code 4022", "see src/pol.py", "retries = 3456", "retries = 123,456"])
def test_a_value_no_source_holds_is_altered(text: str) -> None:
    """A changed number, a misspelt path, and a number cut in two: it says something else."""
    assert _altered(text) == 1


def test_words_outside_our_marks_are_not_ours() -> None:
    """Only what pumice wrote is judged."""
    done, _ = small.judged(SESSION, {2: [small.user("error_code 9999")]}, epochs={2: 1})
    assert done.score.altered == 0


def test_a_source_that_itself_holds_marks_is_a_source() -> None:
    """A person may write about pumice."""
    talk = marks.wrap("digest", "error_code 9999")
    assert small.judged([small.user(talk), small.said("I see")], {})[0].score.altered == 0


def test_a_fault_counts_once_however_often_it_is_shown() -> None:
    """A frozen preface is one text of ours, not one at every call."""
    wrong = small.user(marks.wrap("digest", "error_code 9999"))
    messages = [*SESSION, small.user("on"), small.said("well")]
    views = {2: [wrong], 3: [wrong, small.said("done"), small.user("on")]}
    assert small.judged(messages, views, epochs={2: 1, 3: 1})[0].score.altered == 1


def test_a_secret_shown_as_a_gap_is_no_value() -> None:
    """`[secret:kind]` stands where the store has no words."""
    assert _altered("retries = [secret:generic-api-key]") == 0
