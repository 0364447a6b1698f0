"""A provider's prompt cache, foretold: what of a request it reads, writes and takes plainly, and whether it then did."""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import msgspec

from pumice.domain.message import Usage
from pumice.measure.models import CacheRules

_KEPT = 24
"""Entries remembered; a request writes at most four and reads the newest, so older ones are out of reach or time."""
_TOLERANCE_SHARE, _TOLERANCE = 0.05, 256
"""How far reported reads may lie below the foretold before it counts as a miss: sizes are estimates."""


class Unit(NamedTuple):
    """One piece of a request as the cache compares it: a tool, a system block or a content block."""

    key: bytes
    """Equal keys are the same bytes to the provider, cache markers aside."""
    tokens: int


class Hit(msgspec.Struct, frozen=True):
    """Input tokens of one request by how they are billed."""

    read: int
    written: int
    plain: int = 0

    @property
    def input(self) -> int:
        """All of it."""
        return self.read + self.written + self.plain


class Entry(msgspec.Struct, frozen=True):
    """A prefix the provider holds."""

    keys: tuple[bytes, ...]
    """Keys of the request that wrote it; the first `length` are the prefix."""
    length: int
    until: float
    """Seconds; from then on it is gone."""
    long: bool = False


class Cache(msgspec.Struct, frozen=True):
    """What a provider is thought to hold of one lane."""

    rules: CacheRules
    entries: tuple[Entry, ...] = ()
    """Newest last."""

    def see(
        self, units: Sequence[Unit], *, at: float, markers: Sequence[int] | None = None, long: bool = False
    ) -> tuple[Hit, "Cache"]:
        """What a request sent `at` seconds hits, and what the provider holds afterwards.

        `markers` are positions of units that carry a cache marker; None takes the last unit. They count only where the
        provider asks for them. Order and time rules: provider-contracts §1.4, §3.4.
        """
        keys, sizes = tuple(unit.key for unit in units), tuple(accumulate(unit.tokens for unit in units))
        ends = self._ends(len(units), markers)
        alive = [entry for entry in self.entries if entry.until > at]
        found, length = self._longest(alive, keys, ends)
        if not length or self._cacheable(sizes, length) == 0:
            found, length = None, 0
        written = [end for end in ends if end > length and self._cacheable(sizes, end)]
        fresh = [Entry(keys, end, at + self._ttl(long), long) for end in written]
        kept = [_renewed(entry, at + self._ttl(entry.long)) if entry is found else entry for entry in alive]
        return self._hit(sizes, length, written), Cache(self.rules, tuple([*kept, *fresh][-_KEPT:]))

    def _ends(self, count: int, markers: Sequence[int] | None) -> list[int]:
        """Lengths of the prefixes this request offers to write."""
        if not self.rules.marked or markers is None:
            return [count] if count else []
        return sorted({marker + 1 for marker in markers if 0 <= marker < count})

    def _longest(self, alive: Sequence[Entry], keys: tuple[bytes, ...], ends: Sequence[int]) -> tuple[Entry | None, int]:
        best: tuple[Entry | None, int] = (None, 0)
        for entry in reversed(alive):
            length = self._reach(entry, keys, ends)
            if length > best[1]:
                best = (entry, length)
        return best

    def _reach(self, entry: Entry, keys: tuple[bytes, ...], ends: Sequence[int]) -> int:
        """How much of a request an entry answers: all it shares with it or, with markers, exactly itself or nothing."""
        if not self.rules.marked:
            return common(entry.keys[: entry.length], keys)
        near = any(0 <= end - entry.length < (self.rules.lookback or end + 1) for end in ends)
        return entry.length if near and keys[: entry.length] == entry.keys[: entry.length] else 0

    def _cacheable(self, sizes: Sequence[int], length: int) -> int:
        """Tokens of a prefix that are cached: none below the minimum, whole steps above."""
        tokens = sizes[length - 1] if length else 0
        return tokens // self.rules.step * self.rules.step if tokens >= self.rules.min_tokens else 0

    def _hit(self, sizes: Sequence[int], length: int, written: Sequence[int]) -> Hit:
        total = sizes[-1] if sizes else 0
        read = self._cacheable(sizes, length)
        end = sizes[written[-1] - 1] if written else read
        return Hit(read, max(0, end - read), total - max(read, end))

    def _ttl(self, long: bool) -> int:
        return self.rules.ttl_long if long else self.rules.ttl


class Comparison(msgspec.Struct, frozen=True):
    """Foretold against reported cache reads of one call, tokens."""

    predicted: int
    reported: int

    @property
    def missed(self) -> int:
        """Tokens that were to be read and were not, beyond what an estimate may be off; 0 when all went as foretold."""
        slack = max(_TOLERANCE, round(self.predicted * _TOLERANCE_SHARE))
        return max(0, self.predicted - self.reported) if self.predicted - self.reported > slack else 0


def compare(predicted: Hit, reported: Usage) -> Comparison:
    """What the provider said about a call, beside what was foretold; a miss after an edit is a bug (K-C8)."""
    return Comparison(predicted.read, reported.cache_read)


def common(first: Sequence[bytes], second: Sequence[bytes]) -> int:
    """How many units two requests have in common at their beginning."""
    shared = min(len(first), len(second))
    if first[:shared] == second[:shared]:
        return shared
    return next(place for place in range(shared) if first[place] != second[place])


def _renewed(entry: Entry, until: float) -> Entry:
    return msgspec.structs.replace(entry, until=until)
