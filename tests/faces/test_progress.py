"""The progress bar keeps out of the way of quick work and of pipes."""

from collections.abc import Iterator

import pytest

from pumice.faces.cli import progress


@pytest.mark.parametrize(("seconds", "terminal", "shows"), [(1.0, "1", False), (60.0, "1", True), (60.0, "", False)])
def test_a_bar_appears_only_on_a_terminal_and_after_a_while(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, seconds: float, terminal: str, shows: bool
) -> None:
    """Two seconds of patience, standard error only, and nothing at all in a pipe."""
    monkeypatch.setenv("TTY_COMPATIBLE", terminal or "0")
    times: Iterator[float] = iter([0.0, seconds, seconds])
    with progress.bar(clock=lambda: next(times)) as report:
        report(0.5, "session")
    said = capsys.readouterr()
    assert ("session" in said.err) is shows
    assert said.out == ""
