"""The ruler for entities agrees with the table it is written from, on anything, in linear time."""

import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice.measure import entities

EXAMPLES = [
    ("see https://a.example/x?y=1), then stop.", [("https://a.example/x?y=1", "url")]),
    ("id 0f8fad5b-d9cb-469f-a165-70867728950e done", [("0f8fad5b-d9cb-469f-a165-70867728950e", "uuid")]),
    ("commit 5bebb3b: fix", [("5bebb3b", "hash")]),
    ("open ./src/pumice/errors.py:", [("/src/pumice/errors.py", "path")]),
    ("~/notes/todo.md and ../up/there", [("~/notes/todo.md", "path"), ("/up/there", "path")]),
    ("wasInstalled OrderTotal Plain", [("wasInstalled", "camel"), ("OrderTotal", "camel")]),
    ("max_tokens __init__ a_b", [("max_tokens", "snake")]),
    ("run pre-commit-hook now", [("pre-commit-hook", "kebab")]),
    ("fmt.Fprintf(os.args)", [("fmt.Fprintf", "dotted"), ("os.args", "dotted")]),
    ("255→ 12 007", [("255", "number"), ("007", "number")]),
    ("改 配置/路径.yaml 第123行", [("配置/路径.yaml", "path")]),
    ("deadbeef-tail/of.path", [("deadbeef", "hash"), ("-tail/of.path", "path")]),
]

TABLE = re.compile(
    r"""(?P<url>https?://[^\s"'<>)\]]+)
    |(?P<uuid>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)
    |(?P<hash>\b[0-9a-f]{7,40}\b)
    |(?P<path>(?:~|\.{1,2})?/?(?:[\w.@+-]+/)+[\w.@+-]+)
    |(?P<camel>\b[a-z]+[A-Z]\w{2,}\b|\b[A-Z][a-z0-9]+[A-Z]\w*\b)
    |(?P<snake>\b[A-Za-z]\w*_\w+\b)
    |(?P<kebab>\b[a-z][a-z0-9]*(?:-[a-z0-9]+){1,}\b)
    |(?P<dotted>\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\b)
    |(?P<number>\b\d{3,}\b)""",
    re.VERBOSE,
)

PIECES = [
    *"aB_-./0f~@+ :,;h1é中\n\")'",
    "http",
    "https://",
    "abcdef0",
    "0123abcd-0123-abcd-0123-0123456789ab",
    "word ",
    "Total ",
]
fragments = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)


def by_table(text: str) -> list[tuple[str, str]]:
    found = [(m.group().strip(".,:;"), str(m.lastgroup)) for m in TABLE.finditer(text)]
    return [(name, kind) for name, kind in found if len(name) >= 4 or name.isdigit()]


@pytest.mark.parametrize(("text", "expected"), EXAMPLES)
def test_each_class_is_found_in_the_order_of_the_table(text: str, expected: list[tuple[str, str]]) -> None:
    """Each of the nine classes is recognised, and an earlier class wins over a later one."""
    assert [(e.text, e.kind) for e in entities.find(text)] == expected


def test_the_reference_lines_agree() -> None:
    """The ruler finds what entities.jsonl lists, the lines every published figure was taken with."""
    path = Path(__file__).resolve().parents[3] / "shared" / "reference" / "entities.jsonl"
    if not path.is_file():
        pytest.skip("the reference lines are not on this machine (../shared/reference)")
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert len(rows) >= 200
    for row in rows:
        assert entities.names(row["line"]) == frozenset(row["entities"]), row["line"]


@given(st.one_of(st.text(), fragments))
@settings(max_examples=150)
def test_the_fast_expression_finds_exactly_what_the_table_says(text: str) -> None:
    """Skipping words and starting paths once per run changes speed, never a match."""
    assert [(e.text, e.kind) for e in entities.find(text)] == by_table(text)


@given(st.one_of(st.text(), fragments))
def test_matches_are_substrings_and_never_overlap(text: str) -> None:
    """Offsets point at the entity, in rising order, so a line can be cut out around it."""
    end = 0
    for entity in entities.find(text):
        assert text[entity.start : entity.end] == entity.text
        assert entity.start >= end
        end = entity.end


@given(st.lists(fragments, max_size=4))
def test_a_text_has_the_entities_of_its_lines(lines: list[str]) -> None:
    """Searching a whole block gives the same as searching it line by line, so an index may do either."""
    text = "\n".join(lines)
    assert [e.text for e in entities.find(text)] == [e.text for line in text.split("\n") for e in entities.find(line)]


@given(st.lists(fragments, max_size=5))
def test_many_texts_are_searched_at_once(texts: list[str]) -> None:
    """One search over many texts gives each the names and kinds it has by itself, in the same order."""
    assert [list(found.items()) for found in entities.kinds_of_each(texts)] == [
        list(entities.kinds(text).items()) for text in texts
    ]


@pytest.mark.parametrize("unit", ["a", "abcdef0-", "-.-", "a/ ", "~/", "A_", "1-", "word ", "x."])
def test_a_hostile_line_takes_linear_time(unit: str) -> None:
    """A megabyte without a line end is read in seconds at worst, where a naive path pattern takes hours."""
    text = unit * (1_000_000 // len(unit)) + "://"
    started = time.perf_counter()
    entities.find(text)
    assert time.perf_counter() - started < 10
