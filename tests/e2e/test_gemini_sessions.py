"""Sessions of Gemini CLI through the commands: replayed under policies, compacted in their own format."""

import json
from pathlib import Path

import pytest
from tests_support import code

from pumice.faces import cli
from pumice.recordings.files import parse
from pumice.wire import rules

MODEL = "gemini-3-pro-preview"


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A long session: two turns of parallel reads, each answer billed."""
    records, billed = [], 9_000
    for at in range(24):
        if at % 12 == 0:
            records.append(
                {"id": f"u{at}", "timestamp": _at(at, 0), "type": "user", "content": f"Read part {at}. Never touch ci/."}
            )
        calls = [_call(f"read_file_{at}_{n}", code(f"f{at}_{n}", 40), _at(at, 2)) for n in range(2)]
        tokens = {"input": billed, "output": 40, "cached": 0, "thoughts": 10, "tool": 0, "total": billed + 50}
        record = {"id": f"g{at}", "timestamp": _at(at, 1), "type": "gemini", "content": f"Part {at}.", "model": MODEL}
        records.append({**record, "tokens": tokens, "toolCalls": calls})
        billed += 1_200
    path = tmp_path / "session-2026-05-04.json"
    path.write_text(json.dumps({"sessionId": "s", "projectHash": "h", "messages": records}), "utf-8")
    return path


def _at(minute: int, second: int) -> str:
    return f"2026-05-04T10:{minute:02d}:{second:02d}.000Z"


def _call(name: str, text: str, at: str) -> dict:
    response = {"functionResponse": {"id": name, "name": "read_file", "response": {"output": text}}}
    return {"id": name, "name": "read_file", "args": {"file_path": f"src/{name}.py"}, "result": [response], "timestamp": at}


def test_replayed_under_policies(session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Views in the session's dialect: within the budget, valid for its model, dumped one by one."""
    policies = [word for name in ("balanced", "gemini-cli") for word in ("--policy", name)]
    assert cli.main(["replay", str(session), *policies, "--window", "12000", "--json", "--dump", str(tmp_path / "out")]) == 0
    found = json.loads(capsys.readouterr().out)["sessions"][0]
    assert (found["format"], found["calls"]) == ("gemini-cli", 25)
    for name in ("balanced", "gemini-cli"):
        assert found["policies"][name]["overflows"] == 0
        assert found["policies"][name]["violations"] == 0
        assert found["policies"][name]["epochs"] > 1
        assert found["policies"][name]["altered_values"] == 0
    dumped = json.loads((tmp_path / "out" / session.stem / "balanced" / "00024.json").read_bytes())
    assert dumped["dialect"] == "gemini"
    assert rules.check(json.dumps(dumped["body"]).encode(), "gemini", model=MODEL) == ()


def test_compacted_in_its_own_format(session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A smaller session that can be replayed and goes to its model as it is."""
    out = tmp_path / "smaller.json"
    assert cli.main(["compact", str(session), "--target", "6000", "-o", str(out)]) == 0
    assert "messages in place of 50" in capsys.readouterr().out
    assert list(json.loads(out.read_bytes())) == ["sessionId", "projectHash", "messages"]
    (again,) = parse(out.read_bytes(), "smaller.json")
    assert rules.check(again.body(again.calls[-1]), "gemini", model=MODEL) == ()
    assert any(b"Never touch ci/." in raw for raw in again.messages)
