"""An experiment as it is told: a question, its arms side by side as figures, and what the figures say."""

from collections.abc import Mapping
from typing import Literal

import msgspec

Value = str | int | float | None
Unit = Literal["share", "tokens", "usd", "count", "words"]


class Column(msgspec.Struct, frozen=True):
    """A figure of every arm."""

    key: str
    title: str
    unit: Unit
    is_drawn: bool = False
    """Shown as bars too."""


class Experiment(msgspec.Struct, frozen=True):
    key: str
    question: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Value], ...]
    """One arm each: its `name`, and the columns by their keys."""
    found: tuple[str, ...]
    """What the figures say, one sentence each; made from them."""


def table(key: str, question: str, columns: tuple[Column, ...], rows: list[dict[str, Value]], *found: str) -> Experiment:
    """An experiment whose rows hold its columns and nothing else."""
    keys = ("name", *(column.key for column in columns))
    kept = tuple({key: row.get(key) for key in keys} for row in rows)
    return Experiment(key, question, columns, kept, tuple(filter(None, found)))


def shown(value: Value, unit: Unit) -> str:
    """A figure as a person reads it; what is not known is a dash."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if unit == "share":
        return f"{100 * value:.1f}%"
    return f"${value:.4f}" if unit == "usd" else f"{value:,.0f}"


COST = Column("cost", "cost", "share", is_drawn=True)
HONEST = Column("honest", "honest", "share")
VIEW = Column("view", "mean view", "tokens")
PEAK = Column("peak", "largest", "tokens")
CUTS = Column("cuts", "cuts", "count")
OVER = Column("overflows", "over", "count")
HIT = Column("hit", "cache hits", "share")
INVALIDATED = Column("invalidated", "sent anew", "tokens")
FAR = Column("far", "far", "share")
LINE = Column("line", "line", "share")
REACH = Column("reach", "reach", "share")
RULES = Column("rules", "rules", "share")
CONTINUES = Column("continuation", "goes on", "share")
LOST = Column("lost", "names lost", "count", is_drawn=True)
EXAMPLES = Column("examples", "such as", "words")
