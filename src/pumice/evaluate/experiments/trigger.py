"""When to make room: the share of the window at which a cut is made, from 90% down to 60%."""

from pumice.domain.policy import Policy
from pumice.domain.policy import read as policy_read
from pumice.evaluate.experiments.experiment import (
    COST,
    CUTS,
    FAR,
    HIT,
    HONEST,
    INVALIDATED,
    LINE,
    LOST,
    OVER,
    PEAK,
    VIEW,
    Experiment,
    Value,
    table,
)
from pumice.evaluate.lab import Lab

ACTS = (0.90, 0.80, 0.70, 0.60)
QUESTION = "A cut is made at 90% of the window, or earlier: what does it cost, and what is lost?"


def trigger(lab: Lab) -> Experiment:
    rows = [lab.under(acting(act), name=named(act)).row(named(act)) for act in ACTS]
    columns = (COST, HONEST, VIEW, PEAK, CUTS, HIT, INVALIDATED, FAR, LINE, LOST, OVER)
    return table("trigger", QUESTION, columns, rows, changed(rows[0], rows[-1]))


def acting(act: float) -> Policy:
    """What any policy does without a word, at another trigger."""
    return policy_read.build({"budget.act": act}, name=named(act))


def named(act: float) -> str:
    return f"at {act:.0%}"


def changed(before: dict[str, Value], after: dict[str, Value]) -> str:
    """What the second arm has more or less of than the first."""
    points = [
        f"{title} {_points(before[key], after[key])}" for key, title in (("cost", "cost"), ("far", "far"), ("line", "line"))
    ]
    counts = [f"{_number(after[key]) - _number(before[key]):+,} {title}" for key, title in _COUNTED]
    return f"{before['name']} → {after['name']}: {', '.join(counts)}; points: {', '.join(points)}"


_COUNTED = (("cuts", "cuts"), ("peak", "tokens in the largest request"), ("lost", "names lost"))


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _points(before: Value, after: Value) -> str:
    if isinstance(before, (int, float)) and isinstance(after, (int, float)):
        return f"{100 * (after - before):+.1f}"
    return "unknown"
