"""What `replay --json` prints: exactly the fields of the contract, pooled over cases, with median and worst."""

import msgspec
import pytest

from pumice.evaluate.metrics.cost import Bill, Money
from pumice.evaluate.metrics.grounding import Grounding
from pumice.evaluate.result import (
    PolicyResult,
    ReplayResult,
    SessionResult,
    Total,
    latency,
    policy_result,
    pooled,
)
from pumice.evaluate.score import Score
from pumice.evaluate.share import Share

FIELDS = (
    "input_tokens", "full_tokens", "overflows", "violations", "epochs", "cache_read_tokens", "cache_hit_share", "cost_usd",
    "full_cost_usd", "honest_cost_usd", "output_cost_usd", "constraints_found", "constraint_survival", "entity_retention",
    "grounding_recall", "far_cases", "far_recall", "reachable_recall", "line_recall", "near_line_recall",
    "far_recall_after_compaction", "line_recall_after_compaction", "rereads", "last_read_exact", "last3_reads_exact",
    "altered_values", "latency_ms",
)  # fmt: skip
FURTHER = (
    "continuation", "rework", "repeated_questions", "citation_accuracy", "prefix_invalidation_rate", "invalidated_tokens",
)  # fmt: skip
"""What F-G4 adds; it stands behind the contract."""


def _score(far: Share, cost: float, full: float, *, overflows: int = 0) -> Score:
    grounding = Grounding(far=far)
    return Score(1, Bill(10, 30), 80, overflows, money=Money(cost, full, cost, 0.5), grounding=grounding, latencies=(1.0, 3.0))


def test_the_fields_are_the_contract_in_its_order() -> None:
    """DESIGN §5 names them; others build on the order."""
    assert PolicyResult.__struct_fields__ == (*FIELDS, *FURTHER)
    names = ("file", "format", "calls", "skipped_lines", "tokens_factor", "unseen_head_tokens", "policies")
    assert SessionResult.__struct_fields__ == names
    printed = msgspec.json.encode(ReplayResult([], Total(1, {"none": pooled([("a", Score())])})))
    total = msgspec.json.decode(printed)["total"]["policies"]["none"]
    assert tuple(total) == (*FIELDS, *FURTHER, "median", "worst")


def test_unknown_is_null() -> None:
    """No case, no price and no compile are not zero."""
    found = policy_result(Score(money=Money(None, None, None, None)))
    assert found.far_recall is found.cost_usd is found.cache_hit_share is found.latency_ms.p50 is None
    assert found.far_cases == 0


def test_shares_pool_over_cases_not_over_sessions() -> None:
    """One lost of ten and one lost of two are two lost of twelve."""
    found = pooled([("a", _score(Share(9, 10), 1.0, 2.0)), ("b", _score(Share(1, 2), 3.0, 2.0))])
    assert found.far_recall == pytest.approx(10 / 12, abs=1e-6)
    assert found.cost_usd == 4.0
    assert found.cache_hit_share == 0.75


def test_the_worst_session_is_named_by_its_file() -> None:
    """Low recall, high counts, and the dearest share of its own full history."""
    scores = [("a", _score(Share(9, 10), 5.0, 10.0)), ("b", _score(Share(1, 2), 3.0, 2.0, overflows=2))]
    worst = pooled(scores).worst
    assert (worst["far_recall"].file, worst["far_recall"].value) == ("b", 0.5)
    assert (worst["cost_usd"].file, worst["cost_usd"].value) == ("b", 3.0)
    assert (worst["overflows"].file, worst["overflows"].value) == ("b", 2)
    assert pooled(scores).median["far_recall"] == 0.7


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    """A sum that leaves a session out would look cheap."""
    found = pooled([("a", _score(Share(), 1.0, 2.0)), ("b", Score(money=Money(None, None, None, None)))])
    assert found.cost_usd is None


def test_latencies_are_ranked() -> None:
    """Median, and the 99th percentile by nearest rank."""
    assert (latency([5.0, 1.0, 3.0]).p50, latency([float(n) for n in range(1, 101)]).p99) == (3.0, 99.0)
