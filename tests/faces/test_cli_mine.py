"""`pumice replay --mine`: finds a machine's own sessions, opens nothing before somebody agrees, then replays the newest."""

import json
import os
from pathlib import Path

import pytest
import small_sessions as small

from pumice.errors import InvalidInput
from pumice.faces.cli import main, mine

SESSION = small.body([small.user("Read the pool."), *small.read(1, "src/pool.py", "retries = 3\n" * 20), small.said("3")])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def keep(home: Path, name: str, data: bytes, at: float) -> Path:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (at, at))
    return path


def filled(home: Path) -> list[Path]:
    """Newest first; the last two cannot be read."""
    return [
        keep(home, ".claude/projects/-work-web/a.jsonl", SESSION, 400),
        keep(home, ".pi/agent/sessions/--web--/b.jsonl", SESSION, 300),
        keep(home, ".codex/sessions/2026/11/30/rollout-c.jsonl", b"\x00\x01\x02" * 90, 200),
        keep(home, ".gemini/tmp/0a1b/chats/d.json", b"{}", 100),
    ]


def test_names_and_sizes_come_first(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nobody can be asked nothing is read, and what is there was still told."""
    filled(home)
    keep(home, ".claude/projects/-work-web/empty.jsonl", b"", 500)
    assert main(["replay", "--mine"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "claude-code       1 sessions" in said.err
    assert "gemini-cli        1 sessions" in said.err
    assert "nothing was read" in said.err
    assert "left out" not in said.err, "that would have taken a look inside"


def test_the_question_says_what_is_meant(home: Path) -> None:
    """How many, how large; a no ends it, a yes gives the newest that can be read."""
    paths = filled(home)
    asked: list[str] = []
    with pytest.raises(InvalidInput, match="nothing was read"):
        mine.chosen(3, is_agreed=False, ask=lambda question: bool(asked.append(question)))
    assert asked[0].startswith("Read and replay the newest 3 of them (")
    assert mine.chosen(9, is_agreed=False, ask=lambda question: True) == paths[:2]
    assert mine.chosen(1, is_agreed=True) == paths[:1]


def test_the_newest_are_replayed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With consent the figures are those of any replay, what could not be read is named, and a line sums up the money."""
    paths = filled(home)
    assert main(["replay", "--mine", "--yes", "--window", "60000", "--json"]) == 0
    said = capsys.readouterr()
    assert [one["file"] for one in json.loads(said.out)["sessions"]] == [str(path) for path in paths[:2]]
    assert said.err.count("left out") == 2
    assert main(["replay", "--mine", "--yes", "--window", "60000", "--most", "1"]) == 0
    assert "balanced: input of $" in capsys.readouterr().out


def test_none_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty home says where was looked; files beside --mine are a misunderstanding."""
    assert main(["replay", "--mine"]) == 2
    assert "~/.claude/projects" in capsys.readouterr().err
    assert main(["replay", "--mine", "a.json"]) == 2
