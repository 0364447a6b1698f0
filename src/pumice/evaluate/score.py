"""The score of a policy: what its calls add up to, over a session or over all of them."""

from typing import Any

import msgspec

from pumice.evaluate.metrics.cost import Bill, Money
from pumice.evaluate.metrics.further import Further
from pumice.evaluate.metrics.grounding import Grounding
from pumice.evaluate.metrics.reads import Reads
from pumice.evaluate.share import Share


class Score(msgspec.Struct, frozen=True):
    """Everything `replay` reports, as counts, so that sessions pool by adding up."""

    calls: int = 0
    bill: Bill = Bill(0, 0)
    full_tokens: int = 0
    overflows: int = 0
    violations: int = 0
    epochs: int = 0
    """Cuts: epochs begun after the session opened."""
    money: Money = Money()
    rules_found: int = 0
    rules: Share = Share()
    retention: Share = Share()
    grounding: Grounding = Grounding()
    after: Grounding = Grounding()
    """Calls after the recorded client's first compaction."""
    reads: Reads = Reads()
    altered: int = 0
    latencies: tuple[float, ...] = ()
    """Milliseconds of each compile; empty for what the product did not compile."""
    further: Further = Further()

    def __add__(self, other: "Score") -> "Score":
        return Score(*map(_sum, msgspec.structs.astuple(self), msgspec.structs.astuple(other)))


def _sum(one: Any, other: Any) -> Any:
    """Structs field by field; tuples are joined, and what is unknown on one side is unknown."""
    if isinstance(one, msgspec.Struct):
        return type(one)(*map(_sum, msgspec.structs.astuple(one), msgspec.structs.astuple(other)))
    return None if one is None or other is None else one + other
