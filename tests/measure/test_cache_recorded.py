"""Foretold cache reads of recorded sessions stand beside what was billed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pumice import recordings, wire
from pumice.domain.message import Usage
from pumice.measure import models
from pumice.measure.cache import Cache, Hit, Unit
from pumice.recordings.recording import Recording

pytestmark = pytest.mark.recordings


def replayed(recording: Recording) -> Iterator[tuple[Hit, Usage]]:
    """Foretold and reported input of each call; a message is as large as the growth it came with."""
    dialect, cache = wire.get(recording.dialect), Cache(models.facts(recording.model).cache)
    sizes: list[float] = []
    before = 0
    for call in recording.calls:
        usage = dialect.read_response(call.response).usage if call.response else None
        if usage is None or call.at is None:
            continue
        keys = recording.messages[: call.upto] if call.recorded is None else call.recorded
        if usage.input < before or len(keys) < len(sizes):
            sizes, before = [], 0
        new = len(keys) - len(sizes)
        sizes += [(usage.input - before) / new] * new if new else []
        before = usage.input
        found, cache = cache.see([Unit(key, round(size)) for key, size in zip(keys, sizes, strict=True)], at=call.at)
        yield found, usage


def test_reads_of_all_sessions_are_foretold_within_two_points(data: Path) -> None:
    """Pooled over the recorded sessions the simulator reads the share of input that was billed as read (F-A5)."""
    foretold = reported = total = 0
    for path in sorted((data / "claude-code").glob("*.jsonl")):
        for recording in recordings.open(path):
            for found, usage in list(replayed(recording))[1:]:
                foretold, reported, total = foretold + found.read, reported + usage.cache_read, total + usage.input
    assert total > 100_000_000
    assert abs(foretold - reported) / total < 0.02, f"{foretold / total:.3f} foretold, {reported / total:.3f} reported"
