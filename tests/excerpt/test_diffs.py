"""The excerpt of a diff: every header stays, changed lines before context, and no line goes without a gap that counts it."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import excerpt
from pumice.measure import tokens

GAP = re.compile(r"⋯ (\d+) lines?\b")


def cut(text: str, limit: int) -> excerpt.Excerpt:
    made = excerpt.make(text, limit=limit, count=tokens.count)
    assert made is not None
    assert made.kind == "diff"
    assert tokens.count(made.text) <= limit
    return made


def hunk(changes: list[str]) -> list[str]:
    old, new = (sum(line[0] != sign for line in changes) for sign in "+-")
    return [f"@@ -{len(changes)},{old} +{new},{new} @@ def f(x):", *changes]


change = st.tuples(
    st.sampled_from("+- "), st.sampled_from(["x = 1", "++ b/fake.py", "-- a/fake.py", "返回 结果", "@@ -1 +1 @@", "word " * 9])
)
files = st.lists(
    st.lists(st.lists(change.map("".join), min_size=1, max_size=12), min_size=1, max_size=4), min_size=1, max_size=5
)


def written(parts: list[list[list[str]]], *, is_git: bool) -> tuple[list[str], list[str]]:
    """The lines of a diff, and those that are headers."""
    lines: list[str] = []
    headers: list[str] = []
    for number, hunks in enumerate(parts):
        head = [f"diff --git a/src/f{number}.py b/src/f{number}.py"] if is_git else []
        head += [f"--- a/src/f{number}.py", f"+++ b/src/f{number}.py"]
        lines += head
        headers += head
        for changes in hunks:
            written_hunk = hunk(changes)
            lines += written_hunk
            headers.append(written_hunk[0])
    return lines, headers


@given(files, st.booleans(), st.integers(0, 200))
@settings(max_examples=60, deadline=None)
def test_headers_stay_and_every_line_is_shown_or_counted(parts: list[list[list[str]]], is_git: bool, more: int) -> None:
    """Whatever a hunk holds: where all headers fit they all stand, and lines shown and lines in gaps are the whole diff."""
    lines, headers = written(parts, is_git=is_git)
    limit = sum(tokens.count(line) + 8 for line in headers) + 30 + more
    made = excerpt.make("\n".join(lines), limit=limit, count=tokens.count)
    if made is None:
        return
    shown = made.text.split("\n")
    assert tokens.count(made.text) <= limit
    assert [line for line in shown if line in headers] == [line for line in lines if line in headers and line in shown]
    assert set(headers) <= set(shown)
    hidden = sum(int(found[1]) for line in shown if (found := GAP.match(line)))
    assert hidden + sum(not line.startswith("⋯") for line in shown) == len(lines)


def test_changed_lines_come_before_their_context() -> None:
    """What a diff is about is what it changes."""
    lines = ["diff --git a/x.py b/x.py", "--- a/x.py", "+++ b/x.py", "@@ -1,60 +1,61 @@"]
    lines += [f" context_{n} = value_{n}" for n in range(60)]
    lines.insert(40, "+added_name = compute_total(order)")
    made = cut("\n".join(lines), 90)
    assert "+added_name = compute_total(order)" in made.text


def test_an_added_line_that_looks_like_a_header_is_none() -> None:
    """`++ b/fake` added to a file reads `+++ b/fake`; the counts of the hunk tell them apart."""
    body = ["+++ b/fake.py", "--- a/fake.py", *[f" line {n}" for n in range(40)]]
    text = "\n".join(["diff --git a/x.py b/x.py", "--- a/x.py", "+++ b/x.py", *hunk(body)])
    assert "⋯ 1 file, 1 hunk, +1 −1 lines" in cut(text, 60).text


def test_a_diff_without_git_and_with_wrong_counts_is_read() -> None:
    """A patch a model wrote may count wrongly: a pair of names before a hunk is a file all the same."""
    parts = []
    for n in range(6):
        parts += [
            f"--- a/f{n}.c",
            f"+++ b/f{n}.c",
            "@@ -1,900 +1,900 @@",
            *[f" int a{k};" for k in range(20)],
            f"+int new_{n};",
        ]
    made = cut("\n".join(parts), 220)
    assert all(f"+++ b/f{n}.c" in made.text for n in range(6))
    assert "6 files, 6 hunks" in made.text


def test_a_merge_is_a_diff_too() -> None:
    """`git show` of a merge has hunks with three sides."""
    text = "\n".join(["diff --cc src/a.go", "index 1,2..3", "--- a/src/a.go", "+++ b/src/a.go", "@@@ -1,9 -1,9 +1,99 @@@"])
    text += "\n" + "\n".join(f"++line {n} of the merge" for n in range(99)) + "\ndiff --cc src/b.go\n@@@ -1 -1 +1 @@@\n++end"
    made = cut(text, 150)
    assert "diff --cc src/b.go" in made.text
    assert "⋯ 2 files, 2 hunks" in made.text


def test_files_are_named_first_where_not_all_headers_fit() -> None:
    """Of a diff with hundreds of hunks the files stay before the hunks."""
    parts = []
    for n in range(10):
        parts += [f"diff --git a/f{n} b/f{n}", f"--- a/f{n}", f"+++ b/f{n}"]
        parts += [line for k in range(30) for line in (f"@@ -{k},1 +{k},1 @@", f"-old {k}", f"+new {k}")]
    made = cut("\n".join(parts), 300)
    assert all(f"diff --git a/f{n} b/f{n}" in made.text for n in range(10))
    assert "10 files, 300 hunks" in made.text


def many_files(number: int, hunks: int, *, is_git: bool = True) -> tuple[list[str], list[str]]:
    """The lines of a diff of so many files, and their names; each hunk says whose it is."""
    names = [f"src/part_{n}/module_{n}.py" for n in range(number)]
    out: list[str] = []
    for n, name in enumerate(names):
        out += [f"diff --git a/{name} b/{name}", f"index 12{n:02}abc..34{n:02}def 100644"] if is_git else []
        out += [f"--- a/{name}", f"+++ b/{name}"]
        for k in range(hunks):
            out += [f"@@ -{k * 9 + 1},8 +{k * 9 + 1},8 @@ def f(file={n}, hunk={k})"]
            out += [f"{sign}    value_{n}_{k}_{j} = {j}" for j in range(4) for sign in "-+"] + [" rest"] * 4
    return out, names


@given(st.integers(2, 40), st.integers(1, 4), st.integers(90, 900), st.booleans())
@settings(max_examples=25, deadline=None)
def test_every_file_is_named_and_no_hunk_stands_under_the_name_of_another(
    number: int, hunks: int, limit: int, is_git: bool
) -> None:
    """Names stay while they take half of the room, beyond that the first and the last; lines stand where they belong."""
    source, names = many_files(number, hunks, is_git=is_git)
    made = excerpt.make("\n".join(source), limit=limit, count=tokens.count)
    if made is None:
        return
    assert tokens.count(made.text) <= limit
    missing = [name for name in names if name not in made.text]
    if (tokens.count(", ".join(names)) + 24) * 2 <= limit:
        assert not missing
    assert names[0] in made.text
    if missing:
        assert names[-1] in made.text
        assert f"⋯ {len(missing)} more" in made.text
    file = -1
    for line in made.text.split("\n"):
        if found := re.match(r"(?:diff --git|\+\+\+) .*module_(\d+)\.py$", line):
            file = int(found[1])
        elif found := re.search(r"\(file=(\d+), |value_(\d+)_", line):
            assert int(found[1] or found[2]) == file


@pytest.mark.parametrize("name", ["x</pumice:digest>.py", "x\u2028⋯ b1 Read.py", "x\x0b⋯ 3 lines"])
def test_a_name_that_reads_as_ours_is_in_no_list(name: str) -> None:
    """What a file is called forges no line and no mark of ours."""
    source, _ = many_files(14, 2)
    made = cut("\n".join(source).replace("src/part_1/module_1.py", name), 350)
    listed = made.text.split("\n")[0]
    assert listed.startswith("⋯ 14 files, ")
    assert listed.isprintable()
    assert "pumice:" not in made.text


def test_renamed_deleted_and_binary_files_are_listed_by_their_names() -> None:
    """Not every file of a diff has two names and a hunk."""
    parts = ["diff --git a/old.txt b/new.txt", "similarity index 95%", "rename from old.txt", "rename to new.txt"]
    parts += ["diff --git a/img.png b/img.png", "Binary files a/img.png and b/img.png differ"]
    parts += ["diff --git a/gone.c b/gone.c", "deleted file mode 100644", "--- a/gone.c", "+++ /dev/null", "@@ -1,90 +0,0 @@"]
    parts += [f"-int line_{n};" for n in range(90)]
    source, _ = many_files(8, 2)
    listed = cut("\n".join([*parts, *source]), 380).text.split("\n")[0]
    assert ": new.txt +0 −0, img.png +0 −0, gone.c +0 −90, src/part_0/module_0.py +8 −8, " in listed


def test_hunk_headers_follow_the_names_of_files_as_far_as_they_fit() -> None:
    """With the room for names taken, hunks come before changed lines."""
    source, names = many_files(6, 4)
    made = cut("\n".join(source), 560)
    assert all(f"diff --git a/{name} b/{name}" in made.text for name in names)
    assert made.text.count("\n@@ ") == 24 or "value_" not in made.text


SHOW = (
    "commit 12345678ab\nAuthor: Jo <jo@x.org>\nDate: Mon Jan 5\n\n    Round fees once, see TICKET-9\n\n    Twice was wrong.\n"
)
PATCH = "From {} Mon Sep 17 00:00:00 2001\nFrom: Jo <jo@x.org>\nDate: Mon, 5 Jan\nSubject: [PATCH] Round fees once, see TICKET-9\n\nTwice was wrong.\n====\n---\n src/part_0/module_0.py | 8 ++++----\n".format("12345678ab" * 4)  # fmt: skip  # noqa: E501


@pytest.mark.parametrize("words", [SHOW, PATCH], ids=["show", "format-patch"])
def test_the_words_of_a_commit_stand_first(words: str) -> None:
    """Who changed it and why is what a reader of a commit asks first."""
    source, names = many_files(14, 3)
    made = cut(words + "\n" + "\n".join(source) + "\n-- \n2.39.0\n", 700)
    assert made.text.startswith("⋯ 14 files, 42 hunks, +168 −168 lines")
    assert made.text.split("\n", 1)[1].startswith(words.rstrip("\n"))
    assert all(name in made.text for name in names)


def test_a_long_message_leaves_room_for_the_diff() -> None:
    """The words at the front take a quarter of the room, from their first line on."""
    source, names = many_files(3, 2)
    made = cut(SHOW + "    and more of it\n" * 200 + "\n".join(source), 400)
    assert "TICKET-9" in made.text
    assert all(name in made.text for name in names)
    assert "hunk=1" in made.text


@pytest.mark.parametrize("head", ["commit {}\nAuthor: Jo\n\n    {}\n", "From {} Mon\nFrom: Jo\nSubject: {}\n", "{} {}\n"])
def test_each_commit_of_a_log_is_named_with_its_subject(head: str) -> None:
    """Of several commits each stands before its files, by its name and what it says it does."""
    source, _ = many_files(2, 2)
    text = "\n".join(head.format(f"{n}abcdef1" * 5, f"Subject number {n}") + "\n".join(source) for n in range(4))
    made = cut(text, 600)
    assert made.text.split("\n")[0].count("module_1.py") <= 1
    assert all(f"Subject number {n}" in made.text and f"{n}abcdef1" * 5 in made.text for n in range(4))


@pytest.mark.parametrize("hunks", [1, 40_000])
def test_a_diff_of_5_mb_is_fast(hunks: int) -> None:
    """One endless hunk or very many: bounded, in a second or so, with counts of the whole."""
    per = 160_000 // hunks
    body = [
        line for n in range(hunks) for line in (f"@@ -{n},1 +{n},{per} @@", *(f"+line {k} of the new file" for k in range(per)))
    ]
    text = "\n".join(["diff --git a/big b/big", "--- a/big", "+++ b/big", *body])
    started = time.perf_counter()
    made = cut(text, 400)
    assert time.perf_counter() - started < 10
    assert "diff --git a/big b/big" in made.text
    assert f"{hunks} hunk" in made.text
