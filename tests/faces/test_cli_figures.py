"""`pumice density`, `tools` and `cost` as a user meets them: tables that fit, JSON as promised, errors in one line."""

import json
from pathlib import Path
from typing import Any

import pytest
import small_sessions as small
from dieting import tool

from pumice.faces.cli import main

COMMANDS = ("density", "tools", "cost")
TALK = [
    small.user("Read the pool."),
    *small.read(1, "src/pool.py", "maximumRetries = 3\n" * 40),
    *small.read(2, "src/pool.py", "maximumRetries = 3\n" * 40),
    small.said("maximumRetries is 3"),
]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    names = ("Read", "mcp__hub__list", "mcp__hub__merge", "mcp__hub__close")
    head = {"model": small.MODEL, "max_tokens": 900, "tools": [tool(name) for name in names]}
    path = tmp_path / "session.json"
    path.write_text(json.dumps({**head, "messages": TALK}), "utf-8")
    return path


def said(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    return code, *capsys.readouterr()


def of_json(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    code, out, error = said(capsys, *words, "--json")
    assert (code, error) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found["sessions"][0]


def test_density_tells_calls_tools_and_all_of_it(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Per policy pooled shares, one entry per call, one per tool."""
    found = of_json(capsys, "density", session, "-p", "recorded", "-p", "balanced", "--window", 60_000)
    assert found.keys() == {"file", "format", "calls", "policies"}
    assert list(found["policies"]) == ["recorded", "balanced"]
    one = found["policies"]["recorded"]
    assert one["pooled"].keys() == {"tokens", "unreferenced_share", "repeated_share", "reread_rate"}
    assert one["pooled"]["reread_rate"] == 0.5
    assert [call["call"] for call in one["by_call"]] == [1, 2, 3]
    assert one["tools"][0].keys() == {"tool", "reads", "rereads", "tokens", "carried", "unreferenced"}


def test_tools_prints_what_to_put_into_a_policy(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each definition, what is never used, and a line of YAML that is a policy's part."""
    code, out, _ = said(capsys, "tools", session)
    assert code == 0
    assert "3 never used" in out
    assert "tools: {defer_unused_over: " in out
    assert "keep: [Read]}" in out
    found = of_json(capsys, "tools", session)
    assert found.keys() == {
        "file", "model", "calls", "tokens", "usd", "unused", "unused_tokens", "stable", "moved", "saving", "refusal",
        "unseen_head_tokens", "tools",
    }  # fmt: skip
    assert found["tools"][0].keys() == {"tool", "tokens", "calls", "usd", "can_wait"}


def test_cost_tells_parts_and_the_curve(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The full history's curve, and each policy's dollars by kind of token and by partition."""
    found = of_json(capsys, "cost", session, "--window", 60_000)
    assert found.keys() == {"file", "model", "calls", "full", "policies", "cache"}
    assert found["full"][0].keys() == {"call", "input", "sent", "uncached", "cached"}
    one = found["policies"]["balanced"]
    assert one.keys() == {"input_tokens", "read_tokens", "usd", "share", "by_partition", "so_far"}
    assert one["usd"].keys() == {"read", "written", "total", "without_cache"}
    code, out, _ = said(capsys, "cost", session, "--model", "house-model")
    assert (code, "prices of this model are not known" in out) == (0, True)


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_printed_fits(session: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    """Where no terminal says how wide it is, no line of a table or chart is wider than 110 columns."""
    code, out, error = said(capsys, command, session)
    assert (code, error) == (0, "")
    assert "session.json" in out
    assert max(map(len, out.splitlines())) <= 110


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """One that can be typed as it stands."""
    code, out, _ = said(capsys, command, "--help")
    assert code == 0
    assert f"Example: pumice {command} session." in out
    assert f"Usage: pumice {command} [OPTIONS] FILE..." in out


def test_help_flows_with_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A paragraph breaks where a line is full, not where it does in the source."""
    code, out, _ = said(capsys, "tune", "--help")
    assert code == 0
    lines = out[out.index("Each trial") : out.index("Example:")].strip().splitlines()
    assert len(lines) > 2
    assert all(len(line.rstrip()) > 60 for line in lines[:-1])


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("words", [(), ("missing.json",), ("--window", "0"), ("--policy", "no-such")])
def test_wrong_use_is_one_line(session: Path, capsys: pytest.CaptureFixture[str], command: str, words: tuple[str, ...]) -> None:
    """Exit 2, what was given and what was expected, no trace."""
    code, out, error = said(capsys, command, *([session] if words and words[0].startswith("--") else []), *words)
    assert (code, out) == (2, "")
    assert len(error.strip().splitlines()) == 1
