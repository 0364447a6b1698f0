"""Two judges that share no code say the same of the same views, to the third digit."""

from pathlib import Path

import pytest
from judge import judge, read_dump
from judge_log import Reader, read_log

from pumice.evaluate.options import Options
from pumice.evaluate.replay import File, Plan, replay_file, result
from pumice.evaluate.result import PolicyResult
from pumice.faces import settings

COMMON = {
    "far cases": lambda found: found.far_cases,
    "far": lambda found: found.far_recall,
    "far reach": lambda found: found.reachable_recall,
    "far line": lambda found: found.line_recall,
    "near line": lambda found: found.near_line_recall,
    "far after": lambda found: found.far_recall_after_compaction,
    "far after line": lambda found: found.line_recall_after_compaction,
    "read": lambda found: found.last_read_exact,
    "reads": lambda found: found.last3_reads_exact,
    "cost": lambda found: found.cost_usd / found.full_cost_usd,
    "honest": lambda found: found.honest_cost_usd / found.full_cost_usd,
}


def _agree(found: PolicyResult, second: dict[str, float]) -> None:
    for name, of in COMMON.items():
        value = of(found)
        assert value is None or value == pytest.approx(second[name], abs=5e-4), name
    assert found.input_tokens == pytest.approx(second["tokens"], rel=1e-6)


@pytest.mark.parametrize("name", [pytest.param("98-78b713483d-0", marks=pytest.mark.recordings), "d3-7d736cbc10-0"])
def test_the_judges_agree_on_a_recording(data: Path, tmp_path: Path, name: str) -> None:
    """One session with a client compaction in it and one without, as recorded and under the default policy."""
    path = data / "claude-code" / f"{name}.jsonl"
    policies = {"recorded": None, "balanced": settings.policy("balanced")}
    runs = replay_file(File(path, name), Plan(policies, Options(window=60_000), dump=tmp_path))
    session, found = read_log(path, Reader()), result(runs).sessions[0]
    for policy in policies:
        _agree(found.policies[policy], judge(session, read_dump(tmp_path / name / policy, Reader())))
