"""Cache reads of recorded sessions, foretold by the simulator and set beside what the provider billed (F-A5)."""

from collections.abc import Iterator

import msgspec

from pumice import wire
from pumice.domain.message import Usage
from pumice.measure import cache, models
from pumice.measure.cache import Cache, Hit, Unit
from pumice.recordings.recording import RecordedCall, Recording


class Missed(msgspec.Struct, frozen=True):
    call: int
    tokens: int
    """They were to be read and were not, beyond what an estimate may be off."""


class Foretold(msgspec.Struct, frozen=True):
    """All calls of a session that have a bill and a time."""

    calls: int
    predicted: int
    reported: int
    missed: tuple[Missed, ...]


def of_session(recording: Recording) -> Foretold:
    """What the cache was to hold of the recorded client's requests, and what it did."""
    found = [(call.number, cache.compare(hit, usage)) for call, hit, usage in replayed(recording)]
    return Foretold(
        calls=len(found),
        predicted=sum(one.predicted for _, one in found),
        reported=sum(one.reported for _, one in found),
        missed=tuple(Missed(call, one.missed) for call, one in found if one.missed),
    )


def replayed(recording: Recording) -> Iterator[tuple[RecordedCall, Hit, Usage]]:
    """Foretold and reported input of each call; a message is as large as the growth it came with."""
    dialect, simulated = wire.get(recording.dialect), Cache(models.facts(recording.model).cache)
    sizes: list[float] = []
    before = 0
    for call in recording.calls:
        usage = dialect.read_response(call.response).usage if call.response else None
        if usage is None or usage.is_sum or call.at is None:
            continue
        keys = recording.messages[: call.upto] if call.recorded is None else call.recorded
        if usage.input < before or len(keys) < len(sizes):
            sizes, before = [], 0
        new = len(keys) - len(sizes)
        sizes += [(usage.input - before) / new] * new if new else []
        before = usage.input
        units = [Unit(key, round(size)) for key, size in zip(keys, sizes, strict=True)]
        hit, simulated = simulated.see(units, at=call.at)
        yield call, hit, usage
