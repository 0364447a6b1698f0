"""`pumice replay` from the command line: what it prints, writes and refuses."""

import io
import json
from pathlib import Path

import pytest
import small_sessions as small
from rich.console import Console

from pumice.evaluate import table
from pumice.evaluate.options import Options
from pumice.evaluate.replay import File, Plan, replay
from pumice.faces import settings
from pumice.faces.cli import main

SESSION = [
    small.user("Read the pool. Never edit legacy/auth.py."),
    *small.read(1, "src/pool.py", "maximumRetries = 3\n" * 20),
    *small.read(2, "src/auth.py", "check_token()\n" * 20),
    small.said("maximumRetries is 3"),
]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "session.json"
    path.write_bytes(small.body(SESSION))
    return path


def test_the_figures_of_each_policy_are_printed_as_json(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object on standard output, nothing on standard error."""
    assert main(["replay", str(session), "--policy", "none", "--policy", "balanced", "--window", "60000", "--json"]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert said.err == ""
    assert found["total"]["calls"] == 3
    one = found["sessions"][0]
    assert (one["file"], one["calls"], one["skipped_lines"]) == (str(session), 3, 0)
    assert list(one["policies"]) == ["none", "balanced"]
    assert one["policies"]["balanced"]["constraint_survival"] == 1.0
    assert one["policies"]["balanced"]["overflows"] == one["policies"]["balanced"]["violations"] == 0


def test_the_table_names_the_prices_and_says_where_nothing_can_be_saved(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A short session needs no cut, and the report says so instead of praising itself."""
    assert main(["replay", str(session), "--policy", "balanced", "--policy", "recorded", "--window", "60000"]) == 0
    out = capsys.readouterr().out
    assert "balanced" in out
    assert "claude-sonnet-4-5: fresh input $3.75 (a cache write), cached $0.30, output $15.00" in out
    assert "token factor 1.25" in out
    assert "nothing to save in session.json" in out


def test_a_window_nothing_fits_into_is_a_failed_check(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 1 with what the first call needed, beside the figures; a policy that never cuts is only over."""
    small_window = ["replay", str(session), "--window", "60"]
    assert main([*small_window, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["error"], found["budget"]) == ("CannotFit", 51)
    assert sum(part["tokens"] for part in found["parts"]) > 51
    assert found["total"]["policies"]["balanced"]["overflows"] > 0
    assert main(small_window) == 1
    assert "CannotFit" in capsys.readouterr().out
    assert main([*small_window, "--policy", "none", "--json"]) == 0
    assert "error" not in json.loads(capsys.readouterr().out)


def test_views_are_dumped_and_the_report_written(session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """DIR/<file stem>/<policy>/<call>.json, a policy file by its stem, and one page."""
    own = tmp_path / "mine.yaml"
    own.write_text("extends: balanced\n", "utf-8")
    page, dump = tmp_path / "report.html", tmp_path / "dump"
    code = main(["replay", str(session), "--policy", str(own), "--window", "60000", "--dump", str(dump), "--html", str(page)])
    assert code == 0
    assert sorted(path.name for path in (dump / "session" / "mine").iterdir()) == ["00001.json", "00002.json", "00003.json"]
    assert page.read_text("utf-8").lstrip().lower().startswith("<!doctype html")
    assert str(page) in capsys.readouterr().out.replace("\n", "")


def test_a_folder_stands_for_its_recordings(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is no recording is passed over."""
    (session.parent / "notes.txt").write_text("not a session", "utf-8")
    (session.parent / "other.json").write_bytes(session.read_bytes())
    assert main(["replay", str(session.parent), "--policy", "none", "--json"]) == 0
    files = [Path(one["file"]).name for one in json.loads(capsys.readouterr().out)["sessions"]]
    assert files == ["other.json", "session.json"]


def test_processes_share_the_files_and_say_the_same(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Order and figures do not depend on how many work."""
    (session.parent / "other.json").write_bytes(session.read_bytes())
    said = []
    for jobs in ("1", "2"):
        assert main(["replay", str(session.parent), "--policy", "recorded", "--jobs", jobs, "--json"]) == 0
        said.append(json.loads(capsys.readouterr().out))
    assert said[0] == said[1]


def test_only_the_last_call_is_replayed_when_asked(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A single body as it stands."""
    assert main(["replay", str(session), "--policy", "none", "--last", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"]["calls"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no files given"),
        (["missing.jsonl"], "missing.jsonl: cannot be read"),
        (["SESSION", "--policy", "nobody"], "'nobody' is no policy"),
        (["SESSION", "--window", "0"], "--window 0 given, expected 1 or more"),
        (["SESSION", "--jobs", "0"], "--jobs 0 given"),
        (["SESSION", "--head", "-1"], "--head -1 given"),
        (["SESSION", "--dialect", "nonsense"], "'nonsense'"),
        (["SESSION", "--wrong"], "--wrong"),
        (["SESSION", "--redact"], "--redact given without --html"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(
    session: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """The value given, what was expected; nothing on standard output."""
    given = [str(session) if word == "SESSION" else word for word in arguments]
    assert main(["replay", *given]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


@pytest.mark.parametrize("columns", [60, 80, 100, 120])
def test_no_figure_is_cut_short_however_narrow_the_terminal(session: Path, columns: int) -> None:
    """Where not every column fits, whole columns are left out, those that are missed least first."""
    plan = Plan({"balanced": settings.policy("balanced")}, Options(60_000, None, None, 0), None, False, None, None)
    sessions = replay([File(session, "session")], plan, lambda *_: None, jobs=1)
    console = Console(width=columns, record=True, file=io.StringIO())
    console.print(table.render(sessions, width=columns))
    shown = console.export_text().splitlines()
    assert all(len(line) <= columns and "…" not in line for line in shown)
    heads = shown[1].split()
    assert {"cost", "line", "rules", "over", "bad"} <= set(heads)
    assert ("ms" in heads) == (columns >= 91)
