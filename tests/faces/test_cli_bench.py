"""`pumice bench experiments` as a user meets it, and the page it writes."""

import json
from pathlib import Path

import pytest
import small_sessions as small

from pumice.evaluate.experiments.run import EXPERIMENTS
from pumice.faces.cli import main


@pytest.fixture
def session(tmp_path: Path) -> Path:
    steps = [message for number in range(1, 9) for message in small.read(number, f"f{number}.py", f"row_{number} = 1\n" * 400)]
    path = tmp_path / "session.json"
    messages = [small.user("Read <all> & say"), *steps, small.said("row_1 is 1")]
    path.write_text(json.dumps({"model": small.MODEL, "max_tokens": 900, "messages": messages}), "utf-8")
    return path


def said(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["bench", "experiments", *map(str, words)])
    return code, *capsys.readouterr()


def test_figures_are_told_as_json(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each experiment with its question, columns, arms, and what was found; without --window one of half the session."""
    code, out, error = said(capsys, session, "--only", "trigger", "--only", "clock", "--json")
    assert (code, error) == (0, "")
    found = json.loads(out)[0]
    assert found.keys() == {"file", "model", "calls", "window", "experiments"}
    assert (found["calls"], found["window"] % 1000) == (9, 0)
    assert [one["key"] for one in found["experiments"]] == ["trigger", "clock"]
    for one in found["experiments"]:
        assert one.keys() == {"key", "question", "columns", "rows", "found"}
        assert all(row.keys() == {"name", *(column["key"] for column in one["columns"])} for row in one["rows"])


def test_a_terminal_shows_tables_bars_and_sentences(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a person reads; nothing is cut in the middle."""
    code, out, _ = said(capsys, session, "--only", "trigger", "--only", "cut-order", "--window", 9_000)
    assert code == 0
    assert "at 90% → at 60%" in out
    assert "█" in out and "…" not in out
    assert "$.cut_order[0]: 'system' given" in out


def test_the_page_stands_alone(session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One file without scripts or addresses, and what a session says is text in it."""
    page = tmp_path / "out" / "page.html"
    code, out, _ = said(capsys, session, "--only", "means", "--html", page)
    html = page.read_text("utf-8")
    assert code == 0 and f"charts: {page}" in " ".join(out.split("\n"))
    assert "<svg" in html and "<script" not in html and "http" not in html
    assert html.count("<tr>") == 1 + 5


def test_wrong_use_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An experiment there is not; no file and no example; a folder in the place of a page."""
    monkeypatch.chdir(tmp_path)
    for words, told in (
        (("--only", "foo"), ", ".join(EXPERIMENTS)),
        ((), "no files given"),
        (("--window", 0), "--window 0 given"),
    ):
        code, out, error = said(capsys, *words)
        assert (code, out) == (2, "") and told in error and error.count("\n") == 1
