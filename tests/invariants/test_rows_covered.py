"""Every known failure of other agents (coding-agents §5) that concerns what exists has a test that names it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROWS = """
    A1 A2 A3 A5 A6 A7 A9 A11 A13  B1 B2 B3 B4 B6 B7 B9 B11  C1 C2 C4 C5 C7 C9 C11 C12  D1 D2 D3 D5 D7
    E1 E2 E3 E5 E7 E9 E10 E11  F1 F3 F4 F6 F7  G1 G2 G3 G5 G6 G8  H1 H2 H3 H5 H6 H8  I1 I2 I4 I5 I7
    J1 J2 J4 J5 J6  K1 K2 K3 K5 K7  L1 L2 L4 L5 L7 L8  M1 M2 M3 M4 M6 M8 M9  N2 N3 N4 N6 N7 N9
""".split()
LATER = {
    "B2": "a summary that a model left empty: nothing here asks a model",
    "B7": "a model whose quota is used up: nothing here asks a model",
    "C11": "a model's summary cut off by its own reasoning: nothing here asks a model",
    "M9": "sections of a summary that are clipped when shown: there is no summary yet",
    "J4": "thought signatures on function calls: they are of a dialect that is not built",
    "J5": "compaction items only their provider can read: nothing here makes or needs one",
    "J6": "a provider's own compaction asked of one that has none: nothing here asks for it",
}
"""Rows without a test, and why; an id leaves this list when what it concerns is built."""


def tests() -> Iterator[tuple[str, str]]:
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
    covered = {row for name, docstring in tests() for row in named(name, docstring)}
    assert sorted(set(ROWS) - covered - LATER.keys()) == []
    assert sorted(covered - set(ROWS)) == [], "no such row"
