"""The figures of an epoch for its manifest: what its cut freed and costs, level by level, and the questions it asked."""

from collections.abc import Iterable, Sequence

import msgspec

from pumice.domain.decision import Cut, Step


class LevelRow(msgspec.Struct, frozen=True):
    """What one level did, or `fitted` after them all; sizes in calibrated tokens of messages."""

    level: str
    before: int
    after: int
    ratio: float
    """After over before."""
    left: int
    """Blocks folded, dropped or shortened by it once all have run."""
    asked: int
    """Questions it has put to a model, or will."""
    freed: int = 0
    """Tokens that left the view."""
    cost_usd: float | None = 0.0
    """Of its questions to a model; None where that is not known. Rewriting the cache is the cut's cost, not a level's."""
    lost: int = 0
    """Names a person, the model or a sub-agent used that it took out and that stand nowhere now; all can be read back."""
    names: tuple[str, ...] = ()
    """The most important of them."""
    answered: int = 0
    """Questions that a model has answered, well or not."""


class Purpose(msgspec.Struct, frozen=True):
    """Questions to a model that were put for one reason."""

    name: str
    """`summary`, `merge`, `judge`, `extract`, `probe`."""
    asked: int = 0
    """Open ones among them."""
    answered: int = 0
    cost_usd: float | None = 0.0
    """As far as it is known; None where nothing of it is."""


class Asked(msgspec.Struct, frozen=True):
    """Questions to a model that were put for an epoch."""

    questions: int = 0
    failed: int = 0
    """Of them, those without a usable answer."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    """As far as their usage is reported and their model has a price; None where that is so of none that was answered."""
    cost_tokens: float = 0.0
    """The same in tokens of the lane's plain input; 0 where that has no price."""
    purposes: tuple[Purpose, ...] = ()
    """By what was asked for."""


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
    if calls is not None and asked.cost_tokens:
        calls = known.calls_for(known.within(calls) + asked.cost_tokens)
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
        levels=tuple(
            _row(step, [one for one in asked.purposes if one.name in _ASKS.get(step.level, ())]) for step in cut.steps
        ),
        asked=asked,
    )


def summed(costs: Iterable[float | None]) -> float | None:
    """The sum of what is known; None where there is something and nothing of it is known."""
    told = list(costs)
    known = [cost for cost in told if cost is not None]
    return sum(known) if known or not told else None


def _row(step: Step, asked: Sequence[Purpose]) -> LevelRow:
    return LevelRow(
        step.level,
        step.before,
        step.after,
        round(step.after / step.before, 4) if step.before else 1.0,
        step.left,
        sum(one.asked for one in asked),
        step.before - step.after,
        summed(one.cost_usd for one in asked if one.answered),
        answered=sum(one.answered for one in asked),
    )
