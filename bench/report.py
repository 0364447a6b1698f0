"""Rows as a table or as JSON."""

import json
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from bench.row import Row

WIDTH = 150
"""Columns where the output is no terminal."""
MET = {True: "yes", False: "[bold red]no[/]", None: ""}


def table(rows: Sequence[Row]) -> None:
    """Print what, number, target, met."""
    made = Table("what", "number", "target", "met", "note", box=None, pad_edge=False)
    for row in rows:
        target = "" if row.target is None else f"≤ {row.target:g} {row.unit}"
        made.add_row(row.what, _number(row), target, MET[row.is_met], row.note)
    Console(width=None if sys.stdout.isatty() else WIDTH).print(made)


def as_json(rows: Sequence[Row]) -> None:
    print(json.dumps({"rows": [row.as_json() for row in rows]}, indent=1))


def _number(row: Row) -> str:
    return "—" if row.value is None else f"{row.value:,.{2 if row.value < 100 else 0}f} {row.unit}"
