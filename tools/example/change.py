"""Phase two: the change itself, with an edit that misses, a test that fails, and a correction of the target branch."""

from example import patches
from example.discover import RUN_TESTS, Facts
from example.turns import Answer, Story, User, bash, edit, found, grep, read, step, write

POINTER = "src/pumice/domain/pointer.py"
READBACK = "src/pumice/engine/readback.py"
TESTS = "tests/domain/test_pointer_labels.py"
BRANCH = "ACME-20931-7-labels-with-slices"

MOVE = f"""\
git stash --quiet --include-untracked
git switch --quiet -c {BRANCH} release/0.2
git stash pop
git branch -D labels-with-slices"""

COMPARE = """\
git branch --all
git log --oneline release/0.2..main
git diff --stat release/0.2 main"""


def implement(facts: Facts) -> Story:
    yield User("Good, go ahead. Keep the diff small.")
    yield step("A branch first.", bash("git switch -c labels-with-slices && git branch --list", "Create the branch"))
    yield step("Now the label pattern.", edit(POINTER, patches.ORDINAL_MISREMEMBERED, patches.LABEL, fails=True))
    yield step("That line is spelled differently from how I remembered it; reading it again.", read(POINTER, 1, 20))
    yield step("", edit(POINTER, patches.ORDINAL, patches.LABEL))
    yield step(
        "`parse` can try both patterns and fill the fields in one place.",
        edit(POINTER, patches.PARSE_OLD, patches.PARSE_NEW),
        edit(POINTER, patches.RETURN_OLD, patches.RETURN_NEW),
    )
    yield step("The tests, edge cases included.", write(TESTS, patches.TEST_FILE))
    yield step("", bash(f"{RUN_TESTS} {TESTS}", "Run the new tests", fails=True))
    yield step(
        "As planned, the backwards slice is not refused yet. Line zero gets through as well, and so do full-width digits: "
        "`\\d` matches those. Let me see the whole file before I fix all three.",
        read(POINTER),
    )
    yield step(
        "ASCII digits only, and one check for both shapes.",
        edit(POINTER, patches.RETURN_NEW, patches.RETURN_FIXED),
        edit(POINTER, patches.LABEL, patches.LABEL_ASCII),
    )
    yield step("", bash(f"{RUN_TESTS} {TESTS}", "Run the new tests again"))
    yield from _polish(facts)


def _polish(facts: Facts) -> Story:
    yield step(
        "Green. Style and types:",
        bash(f"ruff check {POINTER} {TESTS}; ruff format --check {POINTER} {TESTS}", "Lint", fails=True),
        bash("mypy src/pumice/domain 2>&1 | tail -5", "Types"),
    )
    yield step(
        "One line of the test file is longer than 128 characters; I split it.", edit(TESTS, patches.TOO_LONG, patches.SPLIT)
    )
    yield step("", bash(f"ruff format {TESTS} && ruff check {POINTER} {TESTS}", "Format and lint again"))
    yield step("The hint of the read-back should name the new form.", edit(READBACK, patches.HINT_OLD, patches.HINT_NEW))
    seen = yield step(
        "Everything I have a baseline for, and the new tests.",
        bash(
            f"{RUN_TESTS} tests/wire tests/ledger tests/commit tests/measure tests/domain 2>&1 | tail -6",
            "Baseline plus new tests",
        ),
        bash(f"ruff check {READBACK} && git diff --stat", "Lint, and what changed"),
    )
    facts.passed_after = found(r"(\d+) passed", seen[0])
    yield Answer(
        "Done in the working tree: labels with slices parse, backwards slices and line zero are refused for both shapes, "
        f"{facts.passed_after} tests pass ({facts.passed_before} before). The changelog line and the commit are next."
    )


def correct_the_target() -> Story:
    yield User("Wait. Correction: the target branch is release/0.2, not main. Rebase your work onto it. 分支名里要带上工单号。")
    yield step("Understood: release/0.2. What separates the two?", bash(COMPARE, "Compare the branches"))
    yield step(
        "The work is uncommitted, so I carry it over on a new branch that has the ticket in its name.",
        bash(MOVE, "Move the work"),
    )
    yield step(
        "Is the file the same there as on main?",
        bash(f"git diff release/0.2 main -- {POINTER} {READBACK}; git diff -- {POINTER}", "Compare"),
        read(POINTER),
    )
    yield step("", bash(f"{RUN_TESTS} tests/domain tests/ledger 2>&1 | tail -4", "Tests on the new base"))
    yield step("Now the changelog.", read("CHANGELOG.md"))
    yield step("", edit("CHANGELOG.md", patches.CHANGELOG_OLD, patches.CHANGELOG_NEW))
    yield step("Nothing else speaks of the spelling of labels?", grep(r"b173|short form|ordinal", "*.md"), grep("b173", "src"))
    yield Answer(
        f"The work now stands on release/0.2 in branch {BRANCH}, the changelog line ends with the ticket, nothing is committed "
        "yet. The old branch is gone."
    )
