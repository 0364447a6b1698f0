"""`pumice setup`: prints first, writes only on request, keeps what is the user's, and takes itself back."""

import json
import tomllib
from pathlib import Path

import pytest

from pumice.faces.cli import main

CLAUDE = """{
    "model": "opus",
    "env": {"A": "1"},
    "allow": ["Bash(a:*)",  "Read"]
}"""
CODEX = """# mine
model = "gpt-5.5"  # keep
model_provider = "azure"

[mcp_servers.x]
command = "y"
"""
SETTINGS = {
    "claude-code": (".claude/settings.json", CLAUDE),
    "codex": (".codex/config.toml", CODEX),
    "gemini": (".gemini/.env", "# keys\nexport GEMINI_API_KEY='k'"),
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PUMICE_HOME", str(tmp_path / "pumice"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def given(home: Path, client: str) -> tuple[Path, bytes]:
    name, text = SETTINGS[client]
    file = home / name
    file.parent.mkdir(parents=True)
    file.write_bytes(text.encode())
    file.chmod(0o640)
    return file, text.encode()


@pytest.mark.parametrize("client", SETTINGS)
def test_printing_writes_nothing(home: Path, client: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The lines, a reason for each, and a home that is as empty as before."""
    assert main(["setup", client, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert all(value["why"] for file in found["files"] for value in file["values"])
    assert main(["setup", client, "--url", "http://127.0.0.1:9999"]) == 0
    assert "http://127.0.0.1:9999" in capsys.readouterr().out
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("client", SETTINGS)
def test_written_once_and_taken_back_to_the_byte(home: Path, client: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything of the user's stays in its place; a copy lies beside; a second run changes nothing; undo leaves no trace."""
    file, before = given(home, client)
    assert main(["setup", client, "--write"]) == 0
    assert f"as it was before it lies in {file.name}.before-pumice" in capsys.readouterr().out
    after = file.read_bytes()
    assert all(line in after for line in before.splitlines() if b"env" not in line and b"model_provider" not in line)
    assert file.with_name(file.name + ".before-pumice").read_bytes() == before
    assert file.stat().st_mode & 0o777 == 0o640
    assert main(["setup", client, "--write"]) == 0
    assert "nothing was changed" in capsys.readouterr().out
    assert file.read_bytes() == after
    assert main(["setup", client, "--write", "--url", "http://127.0.0.1:9999"]) == 0
    assert main(["setup", client, "--undo"]) == 0
    assert file.read_bytes() == before
    assert [path for path in home.rglob("*") if path.is_file()] == [file], "files that were not there are gone again"
    assert main(["setup", client, "--undo"]) == 0
    assert "nothing of ours" in capsys.readouterr().out


@pytest.mark.parametrize("client", SETTINGS)
def test_of_a_file_that_was_not_there_no_copy_is_told(home: Path, client: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A client that has no settings yet gets some, and has none again; nobody is sent to a copy that there is not."""
    assert main(["setup", client, "--write"]) == 0
    assert "before" not in capsys.readouterr().out
    assert main(["setup", client, "--undo"]) == 0
    assert "removed; there was none before" in capsys.readouterr().out
    assert [path for path in home.rglob("*") if path.is_file()] == []


def test_what_a_user_changed_since_stays(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Undo takes out only what was written, puts back what stood there, and leaves a value changed since, saying so."""
    claude, _ = given(home, "claude-code")
    codex, _ = given(home, "codex")
    assert main(["setup", "claude-code", "--write"]) == main(["setup", "codex", "--write"]) == 0
    changed = (
        claude.read_text().replace('"opus"', '"sonnet"').replace('"ENABLE_TOOL_SEARCH": "true"', '"ENABLE_TOOL_SEARCH": "auto"')
    )
    claude.write_text(changed)
    codex.write_text(codex.read_text() + '\n[profiles.fast]\nmodel = "mini"\n')
    capsys.readouterr()
    assert main(["setup", "claude-code", "--undo"]) == 0
    assert "ENABLE_TOOL_SEARCH is no longer what was written and stays" in capsys.readouterr().out
    assert json.loads(claude.read_text()) == {
        "model": "sonnet", "env": {"A": "1", "ENABLE_TOOL_SEARCH": "auto"}, "allow": ["Bash(a:*)", "Read"],
    }  # fmt: skip
    assert main(["setup", "codex", "--undo"]) == 0
    assert "config.toml: what was written is out again" in capsys.readouterr().out
    kept = tomllib.loads(codex.read_text())
    assert kept.pop("profiles") == {"fast": {"model": "mini"}}
    assert kept == tomllib.loads(CODEX)
    assert "# keep" in codex.read_text()


def test_a_list_gets_an_entry_and_loses_only_that(home: Path) -> None:
    """Files of what has left the window may be opened; whatever else is allowed, then or since, stays."""
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{"permissions": {"allow": ["Bash(ls:*)"]}}')
    assert main(["setup", "claude-code", "--write"]) == main(["setup", "claude-code", "--write"]) == 0
    written = json.loads(file.read_text())
    assert written["permissions"] == {"allow": ["Bash(ls:*)", f"Read(/{home}/pumice/workspace/**)"]}
    written["permissions"]["allow"].append("Edit")
    file.write_text(json.dumps(written))
    assert main(["setup", "claude-code", "--undo"]) == 0
    assert json.loads(file.read_text()) == {"permissions": {"allow": ["Bash(ls:*)", "Edit"]}}


def test_codex_takes_the_key_that_is_there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key in the environment is named, else the login is used; what stands already is not doubled."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert main(["setup", "codex", "--write"]) == 0
    monkeypatch.delenv("OPENAI_API_KEY")
    assert main(["setup", "codex", "--write"]) == 0
    file = home / ".codex" / "config.toml"
    provider = tomllib.loads(file.read_text())["model_providers"]["pumice"]
    assert provider["env_key"] == "OPENAI_API_KEY"
    assert "requires_openai_auth" not in provider
    assert all("sk-secret" not in path.read_text() for path in home.rglob("*") if path.is_file())


@pytest.mark.parametrize("text", ['{"env": 7}', '{"a": 1, // mine\n}', "[1]", "\xff"])
def test_what_cannot_be_edited_is_left_alone(home: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Comments in JSON, broken files and values of another kind: told with the file's name, and not touched."""
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_bytes(text.encode("latin-1"))
    assert main(["setup", "claude-code", "--write"]) == 2
    assert "settings.json" in capsys.readouterr().err
    assert file.read_bytes() == text.encode("latin-1")
    assert [path for path in home.rglob("*") if path.is_file()] == [file]


def test_wrong_words_are_refused(home: Path) -> None:
    """An address with a path would be doubled by the client's own; both directions at once mean nothing."""
    assert main(["setup", "claude-code", "--url", "http://127.0.0.1:8787/v1"]) == 2
    assert main(["setup", "claude-code", "--write", "--undo"]) == 2
    assert main(["setup", "cursor"]) == 2


def test_doctor_names_settings_that_cost(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Behind a base URL tool search has to be asked for; once it is, nothing is said."""
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "DISABLE_PROMPT_CACHING_OPUS": "1"}}')

    def told() -> str:
        assert main(["doctor", "--json"]) == 0
        return next(item["detail"] for item in json.loads(capsys.readouterr().out) if item["name"] == "clients")

    first = told()
    assert "ENABLE_TOOL_SEARCH is not set" in first
    assert "DISABLE_PROMPT_CACHING_OPUS" in first
    file.write_text("{}")
    assert main(["setup", "claude-code", "--write"]) == 0
    capsys.readouterr()
    assert "no setting" in told()


def test_doctor_names_the_extras_that_are_there(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which of the commands with needs of their own can be run, without starting any."""
    assert main(["doctor", "--json"]) == 0
    found = {item["name"]: item["detail"] for item in json.loads(capsys.readouterr().out)}
    assert found["extras"] == "proxy there, mcp there, demo there"
