"""Partitions: how much of the window each may take, who lends to whom, and in which order they give way (F-B3)."""

from collections.abc import Mapping, Sequence

import msgspec

from pumice.domain.policy import Policy, Shares
from pumice.domain.policy import read as policy_read
from pumice.errors import BadPolicy
from pumice.evaluate.experiments.experiment import (
    COST,
    CUTS,
    EXAMPLES,
    FAR,
    HONEST,
    LINE,
    LOST,
    VIEW,
    Column,
    Experiment,
    Value,
    table,
)
from pumice.evaluate.experiments.means import whole
from pumice.evaluate.lab import Lab
from pumice.measure.window import usable

ORDERS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "tools, then history": {"cut_order": ("tools", "history")},
    "history, then tools": {"cut_order": ("history", "tools")},
    "oldest of all": {"order": ("recent",)},
}
"""Cut orders as a policy says them: results are offloaded, history is summed up; or whole steps go."""
SYSTEM = "system, then tools"
REFUSED = Column("refused", "refused", "words")


def partitions(lab: Lab) -> Experiment:
    """What each partition of the largest request takes beside its share of usable, and what the others leave it."""
    held = lab.under(whole(), name="partitions").parts
    room = usable(Policy("any").budget, model=lab.recording.model, window=lab.window).tokens
    budgets = {name: round(share * room) for name, share in msgspec.structs.asdict(Shares()).items()}
    rows = shares(budgets, held)
    columns = (
        Column("budget", "share of usable", "tokens", is_drawn=True), Column("held", "held", "tokens", is_drawn=True),
        Column("over", "over", "tokens"), Column("borrows", "borrows", "tokens"), Column("must_free", "must free", "tokens"),
    )  # fmt: skip
    over = sum(held.values()) - room
    said = f"the largest request takes {sum(held.values()):,} of {room:,} tokens: {max(0, over):,} must go"
    return table("partitions", "Each partition has a share of the window: who is over, and who lends?", columns, rows, said)


def shares(budgets: Mapping[str, int], held: Mapping[str, int]) -> list[dict[str, Value]]:
    """What each partition is over its budget by; what others leave is lent to all that are, each by what it lacks."""
    over = {name: max(0, held.get(name, 0) - budget) for name, budget in budgets.items()}
    left = sum(max(0, budget - held.get(name, 0)) for name, budget in budgets.items())
    lent = min(1.0, left / sum(over.values())) if sum(over.values()) else 0.0
    lending = {name: round(lent * lacks) for name, lacks in over.items()}
    rows: list[dict[str, Value]] = []
    for name, budget in budgets.items():
        figures = {"budget": budget, "held": held.get(name, 0), "over": over[name], "borrows": lending[name]}
        rows.append({"name": name, **figures, "must_free": over[name] - lending[name]})
    return rows


def cut_order(lab: Lab) -> Experiment:
    """The same session cut in each order; a list that names system is refused."""
    rows = [lab.under(saying(said), name=name).row(name) for name, said in ORDERS.items()]
    rows.append({"name": SYSTEM, "refused": refusal()})
    columns = (COST, HONEST, VIEW, CUTS, FAR, LINE, LOST, EXAMPLES, REFUSED)
    best = max(rows[:-1], key=lambda row: (float(str(row["line"] or 0)), str(row["name"])))
    return table("cut-order", "In which order do partitions give way?", columns, rows, f"most lines stand with: {best['name']}")


def saying(values: Mapping[str, Sequence[str]]) -> Policy:
    """What any policy does without a word, but for some values."""
    return policy_read.build(values, name="-".join(values))


def refusal() -> str:
    """What a policy file is told that puts the system prompt into the cut list."""
    try:
        policy_read.read({"cut_order": ["system", "tools", "history"]}, name="exercise")
    except BadPolicy as error:
        return str(error)
    return ""
