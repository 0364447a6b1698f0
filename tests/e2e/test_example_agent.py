"""The example agent: a task of more than thirty steps across compactions, done right, with a scripted model."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "agent"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example's own modules, found as a user would run them."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    import main

    return main


@pytest.mark.parametrize("policy", ["balanced", "notes", "coding"])
def test_the_task_is_done_across_compactions(example: Any, policy: str, tmp_path: Path) -> None:
    """Every call is accepted by a strict provider and stays inside the window; the project is repaired, its rule kept."""
    import agent
    import project
    import sandbox
    import script

    from pumice import Engine

    window = 12_000
    project.build(tmp_path)
    legacy = (tmp_path / "legacy" / "discount.py").read_bytes()
    seen: list[dict[str, Any]] = []
    model = example.scripted()

    def watched(body: dict[str, Any]) -> dict[str, Any]:
        seen.append(body)
        return model(body)

    with Engine.open(":memory:") as engine:
        session = engine.session("agent", policy=policy, window=window)
        turns = list(agent.run(script.TASK, session, sandbox.Sandbox(tmp_path), watched, name=example.NAME))
    assert len(turns) > 30
    assert turns[-1].tool == ""
    assert max(turn.sent for turn in turns) < window
    assert turns[-1].epoch >= 1
    assert turns[-1].full > 2 * window
    assert all("Never touch legacy/" in json.dumps(body) for body in seen)
    assert all("AX-4471-B" in json.dumps(body) for body in seen)
    assert legacy == (tmp_path / "legacy" / "discount.py").read_bytes()
    assert sandbox.Sandbox(tmp_path).run_tests().rstrip().endswith("OK")


def test_tools_stay_inside_their_folder(example: Any, tmp_path: Path) -> None:
    """A path that leads out is refused in words."""
    import sandbox

    tools = sandbox.Sandbox(tmp_path)
    assert tools.call("read_file", json.dumps({"path": "../secret"})).startswith("Error: ")
    assert tools.call("write_file", json.dumps({"path": "/tmp/x", "content": ""})).startswith("Error: ")
    assert tools.call("read_file", "{}").startswith("Error: ")


def test_the_example_runs_as_its_readme_says() -> None:
    """One command, no key: both policies run and the table says that fewer tokens were sent."""
    done = subprocess.run([sys.executable, str(EXAMPLE / "main.py")], capture_output=True, text=True, timeout=120, check=True)
    rows = [line for line in done.stdout.splitlines() if "│ none" in line or "│ balanced" in line]
    inputs = [int(row.split("│")[3].replace(",", "")) for row in rows]
    assert inputs[1] < inputs[0] / 2
