"""Phrases say what a query asks of a line; the lines that answer best come first."""

import pytest

from pumice.measure.phrases import Corpus, Line, best, is_in, read, spelled


@pytest.mark.parametrize(
    ("query", "every", "some"),
    [
        ("push to main", ("push", "to", "main"), ("push", "to", "main")),
        ('"push to main" now', ("push to main", "now"), ("push to main", "now")),
        ("src/app.py:173 E1234", ("src app py 173", "e1234"), ("src app py 173", "e1234")),
        ("mod3_17(", ("mod3 17",), ("mod3 17",)),
        ("退款政策HT-2024", ("退款 款政 政策 ht 2024",), ("退款", "款政", "政策", "ht 2024")),
        ("-> ( )", (), ()),
        ("退", (), ("退",)),
        ("第3章 退款", (), ("第", "3", "章", "退款")),
        ("the the", ("the",), ("the",)),
        ('"', (), ()),
    ],
)
def test_a_query_falls_into_phrases(query: str, every: tuple[str, ...], some: tuple[str, ...]) -> None:
    """A word or what stands in quotes is one phrase; names never fall apart, CJK runs do where any word may do."""
    asked = read(query)
    assert (asked.every, asked.some) == (every, some)


def test_a_phrase_is_whole_pieces_side_by_side() -> None:
    """Half a piece is none, and pieces apart are no phrase."""
    line = spelled("at src/app.py:173")
    assert is_in("app py", line)
    assert not is_in("pp py", line)
    assert not is_in("src py", line)


def order(*lines: str, holders: dict[str, int]) -> list[str]:
    found = [Line(f"b{number}", 1, line) for number, line in enumerate(lines, 1)]
    corpus = Corpus(100, 500, holders)
    return [line.block for line in best(found, corpus, 10)]


def test_what_is_rare_said_often_and_short_comes_first() -> None:
    """The three parts of BM25: rarity of the phrase, how often it is said, how long the line is."""
    assert order("the build", "the e1", holders={"the": 90, "e1": 1}) == ["b2", "b1"]
    assert order("a b b b", "a b c d", holders={"b": 5}) == ["b1", "b2"]
    assert order("b of a long long line", "b", holders={"b": 5}) == ["b2", "b1"]


def test_a_phrase_that_follows_itself_is_counted_each_time() -> None:
    """Neighbours share no space."""
    assert order("b b b c", "b b c c", holders={"b": 5}) == ["b1", "b2"]


def test_of_equals_the_newest_block_comes_first_and_its_lines_in_order() -> None:
    """Names count up: b10 is newer than b9."""
    lines = [Line("b9", 1, "x"), Line("b10", 2, "x"), Line("b10", 1, "x")]
    assert [(line.block, line.number) for line in best(lines, Corpus(9, 9, {"x": 3}), 9)] == [("b10", 1), ("b10", 2), ("b9", 1)]
