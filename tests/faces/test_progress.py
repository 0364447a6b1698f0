"""The progress bar keeps out of the way of quick work and of pipes."""

import time

import pytest

from pumice.faces.cli import progress


@pytest.mark.parametrize(("patience", "terminal", "shows"), [(60.0, "1", False), (0.01, "1", True), (0.01, "", False)])
def test_a_bar_appears_only_on_a_terminal_and_after_a_while(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, patience: float, terminal: str, shows: bool
) -> None:
    """Standard error only, nothing at all in a pipe, and no step of the work has to end for it to be seen."""
    monkeypatch.setenv("TTY_COMPATIBLE", terminal or "0")
    with progress.bar(patience=patience) as report:
        report(0.5, "session")
        time.sleep(0.04)
    said = capsys.readouterr()
    assert ("session" in said.err) is shows
    assert said.out == ""
