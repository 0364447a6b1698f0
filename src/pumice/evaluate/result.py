"""What `replay --json` prints: frozen shapes, the fields of the contract in its order (DESIGN §5), then further ones (F-G4)."""

import statistics
from collections.abc import Sequence
from typing import Any

import msgspec

from pumice.errors import CannotFit
from pumice.evaluate.score import Score

DIGITS = 6


class Latency(msgspec.Struct, frozen=True):
    """Milliseconds a compile took; None for a policy the product does not compile."""

    p50: float | None
    p99: float | None


class PolicyResult(msgspec.Struct, frozen=True):
    """A policy on a session, or pooled over all; None is unknown."""

    input_tokens: int
    full_tokens: int
    overflows: int
    violations: int
    epochs: int
    cache_read_tokens: int
    cache_hit_share: float | None
    cost_usd: float | None
    full_cost_usd: float | None
    honest_cost_usd: float | None
    output_cost_usd: float | None
    constraints_found: int
    constraint_survival: float | None
    entity_retention: float | None
    grounding_recall: float | None
    far_cases: int
    far_recall: float | None
    reachable_recall: float | None
    line_recall: float | None
    near_line_recall: float | None
    far_recall_after_compaction: float | None
    line_recall_after_compaction: float | None
    rereads: int
    last_read_exact: float | None
    last3_reads_exact: float | None
    altered_values: int
    latency_ms: Latency
    continuation: float | None
    """Share of the structural probes that the first view after a cut answers in full."""
    rework: int
    """Recorded changes made again of which nothing stood in the view."""
    repeated_questions: int
    """Recorded questions put to a person again whose answer did not stand in the view."""
    citation_accuracy: float | None
    """Share of the lines quoted under the name of a block that stand in that block."""
    prefix_invalidation_rate: float | None
    """Share of calls whose view does not extend the one before."""
    invalidated_tokens: int


class SessionResult(msgspec.Struct, frozen=True):
    file: str
    format: str
    calls: int
    skipped_lines: int
    tokens_factor: float
    unseen_head_tokens: int
    policies: dict[str, PolicyResult]


class Worst(msgspec.Struct, frozen=True):
    file: str
    value: float


class PooledResult(PolicyResult, frozen=True):
    """Pooled over cases, so long sessions weigh more; `median` and `worst` tell about single ones."""

    median: dict[str, float | None]
    worst: dict[str, Worst]


class Total(msgspec.Struct, frozen=True):
    calls: int
    policies: dict[str, PooledResult]


class Part(msgspec.Struct, frozen=True):
    name: str
    tokens: int


class Unfit(msgspec.Struct, frozen=True):
    """What a call needed, and what it had."""

    budget: int
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, error: CannotFit) -> "Unfit":
        return cls(error.budget, tuple(Part(name, tokens) for name, tokens in error.parts))


class ReplayResult(msgspec.Struct, frozen=True, omit_defaults=True):
    sessions: list[SessionResult]
    total: Total
    error: str = ""
    """CannotFit when a policy had a call that could not be made to fit; the first one's budget and parts follow."""
    budget: int | None = None
    parts: tuple[Part, ...] = ()


HIGH_IS_BAD = (
    "overflows",
    "violations",
    "rereads",
    "altered_values",
    "rework",
    "repeated_questions",
    "prefix_invalidation_rate",
)
LOW_IS_BAD = (
    "cache_hit_share", "constraint_survival", "entity_retention", "grounding_recall", "far_recall", "reachable_recall",
    "line_recall", "near_line_recall", "far_recall_after_compaction", "line_recall_after_compaction", "last_read_exact",
    "last3_reads_exact", "continuation", "citation_accuracy",
)  # fmt: skip
COSTS = ("cost_usd", "honest_cost_usd")
"""The worst is the session with the largest share of its own full cost."""


def policy_result(score: Score) -> PolicyResult:
    """A score as it is printed."""
    grounding, after, further = score.grounding, score.after, score.further
    return PolicyResult(
        input_tokens=score.bill.tokens,
        full_tokens=score.full_tokens,
        overflows=score.overflows,
        violations=score.violations,
        epochs=score.epochs,
        cache_read_tokens=score.bill.cached,
        cache_hit_share=_round(score.bill.cached / score.bill.tokens if score.bill.tokens else None),
        cost_usd=_round(score.money.cost),
        full_cost_usd=_round(score.money.full),
        honest_cost_usd=_round(score.money.honest),
        output_cost_usd=_round(score.money.output),
        constraints_found=score.rules_found,
        constraint_survival=_round(score.rules.value),
        entity_retention=_round(score.retention.value),
        grounding_recall=_round(grounding.recall.value),
        far_cases=grounding.far.of,
        far_recall=_round(grounding.far.value),
        reachable_recall=_round(grounding.reachable.value),
        line_recall=_round(grounding.line.value),
        near_line_recall=_round(grounding.near_line.value),
        far_recall_after_compaction=_round(after.far.value),
        line_recall_after_compaction=_round(after.line.value),
        rereads=score.reads.again,
        last_read_exact=_round(score.reads.last.value),
        last3_reads_exact=_round(score.reads.last_three.value),
        altered_values=score.altered,
        latency_ms=latency(score.latencies),
        continuation=_round(further.continuation.value),
        rework=further.redone,
        repeated_questions=further.asked,
        citation_accuracy=_round(further.citations.value),
        prefix_invalidation_rate=_round(further.prefix.moved.value),
        invalidated_tokens=further.prefix.invalidated,
    )


def latency(milliseconds: Sequence[float]) -> Latency:
    """Median and 99th percentile (nearest rank)."""
    ranked = sorted(milliseconds)
    if not ranked:
        return Latency(None, None)
    rank = max(0, -(-99 * len(ranked) // 100) - 1)
    return Latency(_round(statistics.median(ranked)), _round(ranked[rank]))


def pooled(scores: Sequence[tuple[str, Score]]) -> PooledResult:
    """The scores of one policy, each with its session's file, pooled."""
    whole = policy_result(sum((score for _, score in scores), Score()))
    single = [(file, policy_result(score)) for file, score in scores]
    fields = {field: getattr(whole, field) for field in PolicyResult.__struct_fields__}
    return PooledResult(**fields, median=_median([found for _, found in single]), worst=_worst(single))


def _median(results: Sequence[PolicyResult]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for field in PolicyResult.__struct_fields__:
        if field != "latency_ms":
            known = [value for value in (getattr(result, field) for result in results) if value is not None]
            found[field] = _round(statistics.median(known)) if known else None
    return found


def _worst(results: Sequence[tuple[str, PolicyResult]]) -> dict[str, Worst]:
    found: dict[str, Worst] = {}
    for field in (*COSTS, *HIGH_IS_BAD, *LOW_IS_BAD):
        known = [(badness, at) for at, (_, one) in enumerate(results) if (badness := _badness(one, field)) is not None]
        if known:
            file, one = results[max(known, key=lambda case: case[0])[1]]
            found[field] = Worst(file, getattr(one, field))
    return found


def _badness(result: PolicyResult, field: str) -> float | None:
    value = getattr(result, field)
    if value is None:
        return None
    if field in COSTS:
        return cost_share(value, result.full_cost_usd)
    return float(value) if field in HIGH_IS_BAD else -float(value)


def cost_share(cost: float | None, full: float | None) -> float | None:
    """A cost as a share of what the full history costs on the same calls."""
    return cost / full if cost is not None and full else None


def _round(value: Any) -> Any:
    return value if value is None else round(value, DIGITS)
