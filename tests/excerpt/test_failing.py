"""Which lines tell that something went wrong."""

import pytest

from pumice.excerpt import lines
from pumice.excerpt.ends import ends
from pumice.excerpt.failing import ERROR, HINT, grade, telling

FAILURES = (
    "[01777] ERROR E1777: linker failed for saffron",
    "FATAL: out of memory",
    "npm ERR! code ELIFECYCLE",
    "E   assert 1 == 3",
    "错误: 失败",
    "Segmentation fault (core dumped)",
    "2026-01-01 10:00:00 CRITICAL disk gone",
    "bash: jq: command not found",
    "cat: x.txt: No such file or directory",
    "make: *** [all] Error 2",
    "not ok 3 - reads",
    "connect ECONNREFUSED 127.0.0.1:5432",
    "process exited with code 137",
    "Fehler: Datei fehlt",
)
CALM = (
    "Tests run: 3, Failures: 0, Errors: 0",
    "0 errors",
    "step alpha 12345 ok",
    "src/errors/failed.py saved",
    "errors=0 warnings=0",
)


@pytest.mark.parametrize("line", FAILURES)
@pytest.mark.parametrize("form", ["step {} ok", "[{:05d}] step x ok", "2026-01-01 10:00:00 INFO step {} ok"])
def test_whatever_says_that_something_failed_stays_in_any_output(line, form) -> None:
    """Far from both ends of short and long outputs, whatever the other lines look like."""
    for rows in (300, 12_000):
        text = "\n".join(line if at in (rows // 3, rows // 2) else form.format(at) for at in range(rows))
        shown = ends(text, head=40, tail=40, errors=None, limit=10**9, count=len)
        assert shown is not None
        assert shown.text.split("\n").count(line) == 2


@pytest.mark.parametrize("line", CALM)
def test_what_says_that_nothing_failed_is_no_error(line) -> None:
    """Counts of none, names of files, plain steps."""
    assert grade(line) < ERROR


def test_a_warning_or_a_code_counts_where_it_is_the_exception() -> None:
    """A text full of them says nothing by one."""
    few = "\n".join("ORA-00942: table" if at == 50 else "warning: unused x" if at == 70 else f"row {at}" for at in range(200))
    assert telling(few, lines.every(few)) == {50: HINT, 70: HINT}
    many = "\n".join(f"warning: unused {at}" if at % 2 else f"row {at}" for at in range(200))
    assert telling(many, lines.every(many)) == {}


def test_of_more_than_fit_the_first_and_the_last_stay_and_the_others_are_counted() -> None:
    """Within the limit, with the number left out in a line of ours."""
    text = "\n".join(f"ERROR {at} cannot link" if 100 <= at < 900 else f"unit {at}" for at in range(1000))
    shown = ends(text, head=5, tail=5, errors=None, limit=6_000, count=len)
    assert shown is not None
    assert len(shown.text) <= 6_000
    kept = [int(line.split()[1]) for line in shown.text.split("\n") if line.startswith("ERROR")]
    half = (len(kept) + 1) // 2
    assert len(kept) > 200
    assert kept == [*range(100, 100 + half), *range(900 - len(kept) + half, 900)]
    assert shown.text.startswith(f"⋯ {800 - len(kept)} of 800 more lines that tell of errors are left out\n")
