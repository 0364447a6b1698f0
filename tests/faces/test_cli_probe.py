"""`pumice probe` as a user meets it: what each cut has lost, in words, as JSON and as an exit code."""

import json
from pathlib import Path
from typing import Any

import pytest
import small_sessions as small

from pumice.faces.cli import main

RULE = "Never touch migrations/, except on staging."


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A rule, then reads until a small window overflows several times."""
    talk = [small.user(f"Tidy up the modules. {RULE}")]
    for at in range(12):
        text = "\n".join(f"{line}→def part{at}_{line}(value): return value" for line in range(90))
        talk += small.read(at, f"src/part{at}.py", text)
    path = tmp_path / "session.json"
    path.write_bytes(small.body([*talk, small.said("Done.")]))
    return path


def said(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    return code, *capsys.readouterr()


def test_each_cut_is_listed_with_what_it_lost(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A plain window forgets the request and the rule; exit 1, and every loss is named under its question."""
    code, out, error = said(capsys, "probe", session, "-p", "newest", "--window", 10_000)
    assert (code, error) == (1, "")
    assert f"- {RULE}" in out
    assert "rules · What has the user ruled? 1 → 0 of 1" in out
    assert "epoch 1 (budget)" in out


def test_balanced_loses_nothing(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 0: what could be answered before every cut can be after."""
    code, out, _ = said(capsys, "probe", session, "-s", "default", "-s", "coding", "--window", 10_000)
    assert code == 0
    assert "100% of the questions answered after a cut, 0 answers lost" in out


def test_a_window_in_which_nothing_fits_is_refused(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """At the first call, with what it needs: there is no cut that could be asked about."""
    code, out, error = said(capsys, "probe", session, "--window", 1)
    assert (code, out) == (1, "")
    assert "tokens needed, 1 usable" in error
    code, out, _ = said(capsys, "probe", session, "--window", 1, "--json")
    assert (code, json.loads(out)["error"]) == (1, "CannotFit")


def test_a_machine_gets_everything(session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Per policy one entry for each cut, in it one for each probe of each set, files of the user's own among them."""
    own = tmp_path / "mine.yaml"
    own.write_text("name: mine\nversion: 4\nprobes:\n  - {id: staging, ask: 'Where?', kind: contains, texts: [staging]}\n")
    code, out, _ = said(capsys, "probe", session, "-s", own, "-p", "newest", "-p", "balanced", "--window", 10_000, "--json")
    found: dict[str, Any] = json.loads(out)
    assert (code, found["sets"]) == (1, ["mine@4"])
    [one] = found["sessions"]
    assert one.keys() == {"file", "format", "calls", "policies"}
    assert list(one["policies"]) == ["newest", "balanced"]
    first = one["policies"]["newest"][0]
    assert first.keys() == {"call", "epoch", "cause", "continuation", "probes"}
    assert first["continuation"] == {"hits": 0, "of": 1}
    [probe] = first["probes"]
    assert (probe["set"], probe["id"], probe["before"], probe["after"], probe["lost"]) == (
        "mine@4",
        "staging",
        1,
        0,
        ["staging"],
    )
    assert all(not probe["lost"] for cut in one["policies"]["balanced"] for probe in cut["probes"])


def test_a_set_that_does_not_exist_is_refused(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the names there are."""
    code, _, error = said(capsys, "probe", session, "-s", "defualt")
    assert code == 2
    assert "default" in error
    assert "coding" in error


def test_no_cut_is_said_in_a_line(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A session that fits is asked nothing."""
    code, out, _ = said(capsys, "probe", session, "--window", 200_000)
    assert (code, "balanced: 0 cuts" in out) == (0, True)
