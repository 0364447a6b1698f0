"""What calls cost: by kind of token, by partition, by session, and how resending a history adds up."""

from collections.abc import Iterable, Sequence
from itertools import accumulate

import msgspec

from pumice.measure.cache import Hit
from pumice.measure.prices import Prices


class Cost(msgspec.Struct, frozen=True):
    """USD of one call, or of many added up."""

    plain: float = 0.0
    """Input that is neither read from a cache nor written to one."""
    read: float = 0.0
    written: float = 0.0
    output: float = 0.0

    @property
    def input(self) -> float:
        return self.plain + self.read + self.written

    @property
    def total(self) -> float:
        return self.input + self.output

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.plain + other.plain, self.read + other.read, self.written + other.written, self.output + other.output)


class Part(msgspec.Struct, frozen=True):
    """A stretch of a request in its order: whose budget it is on, and its tokens."""

    partition: str
    tokens: int


class Point(msgspec.Struct, frozen=True):
    """One call on the curve of a session; sums run from its first call."""

    call: int
    input: int
    """Tokens of this call's request."""
    sent: int
    """Sum of all requests so far."""
    uncached: float
    """USD of their input had there been no cache."""
    cached: float
    """USD of their input with everything but the growth read from a cache that is never cold."""


def of_call(hit: Hit, prices: Prices, *, output: int = 0, long: bool = False) -> Cost:
    """USD of a call; above a price tier every token of the request costs the tier's price. `long`: the dearer cache entry."""
    paid = prices.at(hit.input)
    write = paid.write_long if long else paid.write
    return Cost(hit.plain * paid.input, hit.read * paid.read, hit.written * write, output * paid.output)


def of_session(calls: Iterable[Cost]) -> Cost:
    """USD of all calls together."""
    return sum(calls, Cost())


def by_partition(parts: Sequence[Part], hit: Hit, prices: Prices) -> dict[str, float]:
    """USD of a call's input by partition, in the order of first appearance: what stands first is what the cache reads."""
    paid = prices.at(hit.input)
    spent: dict[str, float] = {}
    place = 0
    for part in parts:
        end = place + part.tokens
        read, kept = _within(place, end, 0, hit.read), _within(place, end, hit.read, hit.read + hit.written)
        usd = read * paid.read + kept * paid.write + (part.tokens - read - kept) * paid.input
        spent[part.partition] = spent.get(part.partition, 0.0) + usd
        place = end
    return spent


def curve(sizes: Sequence[int], prices: Prices) -> list[Point]:
    """How resending adds up over a session's requests: N calls of steady growth send O(N²) tokens, cached or not (F-A3)."""
    sent = accumulate(sizes)
    uncached = accumulate(size * prices.at(size).input for size in sizes)
    cached = accumulate(of_call(_grown(before, size), prices).input for before, size in zip((0, *sizes), sizes, strict=False))
    return [
        Point(call, size, total, without, within)
        for call, (size, total, without, within) in enumerate(zip(sizes, sent, uncached, cached, strict=True), 1)
    ]


def _grown(before: int, size: int) -> Hit:
    """A request that repeats the one before and adds to it; one that shrank shares nothing that is known."""
    return Hit(before, size - before) if size >= before else Hit(0, size)


def _within(start: int, end: int, low: int, high: int) -> int:
    return max(0, min(end, high) - max(start, low))
