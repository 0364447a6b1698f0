"""Terms find a text by its words, its names and their parts, in any script; the best of many texts comes first."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice.measure.terms import Bm25, terms


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("at src/app.py:173, then", ["src/app.py:173", "src/app.py", "app.py", "src", "app", "py", "173"]),
        ("raised E1234.", ["raised", "e1234"]),
        ("def parse_line_end(x)", ["parse_line_end", "parse", "line", "end"]),
        ("readFile HTTPServer", ["readfile", "read", "file", "httpserver", "http", "server"]),
        ("user@example.com", ["user@example.com", "example.com", "user"]),
        ("v2.13.1-rc1", ["v2.13.1-rc1", "rc1"]),
        (r"C:\src\app.py", [r"c:\src\app.py", "app.py"]),
        ("合同编号HT-2024", ["合同", "同编", "编号", "ht-2024", "2024"]),
        ("退款。單", ["退款", "單"]),
        ("データベース 접속", ["デー", "ース", "접속"]),
        ("café CAFÉ cafe\u0301", ["café"]),
        ("ＡＢＣ１２３", ["abc123"]),
    ],
)
def test_a_name_is_found_whole_and_by_its_parts(text: str, wanted: list[str]) -> None:
    """Every form in which somebody would look for a name is a term of it."""
    assert set(wanted) <= set(terms(text))


def test_words_stand_in_order_and_once_for_each_time_they_are_said() -> None:
    """A plain word is one term; counts are those of the text."""
    assert terms("The plan: the Plan.") == ["the", "plan", "the", "plan"]


def test_encoded_data_is_no_name() -> None:
    """A run of a thousand characters is nothing anybody looks for, and its pieces stay short."""
    assert all(len(term) <= 120 for term in terms("a" * 1000 + "/" + "b" * 30))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_has_the_terms_of_its_small_letters(text: str) -> None:
    """Nothing raises, no term is empty or holds white space, and asking again gives the same."""
    found = terms(text)
    assert found == terms(text)
    assert all(term and not any(c.isspace() for c in term) for term in found)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab_-./:@+\\1合同", max_size=12), max_size=6))
def test_a_word_of_a_text_is_found_by_itself(words: list[str]) -> None:
    """What stands between spaces is found by the same word as a query, if it has any term."""
    known = set(terms(" ".join(words)))
    assert all(set(terms(word)) <= known for word in words)


def test_terms_of_hostile_text_take_linear_time() -> None:
    """Joints without end, mixed scripts and long runs are no trap."""
    started = time.perf_counter()
    for piece in ("a.", "a/", "_a", "aB", "合a", "::", "-", "a" * 50 + ":"):
        terms(piece * (400_000 // len(piece)))
    assert time.perf_counter() - started < 8


def ranked(documents: list[tuple[str, str]], query: str, limit: int = 10) -> list[str]:
    index = Bm25()
    for name, text in documents:
        index.add(name, text)
    return [name for name, _ in index.rank(query, limit)]


def test_rare_terms_count_more_than_common_ones() -> None:
    """The document with the telling word comes before those with the word that all have."""
    documents = [(f"b{n}", "the build of the project failed") for n in range(8)]
    assert ranked([*documents, ("b9", "the signature E1234")], "failed E1234")[0] == "b9"


def test_a_short_text_beats_a_long_one_with_the_same_word() -> None:
    """A hit among many other words says less."""
    assert ranked([("b1", "refund"), ("b2", "refund " + "other words here " * 30)], "refund") == ["b1", "b2"]


def test_of_equals_the_newest_comes_first() -> None:
    """Ties are decided by what came last, so the order never depends on anything else."""
    assert ranked([("b1", "same words"), ("b2", "same words"), ("b3", "none")], "words", 1) == ["b2"]


def test_a_two_letter_chinese_word_is_found_inside_a_sentence() -> None:
    """Chinese has no spaces: any word of two letters is a term wherever it stands."""
    documents = [("b1", "客户要求退款三百元"), ("b2", "合同编号在第二页"), ("b3", "明天交付")]
    assert ranked(documents, "退款") == ["b1"]
    assert ranked(documents, "合同编号") == ["b2"]


def test_a_document_can_be_added_in_parts() -> None:
    """A known document is found by each text it was added with."""
    index = Bm25()
    index.add("b1", "first part")
    index.add("b1", "second half")
    assert (len(index), [name for name, _ in index.rank("half", 5)], index.rank("nothing", 5)) == (1, ["b1"], [])
    assert index.rank("first", 0) == []
