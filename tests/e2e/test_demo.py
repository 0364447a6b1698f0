"""`pumice demo` in one process: official SDKs, proxy and scripted upstream, through compactions and a read-back."""

import json
from pathlib import Path

import pytest

from pumice.faces.cli import main
from pumice.faces.demo.story import ANSWER


def test_the_demonstration_shows_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every call of both agents gets through, within the window; it costs less, and what is read back is what was hidden."""
    monkeypatch.setenv("PUMICE_HOME", str(tmp_path / "untouched"))
    assert main(["demo", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    repair, review = found["sessions"]
    for one, client in ((repair, "anthropic"), (review, "openai")):
        assert one["client"] == client
        assert one["epochs"] >= 1
        assert one["largest_full"] > 3 * found["window"] > 3 * one["largest_sent"]
        assert one["totals"]["calls"] == len(one["curve"])
        assert one["totals"]["unpriced"] == 0
        assert one["totals"]["saved_usd"] > 0.4 * one["totals"]["full_cost_usd"]
        assert one["offloaded"][0]["lines"] > 1000
    searched, read = repair["read_backs"]
    assert ANSWER in searched["printed"]
    assert ANSWER in read["printed"]
    assert repair["totals"]["read_backs"] == 1
    assert not (tmp_path / "untouched").exists(), "the user's own store is left alone"
