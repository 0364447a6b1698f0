"""Scan: where the newest line of each entity stands in a text."""

from hypothesis import given
from hypothesis import strategies as st

from pumice.compact.scan import LONG_LINE, PIECE_CHARS, PLACE, scan
from pumice.measure import entities

WORDS = st.sampled_from(
    ["parse_line", "src/app.py", "plain", "4711", "\n", " ", "HttpClient", "→", "重构", "a.b", "," * 3, "x" * 90]
)


@given(st.lists(WORDS, max_size=300).map(lambda words: " ".join(words)))
def test_every_entity_stands_in_its_own_piece(text: str) -> None:
    """Whatever the text, each entity is found, and the piece it is filed under holds it."""
    found = scan(text)
    assert found.names.keys() == entities.names(text)
    for name, (piece, _) in found.names.items():
        at = found.pieces[piece]
        assert name in text[at.start : at.end]
        assert text.count("\n", 0, at.start) + 1 == at.line


def test_a_name_is_filed_under_its_last_line() -> None:
    """Only the newest line of a name has its value."""
    found = scan("load_page first\nnothing here\nload_page again")
    assert [piece.line for piece in found.pieces] == [3]


def test_a_piece_of_a_very_long_line_shows_both_sides_of_its_name() -> None:
    """A line over 600 characters is kept around its entities, 200 characters each way, so that it still tells something."""
    text = "word " * 300 + "find_me" + " word" * 300
    [piece] = scan(text).pieces
    assert piece.end - piece.start < LONG_LINE
    at = text.index("find_me")
    assert at - piece.start >= PIECE_CHARS // 2 <= piece.end - at - len("find_me")


def test_a_piece_cuts_no_number_in_two() -> None:
    """A piece may not show digits that are part of a longer number: that would be another value."""
    text = "9" * 150 + " " + "8" * 190 + " find_me " + "7" * 190 + " " + "6" * 100 + " end_of_it"
    for piece in scan(text).pieces:
        assert piece.start == 0 or not text[piece.start - 1].isalnum()
        assert piece.end == len(text) or not text[piece.end].isalnum()


def test_a_number_behind_a_path_says_where_something_stands() -> None:
    """A finding names a line of a file; any other number, also one behind a time or a key, is only a number."""
    text = 'see src/app.py:120 and explain.go:645: unused\nsrc/app.py 130, 2026-01-09T10:145\n{"port":8080} (140)'
    kinds = {name: kind for name, (_, kind) in scan(text).names.items()}
    assert [name for name, kind in kinds.items() if kind == PLACE] == ["120", "645"]
    assert {kinds[name] for name in ("130", "8080", "140")} == {"number"}
