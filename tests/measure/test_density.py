"""Density says how much of a view was read twice, said twice or never used."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pumice.measure.density import Density, Shown, by_tool, density, newest_uses, used_at

shown = st.builds(
    Shown,
    st.sampled_from("abcd"),
    st.integers(0, 900),
    st.integers(-1, 9),
    st.sampled_from(["", "Read a.py", "Read b.py"]),
    st.sampled_from(["", "Read", "Bash"]),
)


def test_reads_of_what_was_read_before_are_counted() -> None:
    """Fetching the same file a second time is a re-read, another file is not."""
    blocks = [Shown(str(place), 100, fetch=fetch) for place, fetch in enumerate(["a.py", "b.py", "a.py", "", "a.py"])]
    assert density(blocks, since=1).reread_rate == 0.5


def test_a_block_is_referenced_by_what_was_said_after_it() -> None:
    """An entity used only before the view was sent does not make the block worth its tokens."""
    newest = newest_uses([(1, frozenset({"old_name"})), (4, frozenset({"parse_line"})), (2, frozenset({"parse_line"}))])
    assert newest == {"old_name": 1, "parse_line": 4}
    names = [{"parse_line", "old_name"}, {"old_name"}, {"read_file"}]
    blocks = [Shown(str(place), 100 + 100 * place, used_at(found, newest)) for place, found in enumerate(names)]
    assert density(blocks, since=1).unreferenced_share == 0.5
    assert density(blocks, since=4).unreferenced_share == pytest.approx(5 / 6)
    assert density(blocks, since=5).unreferenced_share == 1.0


def test_exact_repeats_are_counted_by_their_tokens() -> None:
    """The second of two equal blocks is what could have been a pointer."""
    blocks = [Shown("same", 300), Shown("same", 300), Shown("other", 400)]
    assert density(blocks, since=0).repeated_share == pytest.approx(0.3)


def test_an_empty_view_has_no_shares() -> None:
    """Unknown is None, not nought."""
    found = density([], since=0)
    assert (found.reread_rate, found.unreferenced_share, found.repeated_share) == (None, None, None)


@given(st.lists(shown, max_size=12), st.integers(0, 9))
def test_no_share_is_above_the_whole(blocks: list[Shown], since: int) -> None:
    """What is counted is part of the view, and tools share no more than all of it."""
    found = density(blocks, since=since)
    assert found.tokens == sum(block.tokens for block in blocks)
    assert all(
        share is None or 0 <= share <= 1 for share in (found.reread_rate, found.unreferenced_share, found.repeated_share)
    )
    assert sum(by_tool(blocks).values()) <= found.tokens
    assert found + Density() == found
    assert (found + found).unreferenced_share == found.unreferenced_share
