"""The figures of an epoch for its manifest: what its cut freed and costs, level by level, and the questions it asked."""

from collections.abc import Mapping

import msgspec

from pumice.domain.decision import Cut, Step


class LevelRow(msgspec.Struct, frozen=True):
    """What one level did; sizes in calibrated tokens of messages."""

    level: str
    before: int
    after: int
    ratio: float
    """After over before."""
    left: int
    """Blocks that it folded, dropped or shortened."""
    asked: int
    """Questions to a model it still had after the last plan."""
    freed: int = 0
    """Tokens that left the view."""
    cost_usd: float = 0.0
    """Of its questions to a model, as far as that is known; rewriting the cache is the cut's cost, not a level's."""
    lost: int = 0
    """Names a person or the model has used that it took out and that stand nowhere in view now; all can be read back."""
    names: tuple[str, ...] = ()
    """The most important of them."""


class Asked(msgspec.Struct, frozen=True):
    """Questions to a model that were put for an epoch."""

    questions: int = 0
    failed: int = 0
    """Of them, those without a usable answer."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    """As far as their usage is reported and their model has a price."""
    cost_tokens: float = 0.0
    """The same in tokens of the lane's plain input; 0 where that has no price."""
    costs: tuple[tuple[str, float], ...] = ()
    """Dollars by what was asked for: `summary`, `merge`, `judge`, `extract`, `probe`."""


class Figures(msgspec.Struct, frozen=True):
    """What an epoch was begun for, what it cost, and when that comes back."""

    before: int
    after: int
    growth: float
    """Mean growth per call."""
    calls: int
    fresh_price: float
    read_price: float
    """Prices relative to the input price of the model."""
    stays: int
    """Tokens the view begins with that were not written again."""
    break_even_calls: float | None
    """Calls after which the cut, its questions included, has paid for itself; None when it never does."""
    necessary: bool
    levels: tuple[LevelRow, ...]
    asked: Asked


_ASKS = {"summarize": ("summary", "merge"), "extract": ("extract",), "offload": ("judge",)}
"""What levels ask a model for."""


def of(cut: Cut | None, asked: Asked) -> Figures | None:
    """The figures of a cut; None where there is none."""
    known = cut.economics if cut is not None else None
    if cut is None or known is None:
        return None
    calls = known.break_even_calls
    if calls is not None and known.saved > 0:
        calls += asked.cost_tokens / known.saved
    return Figures(
        before=known.before,
        after=known.after,
        growth=known.growth,
        calls=known.calls,
        fresh_price=known.fresh_price,
        read_price=known.read_price,
        stays=known.stays,
        break_even_calls=calls,
        necessary=cut.necessary,
        levels=tuple(_row(step, dict(asked.costs)) for step in cut.steps),
        asked=asked,
    )


def _row(step: Step, costs: Mapping[str, float]) -> LevelRow:
    ratio = round(step.after / step.before, 4) if step.before else 1.0
    cost = sum(costs.get(purpose, 0.0) for purpose in _ASKS.get(step.level, ()))
    return LevelRow(step.level, step.before, step.after, ratio, step.left, step.asked, step.before - step.after, cost)
