"""`pumice explain`: the reason of one block, for a person and for a machine."""

import json
from pathlib import Path

import pytest

from pumice.faces.cli import main
from pumice.faces.library import Engine

LOG = "\n".join(f"12:00:{number % 60:02} worker {number} compiled unit {number * 7919}" for number in range(3000))


def test_a_block_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What became of it, why, and where it can be read back; a session or block nobody knows is told, and not made."""
    monkeypatch.setenv("PUMICE_HOME", str(tmp_path / "home"))
    messages = [
        {"role": "user", "content": "build it"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "make"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "made"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c2", "name": "Bash", "input": {"command": "make -d"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c2", "content": LOG}]},
    ]
    with Engine.open() as engine:
        session = engine.session("build-42", policy="balanced", window=60_000)
        for end in (1, 3, 5):
            session.compile({"model": "claude-sonnet-4-5", "max_tokens": 900, "messages": messages[:end]}, dialect="anthropic")
    assert main(["explain", "build-42", "b5"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("b5: excerpt, ")
    assert "workspace://artifacts/b5" in out
    assert main(["explain", "build-42", "b3", "--call", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "keep"
    assert main(["explain", "build-43", "b5"]) == 2
    assert main(["explain", "build-42", "b99"]) == 1
    assert "'b99' is no block of call 3. There are b1, b2, b3, b4, b5." in capsys.readouterr().err
    with Engine.open() as engine:
        assert [info.key.session for info in engine.sessions()] == ["build-42"]


def test_a_name_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What a proxy stored under a user of its own making is found by its name; of two neither is taken unasked."""
    monkeypatch.setenv("PUMICE_HOME", str(tmp_path / "home"))
    body = {"model": "claude-sonnet-4-5", "max_tokens": 900, "messages": [{"role": "user", "content": "build it"}]}

    def keep(user: str) -> None:
        with Engine.open() as engine:
            engine.session("auto-1", scope=f"tenant:local/user:{user}", window=60_000).compile(body, dialect="anthropic")

    keep("u1")
    assert main(["explain", "auto-1", "b1"]) == main(["session", "rebuild", "auto-1", "1"]) == 0
    keep("u2")
    capsys.readouterr()
    assert main(["session", "forget", "auto-1"]) == 2
    assert "Give --scope: tenant:local/user:u1 or tenant:local/user:u2." in capsys.readouterr().err
    assert main(["session", "forget", "auto-1", "--scope", "tenant:local/user:u2"]) == 0
    assert main(["explain", "auto-1", "b1", "--scope", "tenant:local/user:u2"]) == 2
    assert main(["explain", "auto-1", "b1"]) == 0
