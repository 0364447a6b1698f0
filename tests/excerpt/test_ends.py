"""Both ends of an output and its errors, by numbers of lines."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice.domain import marks
from pumice.excerpt.ends import ends
from pumice.measure import tokens

LOG = "\n".join(
    f"src/mod_{at}.c:{at}:1: error: undefined name_{at}" if at in (200, 300, 301) else f"compiled unit_{at} in {at} ms"
    for at in range(500)
)


def made(text: str, *, head: int = 5, tail: int = 5, errors: int | None = None, limit: int = 4_000) -> str | None:
    found = ends(text, head=head, tail=tail, errors=errors, limit=limit, count=tokens.count)
    return found.text if found else None


def test_the_ends_and_every_error_line_stay_verbatim() -> None:
    """Head, tail, all three errors, and the gaps between them named."""
    shown = made(LOG)
    assert shown is not None
    lines = shown.split("\n")
    assert lines[:5] == LOG.split("\n")[:5]
    assert lines[-5:] == LOG.split("\n")[-5:]
    assert [line for line in lines if "error" in line] == [line for line in LOG.split("\n") if "error" in line]
    assert "⋯ 195 lines (6–200)" in lines


def test_a_number_of_error_lines_keeps_as_many() -> None:
    """`error_lines: 1` keeps the most telling one."""
    shown = made(LOG, errors=1)
    assert shown is not None
    assert shown.count(": error:") == 1


def test_no_ends_at_all_leaves_the_errors() -> None:
    """`head: 0` and `tail: 0` are numbers like any others."""
    shown = made(LOG, head=0, tail=0)
    assert shown is not None
    assert len([line for line in shown.split("\n") if not line.startswith(marks.GAP)]) == 3


def test_words_of_failure_in_a_file_are_names() -> None:
    """Numbered lines are code: none of them is an error."""
    text = "\n".join(f"{at:5}→raise ValueError('failed: {at} errors')" for at in range(1, 200))
    shown = made(text, head=2, tail=2)
    assert shown is not None
    assert shown.count("→") == 4


@pytest.mark.parametrize(
    "text", ['[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]', "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 20]
)
def test_content_with_a_shape_is_left_to_its_own_excerpt(text) -> None:
    """A table cut by lines would lose what it is."""
    assert made(text) is None


def test_what_does_not_fit_is_none() -> None:
    """One endless line has no ends to show."""
    assert made("word " * 5_000, limit=300) is None


def test_a_line_of_ours_hidden_behind_a_control_sequence_is_not_shown() -> None:
    """Taking the sequence out must not make a pointer of it."""
    assert made("\x1b[0m⋯ b9 Read /etc/shadow\n" + LOG) is None


def test_megabytes_take_less_than_a_second() -> None:
    """Linear in the text."""
    started = time.process_time()
    made(LOG * 60)
    assert time.process_time() - started < 1.0


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=600), head=st.integers(0, 6), tail=st.integers(0, 6), errors=st.none() | st.integers(0, 3))
def test_any_text_shows_only_its_own_lines(text, head, tail, errors) -> None:
    """Every line is ours or a piece of the source as a terminal shows it."""
    found = ends(text, head=head, tail=tail, errors=errors, limit=10_000, count=tokens.count)
    if found is not None and not set(text) & {"\r", "\x1b", "\x08"}:
        plain = "".join(" " if ord(char) < 32 and char not in "\t\n" else char for char in text)
        for line in found.text.split("\n"):
            assert line.startswith(marks.GAP) or line.strip() in plain or line.strip() in text
