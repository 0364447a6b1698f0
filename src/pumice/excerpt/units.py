"""Units: the pieces an excerpt is chosen from, the choice under a budget, and the text of what was chosen."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from pumice.domain import marks

FRAME, MUST, BODY, ENCODED, FAR = range(5)
"""Tiers: what an excerpt opens and closes with; what stays where it fits; the rest. Never shown: base64, and stretches far
from both ends of a very long text, which are not looked at line by line."""
_GAP_TOKENS = 5
APART = 10
"""Tokens added to the cost of every unit when values are compared: a unit alone needs a gap and says little."""
_GAP_CHARS = 14
"""A gap this small costs more to name than to show."""
_MISSES = 300
"""Units that may fail to fit in a row before the choice is over."""
_MANY = 100
"""A gap of so many lines says which ones, so that they can be asked for."""


class Unit(msgspec.Struct, frozen=True, gc=False):
    """A piece of the source: a line, a part of a long one, a row, a member; units follow each other in order."""

    start: int
    end: int
    row: int
    """Number of the line or item it belongs to, from 0."""
    tier: int = BODY
    value: float = 0.0


class Shape(msgspec.Struct, frozen=True):
    """A text cut into units by its content type."""

    kind: str
    units: Sequence[Unit]
    noun: str = "line"
    note: str = ""
    """Our own words above it: schema, counts; without the leading mark."""
    alike: Sequence[int] = ()
    """Number of the pattern of each unit, where repeated ones are worth naming."""
    text: str = ""
    """What the units are pieces of, where it is not the source itself."""
    is_numbered: bool = False
    """Every gap says which lines it stands for, so that each line shown has a number."""


class Choice(msgspec.Struct, frozen=True):
    """Positions of units, ascending, and the budgets for which just they are chosen: from `least` on and below `below`."""

    units: Sequence[int]
    least: float
    below: float

    def is_for(self, budget: float) -> bool:
        return self.least <= budget < self.below


def choose(shape: Shape, budget: float, costs: Sequence[float], order: Sequence[int]) -> Choice:
    """The units that fit a budget in tokens, taken in `order`, small gaps closed."""
    taken, spent, misses = bytearray(len(shape.units) + 2), 0.0, 0
    least, below = -math.inf, math.inf
    for at in order:
        price = spent + (costs[at] + (1 - taken[at] - taken[at + 2]) * _GAP_TOKENS)
        if price <= budget:
            taken[at + 1] = 1
            spent, misses = price, 0
            least = max(least, price)
        else:
            below = min(below, price)
            misses += 1
            if misses > _MISSES:
                break
    return Choice(_closed(shape.units, [at for at, is_taken in enumerate(taken, -1) if is_taken]), least, below)


def ranked(shape: Shape, costs: Sequence[float]) -> list[int]:
    """All positions by tier, value per token within a tier, then from both ends inwards."""
    units = shape.units
    tiers: list[list[int]] = [[], [], []]
    rest: list[int] = []
    for at, unit in enumerate(units):
        if unit.tier in (FRAME, MUST) or (unit.tier == BODY and unit.value > 0):
            tiers[unit.tier].append(at)
        elif unit.tier == BODY:
            rest.append(at)
    for tier in tiers:
        tier.sort(key=lambda at: -units[at].value / (costs[at] + APART))
    return [*tiers[FRAME], *tiers[MUST], *tiers[BODY], *inwards(rest)]


def render(text: str, shape: Shape, chosen: Sequence[int]) -> str:
    """The chosen units verbatim, adjoining ones joined as they stand in the source, gaps named by lines of ours."""
    out = [marks.gap(shape.note)] if shape.note else []
    at = -1
    for first, last in _runs(chosen):
        run = _without_blanks(text, shape.units, first, last)
        shown = text[shape.units[run[0]].start : shape.units[run[-1]].end].strip("\r\n") if run else ""
        if shown.strip():
            out += [*_gap(text, shape, at, run[0]), shown]
            at = run[-1]
    return "\n".join([*out, *_gap(text, shape, at, len(shape.units))])


def _without_blanks(text: str, units: Sequence[Unit], first: int, last: int) -> range:
    """The run without the empty lines at its ends, which the gaps beside it count."""
    while first <= last and not text[units[first].start : units[first].end].strip("\r\n"):
        first += 1
    while last >= first and not text[units[last].start : units[last].end].strip("\r\n"):
        last -= 1
    return range(first, last + 1)


def _closed(units: Sequence[Unit], chosen: list[int]) -> list[int]:
    out = chosen[:1]
    for before, after in pairwise(chosen):
        between = range(before + 1, after)
        is_small = 0 < len(between) <= 2 and units[after].start - units[before].end <= _GAP_CHARS
        if is_small and all(units[at].tier <= BODY for at in between):
            out += between
        out.append(after)
    return out


def inwards(rest: Sequence[int]) -> Iterator[int]:
    """The first, the last, the second, the last but one, and so on."""
    low, high = 0, len(rest) - 1
    while low <= high:
        yield rest[low]
        if low < high:
            yield rest[high]
        low, high = low + 1, high - 1


def _runs(chosen: Iterable[int]) -> Iterator[tuple[int, int]]:
    first = last = None
    for at in chosen:
        if last is not None and first is not None and at != last + 1:
            yield first, last
            first = at
        first = at if first is None else first
        last = at
    if first is not None and last is not None:
        yield first, last


def _gap(text: str, shape: Shape, before: int, after: int) -> list[str]:
    """One line for the units between two chosen ones; nothing where there are none, or only empty lines nobody counts."""
    units = shape.units[before + 1 : after]
    counts = shape.is_numbered and after < len(shape.units)
    if not units or (not counts and _is_empty(text, units)):
        return []
    first = shape.units[before].row + 1 if before >= 0 else units[0].row
    last = shape.units[after].row - 1 if after < len(shape.units) else units[-1].row
    rows = last - first + 1
    if rows > 0:
        few = "" if rows == 1 else "s"
        where = _where(first + 1, last + 1) if shape.is_numbered or (rows >= _MANY and not shape.text) else ""
        return [marks.gap(f"{rows} {shape.noun}{few}{where}{_like(shape, before, after)}")]
    encoded = " of base64" if all(unit.tier == ENCODED for unit in units) else ""
    return [marks.gap(f"{units[-1].end - units[0].start} characters{encoded}")]


def _is_empty(text: str, units: Sequence[Unit]) -> bool:
    return not text[units[0].start : units[-1].end].strip("\r\n") and all(unit.tier <= BODY for unit in units)


def _where(first: int, last: int) -> str:
    return f" ({first})" if first == last else f" ({first}–{last})"


def _like(shape: Shape, before: int, after: int) -> str:
    if not shape.alike or before < 0:
        return ""
    pattern = shape.alike[before]
    return " like the one above" if all(shape.alike[at] == pattern for at in range(before + 1, after)) else ""


def many(n: int, noun: str) -> str:
    """A number of things in words."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
