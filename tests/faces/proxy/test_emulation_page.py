"""What docs/emulation.md shows runs, and prints what it says."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "emulation.md").read_text("utf-8")


def test_the_program_prints_what_the_page_says(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Client, proxy with its engine on a store of its own, and a provider without the feature, in one process."""
    monkeypatch.setenv("PUMICE_HOME", str(tmp_path))
    program = re.search(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    exec(compile(program[1], "docs/emulation.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed == re.findall(r"`([^`]+)`", PAGE.rpartition("It prints ")[2])
