"""Density says how much of a view was read twice, said twice or never used."""

import pytest

from pumice.measure.density import Shown, Used, density


def shown(at: int, content: str, *names: str, tokens: int = 100, fetch: str = "") -> Shown:
    return Shown(at, content, tokens, frozenset(names), fetch)


def test_reads_of_what_was_read_before_are_counted() -> None:
    """Fetching the same file a second time is a re-read, another file is not."""
    blocks = [shown(place, str(place), fetch=fetch) for place, fetch in enumerate(["a.py", "b.py", "a.py", "a.py"])]
    assert density(blocks, []).reread_rate == 0.5


def test_a_block_is_referenced_by_what_was_said_after_it() -> None:
    """An entity used only before the block came does not make the block worth its tokens."""
    blocks = [shown(1, "one", "parse_line"), shown(3, "two", "read_file"), shown(5, "three", "old_name", tokens=200)]
    responses = [Used(0, frozenset({"old_name"})), Used(4, frozenset({"parse_line", "read_file"}))]
    assert density(blocks, responses).unreferenced_share == 0.5


def test_exact_repeats_are_counted_by_their_tokens() -> None:
    """The second of two equal blocks is what could have been a pointer."""
    blocks = [shown(0, "same", tokens=300), shown(1, "same", tokens=300), shown(2, "other", tokens=400)]
    assert density(blocks, []).repeated_share == pytest.approx(0.3)


def test_an_empty_view_has_no_shares() -> None:
    """Unknown is None, not nought."""
    found = density([], [])
    assert (found.reread_rate, found.unreferenced_share, found.repeated_share) == (None, None, None)
