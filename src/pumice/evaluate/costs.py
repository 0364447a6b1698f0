"""What sessions cost, with and without management: by kind of token, by partition, and as resending adds up (F-A3)."""

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import msgspec

from pumice.domain.manifest import Manifest
from pumice.evaluate import foretold
from pumice.evaluate.follow import follow
from pumice.evaluate.foretold import Foretold
from pumice.evaluate.judge import Seen
from pumice.evaluate.metrics.cost import Bill
from pumice.evaluate.replay import Plan, Tick, no_tick
from pumice.measure import cost, prices
from pumice.measure.cache import Hit
from pumice.measure.cost import Cost, Part, Point
from pumice.measure.prices import Prices

DIGITS = 6


class Spent(msgspec.Struct, frozen=True):
    """USD of the input."""

    read: float
    written: float
    total: float
    without_cache: float
    """The same requests, had nothing been cached."""


class PolicyCost(msgspec.Struct, frozen=True):
    """One policy on one session; USD is null where the model's prices are not known."""

    input_tokens: int
    read_tokens: int
    """Of the input, what extends the view before: it comes from the cache."""
    usd: Spent | None
    share: float | None
    """Cost over that of the full history, cached alike."""
    by_partition: dict[str, float] | None
    """USD of the input by partition; null for `recorded` too, which has no manifest."""
    so_far: tuple[float, ...] | None
    """USD up to each call."""


class SessionCost(msgspec.Struct, frozen=True):
    file: str
    model: str
    calls: int
    full: tuple[Point, ...]
    """The full history sent at every call, without and with a cache; empty where prices are not known."""
    policies: dict[str, PolicyCost]
    cache: Foretold
    """The recorded client's own requests."""


def measure(file: Path, plan: Plan, tick: Tick = no_tick) -> list[SessionCost]:
    """The cost of every session of a file under the plan's policies. Raises BadRecording, UnknownDialect, StoreError."""
    return [
        SessionCost(
            file=recording.file,
            model=runs.model,
            calls=runs.calls,
            full=next((tuple(one.track.full()) for one in runs.policies.values()), ()),
            policies={name: one.track.result() for name, one in runs.policies.items()},
            cache=foretold.of_session(recording),
        )
        for recording, runs in follow(file, plan, lambda one: Watch(plan.options.model or one.model), tick)
    ]


class Watch:
    """Follows one policy through one session."""

    def __init__(self, model: str) -> None:
        self._prices = prices.of(model)
        self._bills: list[Bill] = []
        self._full: list[Bill] = []
        self._parts: Counter[str] = Counter()
        self._has_parts = True

    def add(self, seen: Seen) -> None:
        """Take a view in."""
        self._bills.append(seen.bill)
        self._full.append(seen.full)
        if seen.manifest is None:
            self._has_parts = False
        elif self._prices is not None:
            parts = list(_parts(seen.manifest, seen.bill.tokens))
            self._parts.update(cost.by_partition(parts, _hit(seen.bill), self._prices))

    def full(self) -> list[Point]:
        """How resending the full history adds up; it only grows, however the token factor is corrected on the way."""
        sizes = list(accumulate((bill.tokens for bill in self._full), max))
        return [] if self._prices is None else cost.curve(sizes, self._prices)

    def result(self) -> PolicyCost:
        """The figures of all views so far."""
        paid = self._prices
        spent = [] if paid is None else [cost.of_call(_hit(bill), paid) for bill in self._bills]
        full = 0.0 if paid is None else cost.of_session(cost.of_call(_hit(bill), paid) for bill in self._full).input
        return PolicyCost(
            input_tokens=sum(bill.tokens for bill in self._bills),
            read_tokens=sum(bill.cached for bill in self._bills),
            usd=None if paid is None else self._spent(cost.of_session(spent), paid),
            share=round(cost.of_session(spent).input / full, DIGITS) if full else None,
            by_partition=_rounded(self._parts) if self._has_parts and paid is not None else None,
            so_far=None if paid is None else tuple(round(usd, DIGITS) for usd in accumulate(one.input for one in spent)),
        )

    def _spent(self, found: Cost, paid: Prices) -> Spent:
        bare = cost.of_session(cost.of_call(Hit(0, 0, bill.tokens), paid) for bill in self._bills)
        usd = (found.read, found.written, found.input, bare.input)
        return Spent(*(round(value, DIGITS) for value in usd))


def _hit(bill: Bill) -> Hit:
    """What is fresh is written to the cache, as a replay bills it."""
    return Hit(bill.cached, bill.fresh)


def _parts(manifest: Manifest, tokens: int) -> Iterator[Part]:
    """The request in its order, by whose budget each part is on, scaled to what the request was billed."""
    rows = [row for row in manifest.rows if row.tokens]
    whole = sum(row.tokens for row in rows) or 1
    ends = [round(end * tokens / whole) for end in accumulate(row.tokens for row in rows)]
    for row, start, end in zip(rows, [0, *ends], ends, strict=False):
        yield Part(row.partition, end - start)


def _rounded(parts: Counter[str]) -> dict[str, float]:
    return {name: round(usd, DIGITS) for name, usd in sorted(parts.items(), key=lambda part: -part[1])}
