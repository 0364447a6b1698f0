"""Sessions of Codex through the commands: a recorded one in its items, replayed and compacted in its own format."""

import json
from pathlib import Path

import pytest
from as_codex import rollout

from pumice import recordings
from pumice.domain.message import Request
from pumice.faces import cli
from pumice.recordings.files import parse
from pumice.recordings.recording import Recording
from pumice.wire import get, rules

SOURCE = "54-bb2ec87cc8-0.jsonl"


@pytest.fixture
def session(data: Path, tmp_path: Path) -> Path:
    """Thirty-one calls of a real agent, each answer with its reasoning."""
    path = tmp_path / "rollout-2026-11-20T10-00-00-1.jsonl"
    path.write_bytes(rollout(recordings.open(data / "claude-code" / SOURCE)[0]))
    return path


@pytest.mark.parametrize("window", [30_000, 50_000, 100_000])
def test_replayed_under_a_policy(session: Path, window: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Within the budget at every window, valid, nothing altered, cheaper than the full history; every view is dumped."""
    asked = ["--policy", "balanced", "--window", str(window), "--json", "--dump", str(tmp_path / "out")]
    assert cli.main(["replay", str(session), *asked]) == 0
    found = json.loads(capsys.readouterr().out)["sessions"][0]
    told = found["policies"]["balanced"]
    assert (found["format"], found["calls"], found["skipped_lines"]) == ("codex", 31, 0)
    assert (told["overflows"], told["violations"], told["altered_values"]) == (0, 0, 0)
    assert told["epochs"] > 0
    assert told["cost_usd"] < told["full_cost_usd"]
    assert told["far_recall"] > 0.8
    for dumped in sorted((tmp_path / "out" / session.stem / "balanced").glob("*.json"))[::10]:
        view = json.loads(dumped.read_bytes())
        assert (view["dialect"], rules.check(json.dumps(view["body"]).encode(), "openai-responses")) == ("openai-responses", ())


def test_compacted_in_its_own_format(session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A smaller rollout that goes to its model as it is: no item asks for another that has gone."""
    out = tmp_path / "smaller.jsonl"
    assert cli.main(["compact", str(session), "--target", "30000", "-o", str(out)]) == 0
    assert "messages in place of 108" in capsys.readouterr().out
    (again,) = parse(out.read_bytes(), "smaller.jsonl")
    assert (again.format, again.skipped_lines, list(again.outer)) == ("codex", 0, ["session_meta", "turn_context"])
    assert rules.check(again.body(again.calls[-1]), "openai-responses") == ()
    whole = parse(session.read_bytes(), "x")[0]
    assert rules.check_rewrite(*(_opened(found) for found in (whole, again))) == ()


def _opened(found: Recording) -> Request:
    return get("openai-responses").open(found.body(None, found.messages))
