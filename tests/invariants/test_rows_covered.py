"""Every known failure of other agents (coding-agents §5) that concerns what exists has a test that names it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
NUMBERS = {
    "A": (1, 2, 3, 5, 6, 7, 9, 11, 13),
    "B": (1, 2, 3, 4, 6, 7, 9, 11),
    "C": (1, 2, 4, 5, 7, 9, 11, 12),
    "D": (1, 2, 3, 5, 7),
    "E": (1, 2, 3, 5, 7, 9, 10, 11),
    "F": (1, 3, 4, 6, 7),
    "G": (1, 2, 3, 5, 6, 8),
    "H": (1, 2, 3, 5, 6, 8),
    "I": (1, 2, 4, 5, 7),
    "J": (1, 2, 4, 5, 6),
    "K": (1, 2, 3, 5, 7),
    "L": (1, 2, 4, 5, 7, 8),
    "M": (1, 2, 3, 4, 6, 8, 9),
    "N": (2, 3, 4, 6, 7, 9),
}
ROWS = {f"{letter}{number}" for letter, numbers in NUMBERS.items() for number in numbers}
LATER: dict[str, str] = {}
"""Rows without a test, and why; an id leaves this list when what it concerns is built."""


def functions() -> Iterator[tuple[str, str]]:
    """Name and docstring of every test function."""
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield node.name if file.parent.name == "rows" else "", ast.get_docstring(node) or ""


def named(name: str, docstring: str) -> Iterator[str]:
    """Ids a test says it is of: `B-A13` in its docstring, `test_a13_…` among the rows."""
    yield from re.findall(r"\bB-([A-N]\d+)\b", docstring)
    found = re.match(r"test_((?:[a-n]\d+_)+)", name)
    yield from found[1].upper().split("_")[:-1] if found else ()


def test_every_row_has_a_test_or_a_reason() -> None:
    """A row whose test is removed is missed here."""
    covered = {row for name, docstring in functions() for row in named(name, docstring)}
    assert sorted(ROWS - covered - LATER.keys()) == []
    assert sorted(covered - ROWS) == [], "no such row"
    assert sorted(covered & LATER.keys()) == [], "has a test, needs no reason"
