"""The nine recorded sessions, replayed: what `none` and `recorded` must say whatever the product does."""

from pathlib import Path

import pytest

from pumice.evaluate.options import Options
from pumice.evaluate.replay import File, Plan, replay_file, result
from pumice.faces import settings


@pytest.mark.recordings
def test_the_reference_policies_on_all_recordings(data: Path) -> None:
    """1,098 answered calls; the full history lacks nothing and breaks nothing, the client lost what frontier §2.3 says."""
    plan = Plan({"none": settings.policy("none"), "recorded": None}, Options(window=60_000))
    paths = sorted((data / "claude-code").glob("*.jsonl"))
    total = result([found for path in paths for found in replay_file(File(path, path.stem), plan)]).total
    full, recorded = total.policies["none"], total.policies["recorded"]
    assert total.calls == 1098
    assert (full.violations, full.altered_values, full.far_recall, full.line_recall) == (0, 0, 1.0, 1.0)
    assert full.cost_usd == pytest.approx(full.full_cost_usd, rel=1e-3)
    assert recorded.epochs == 8
    assert (recorded.last_read_exact, recorded.last3_reads_exact) == pytest.approx((0.947, 0.922), abs=0.002)
    assert (recorded.far_recall, recorded.line_recall) == pytest.approx((0.907, 0.868), abs=0.002)
