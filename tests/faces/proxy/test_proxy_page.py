"""What docs/proxy.md says of options, steps and metrics is what the code has, and its program runs."""

import inspect
import re
from pathlib import Path

import pytest

from pumice.engine.alert import Kind
from pumice.faces.cli.serve import serve
from pumice.faces.proxy.gate import Stage
from pumice.faces.proxy.journal import Journal

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "proxy.md").read_text("utf-8")
ROWS = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.splitlines() if line.startswith("| `")]


def test_every_option_has_its_row() -> None:
    """With the variable of the environment that stands for it, and its default."""
    told = {row[0].strip("`"): row[1].strip("`") for row in ROWS if len(row) == 4}
    options = [name for name in inspect.signature(serve).parameters if name != "json"]
    assert told == {f"--{name.replace('_', '-')}": f"PUMICE_{name.upper()}" for name in options}
    defaults = {name: str(value.default) for name, value in inspect.signature(serve).parameters.items()}
    for row in (row for row in ROWS if row[0] in ("`--port`", "`--host`", "`--max-body`")):
        assert row[2] == defaults[row[0].strip("`-").replace("-", "_")]


def test_every_metric_has_its_row() -> None:
    """In the order they are told, with their labels and their meaning word for word."""
    told = [row for row in ROWS if row[0].startswith("`pumice_")]
    assert told == [[f"`{metric.name}`", ", ".join(metric.labels), metric.meaning] for metric in Journal().metrics]


def test_every_kind_of_alert_is_told() -> None:
    """In the words of the label, in their order."""
    told = re.search(r"`kind` of an alert is one of (.*?)\.", PAGE, re.DOTALL)
    assert re.findall(r"`(\w+)`", told[1]) == list(Kind)


def test_every_step_has_its_row() -> None:
    """All that `x-pumice-step` may say."""
    told = {row[0].strip("`") for row in ROWS if len(row) == 2}
    assert set(Stage) <= told


def test_the_program_prints_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    """Client, proxy with its engine, and scripted provider in one process, through an overload."""
    program = re.search(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    exec(compile(program[1], "docs/proxy.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed == re.findall(r"`([^`]+)`", PAGE.rpartition("It prints ")[2])
