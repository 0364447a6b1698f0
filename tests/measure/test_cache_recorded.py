"""Foretold cache reads of recorded sessions stand beside what was billed."""

from pathlib import Path

import pytest

from pumice import recordings
from pumice.evaluate.foretold import replayed

pytestmark = pytest.mark.recordings


def test_reads_of_all_sessions_are_foretold_within_two_points(data: Path) -> None:
    """Pooled over the recorded sessions the simulator reads the share of input that was billed as read (F-A5)."""
    foretold = reported = total = 0
    for path in sorted((data / "claude-code").glob("*.jsonl")):
        for recording in recordings.open(path):
            for _, found, usage in list(replayed(recording))[1:]:
                foretold, reported, total = foretold + found.read, reported + usage.cache_read, total + usage.input
    assert total > 100_000_000
    assert abs(foretold - reported) / total < 0.02, f"{foretold / total:.3f} foretold, {reported / total:.3f} reported"
