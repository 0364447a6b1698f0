"""What tokens of a model cost, from the shipped table."""

from functools import lru_cache
from typing import NamedTuple

import msgspec

from pumice.domain import book
from pumice.measure import models, tables
from pumice.measure.naming import ModelName, parse

_PER_MILLION = 1_000_000


class Relative(NamedTuple):
    """Prices as multiples of plain input."""

    fresh: float
    """Input that was not in the cache: written to it, where that costs extra."""
    read: float


class Tier(msgspec.Struct, frozen=True):
    """USD per token of the whole request once its input is above `above` tokens."""

    above: int
    input: float
    read: float
    write: float
    write_long: float
    output: float


class Prices(msgspec.Struct, frozen=True):
    """USD per token; input read from a cache that has no price of its own costs what input costs."""

    input: float
    read: float
    write: float
    write_long: float
    output: float
    tiers: tuple[Tier, ...] = ()
    """Lowest limit first."""
    source: str = ""

    def relative(self) -> Relative:
        """Fresh and cached input as multiples of plain input; the tiers move both alike."""
        if not self.input:
            return Relative(1.0, 1.0)
        return Relative(round(self.write / self.input, 6), round(self.read / self.input, 6))

    def at(self, input_tokens: int) -> "Prices":
        """The prices a request of so much input pays for every one of its tokens."""
        reached = [tier for tier in self.tiers if input_tokens > tier.above]
        if not reached:
            return self
        tier = reached[-1]
        return Prices(tier.input, tier.read, tier.write, tier.write_long, tier.output, self.tiers, self.source)


@lru_cache(maxsize=1024)
def of(model: str) -> Prices | None:
    """Prices of a model by any spelling of its name; None when unknown, never a guess."""
    row = tables.row(parse(model))
    return from_row(row, f"price table {tables.shipped().date}") if row else None


def from_row(row: tables.Row, source: str) -> Prices | None:
    """A table row's prices per token; None for a row without any."""
    if row.price is None:
        return None
    tiers = tuple(Tier(tier.above, *_filled(tier)) for tier in sorted(row.tiers, key=lambda tier: tier.above))
    return Prices(*_filled(row.price), tiers, source)


def relative(model: str) -> Relative:
    """Fresh and cached input as multiples of plain input, by the family's rules where no price is known."""
    known = of(model)
    if known is not None:
        return known.relative()
    rules = models.facts(model).cache
    return Relative(rules.write, rules.read)


def tiers(model: str) -> tuple[book.Tier, ...]:
    """Dearer prices of larger requests as multiples of plain input, lowest limit first; none where no price is known."""
    known = of(model)
    if known is None or not known.input:
        return ()
    return tuple(
        book.Tier(tier.above, round(tier.write / known.input, 6), round(tier.read / known.input, 6)) for tier in known.tiers
    )


def _filled(price: tables.Price) -> tuple[float, float, float, float, float]:
    write = price.input if price.write is None else price.write
    read = price.input if price.read is None else price.read
    long = write if price.write_long is None else price.write_long
    values = (price.input, read, write, long, price.output)
    return tuple(value / _PER_MILLION for value in values)  # type: ignore[return-value]


@lru_cache(maxsize=256)
def cheapest(model: str) -> str:
    """The model of the same vendor and generation whose input costs least; the model itself where nothing is known of it."""
    name = parse(model)
    known = tables.row(name)
    if known is None:
        return model
    rows = tables.shipped().models.items()
    peers = [(row.price.input, other) for other, row in rows if row.price is not None and _is_peer(name, known, other, row)]
    return min(peers)[1] if peers else model


def _is_peer(name: ModelName, known: tables.Row, other: str, row: tables.Row) -> bool:
    is_same = row.provider == known.provider and parse(other).generation[:1] == name.generation[:1]
    return is_same and row.price is not None and row.price.input > 0 and (row.window or 0) >= (known.window or 0)
