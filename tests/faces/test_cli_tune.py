"""`pumice tune` as a user meets it: a table, a curve, JSON, and a policy file only where one is asked for."""

import json
from pathlib import Path

import pytest
import small_sessions as small

from pumice.faces import settings
from pumice.faces.cli import main


@pytest.fixture
def session(tmp_path: Path) -> Path:
    steps = [message for number in range(1, 13) for message in small.read(number, f"f{number}.py", f"row_{number} = 1\n" * 300)]
    path = tmp_path / "session.json"
    messages = [small.user("Read all."), *steps, small.said("row_1 and row_2 are 1")]
    path.write_text(json.dumps({"model": small.MODEL, "max_tokens": 900, "messages": messages}), "utf-8")
    return path


def said(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["tune", *map(str, words)])
    return code, *capsys.readouterr()


def test_trials_are_told_as_json_and_nothing_is_written(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same seed says the same."""
    words = (session, "--trials", 4, "--window", 12_000, "--seed", 7, "--json")
    code, out, error = said(capsys, *words)
    assert (code, error) == (0, "")
    found = json.loads(out)
    assert found.keys() == {"policy", "task", "window", "seed", "files", "calls", "knobs", "trials", "best"}
    assert (found["task"], found["seed"], len(found["trials"])) == ("coding", 7, 5)
    assert said(capsys, *words)[1] == out
    assert [path.name for path in session.parent.iterdir()] == ["session.json"]


def test_a_policy_is_written_on_top_of_the_one_it_started_from(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that loads, with the values of the trial that was picked; also from a file of one's own."""
    mine, tuned, page = (session.with_name(name) for name in ("mine.yaml", "tuned.yaml", "page.html"))
    mine.write_text("extends: balanced\nkeep: {reads: 1}\n", "utf-8")
    words = (session, "--policy", mine, "--trials", 2, "--window", 12_000)
    code, out, _ = said(capsys, *words, "-o", tuned, "--pick", 1, "--html", page)
    assert code == 0 and "nothing beats it" in out
    made = settings.effective(str(tuned))
    changes = json.loads(said(capsys, *words, "--json")[1])["trials"][1]["changes"]
    assert changes and made.policy.keep.reads == changes.get("keep.reads", 1)
    assert tuned.read_text("utf-8").startswith("# Tuned on 1 session, 13 calls, window 12,000, for coding, seed 1.\n")
    assert "<polyline" in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--task", "gardening"), "--task 'gardening' given; there are coding, research, support."),
        (("--trials", "0"), "--trials 0 given"),
        (("--pick", "1"), "--pick given without -o"),
        (("--policy", "none"), "policy 'none' has no value that is searched"),
        (("--trials", "1", "--window", "12000", "-o", "x.yaml", "--pick", "9"), "--pick 9 given, but no such trial"),
    ],
)
def test_wrong_use_is_one_line(
    session: Path, words: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was given, what was expected."""
    monkeypatch.chdir(session.parent)
    code, out, error = said(capsys, session, *words)
    assert (code, out) == (2, "") and told in error and error.count("\n") == 1
