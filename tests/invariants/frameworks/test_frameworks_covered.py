"""Every report of other frameworks' users (frameworks §3) that concerns compaction has a test that names its row."""

import ast
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROWS = {
    *(1, 2, 3, 4, 6, 7, 8, 10, 11, 13, 15, 16, 17),
    *(19, 20, 21, 23, 24, 25, 26, 27, 28, 30, 31),
    *(32, 33, 34, 37, 38, 39, 40, 41),
    *(42, 43, 45, 46, 48, 49, 50, 51, 53, 54),
}
"""Numbers of broken pairs, lost meaning, loops and thresholds, counting and cost; the missing ones are not in the list."""
OTHERS = {
    45: "a strategy that its framework never called: there is one call here, and whoever makes it gets the view or an error"
}
"""Rows that only concern the API of a framework, and why."""


def named() -> set[int]:
    """Rows that the tests of this folder name, `test_row_33_…` or `test_rows_33_41_…`."""
    names = [
        node.name
        for file in sorted(HERE.glob("test_frameworks_*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    found = (re.match(r"test_rows?_((?:\d+_)+)", name) for name in names)
    return {int(number) for match in found if match for number in match[1].split("_")[:-1]}


def test_every_row_has_a_test_or_a_reason_here() -> None:
    """A row whose test is removed is missed, and so is a reason that a test has made idle."""
    assert sorted(ROWS - named() - OTHERS.keys()) == []
    assert sorted(named() - ROWS) == [], "no such row"
    assert sorted(named() & OTHERS.keys()) == [], "has a test, needs no reason"
