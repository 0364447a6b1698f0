"""Phase three: the full build with its huge log, a review of the neighbours, a docstring, and the commit."""

from example.change import POINTER, TESTS
from example.discover import RUN_TESTS, Facts
from example.turns import Answer, Story, User, bash, edit, found, grep, read, step

BUILD = """\
set -e
rm -rf dist
python -m pip wheel -vv --no-deps --no-build-isolation --no-index -w dist . 2>&1
python -m compileall -f -q src
python -m mypy -v --no-incremental --cache-dir=/dev/null src/pumice/domain 2>&1"""

ENTITIES = """\
python - <<'PY'
from pumice.measure import entities
text = "see b173#L40-L58 and workspace://artifacts/b173#L40-L58 in src/app.py"
for entity in entities.find(text):
    print(entity.kind, entity.text)
PY"""

VERIFY = """\
git log --oneline release/0.2..HEAD
git diff --stat release/0.2 HEAD
git diff release/0.2 HEAD -- src/pumice/store/migrations pyproject.toml | wc -l"""

DOCSTRING_OLD = '"""A slice of something outside the window; at most two per model response.'
DOCSTRING_NEW = (
    '"""A slice of something outside the window, by address or label (`b173#L40-L58`); at most two per model response.'
)


def build(facts: Facts) -> Story:
    yield User(
        "CI builds the wheel and type-checks verbosely. Run the same here and check that our file is in the wheel. "
        "Show me real output, not a summary of what it should be."
    )
    seen = yield step("The whole thing, verbose.", bash(BUILD, "Full verbose build"))
    facts.wheel = found(r"pumice-[\w.]+-py3-none-any\.whl", seen[0], 0)
    facts.checked = found(r"Success: no issues found in (\d+) source files", seen[0])
    seen = yield step(
        "It went through. The part that matters:",
        bash("python -m zipfile -l dist/*.whl | grep -E 'domain/pointer|migrations|report.html'", "Check the wheel"),
        bash("git status --short", "Nothing unexpected"),
    )
    size = found(r"pointer\.py .* (\d+)$", seen[0])
    migrations = found(r"(migrations/0001\w+\.sql)", seen[0])
    yield Answer(
        f"{facts.wheel} was built. `pumice/domain/pointer.py` is in it with {size} bytes, so are the migrations ({migrations} "
        f"and the later ones), and mypy finds nothing in {facts.checked} files of domain."
    )


def review_neighbours() -> Story:
    yield User(
        "While CI runs: could `wire` or `recordings` ever produce a text that we would now take for a label by mistake? "
        "Read what you need."
    )
    yield step(
        "Where texts of blocks come from, Anthropic first.",
        read("src/pumice/wire/anthropic/read.py"),
        read("src/pumice/wire/leaves.py"),
    )
    yield step("The other dialect.", read("src/pumice/wire/openai_chat/read.py"))
    yield step("And how a result's text is replaced there.", read("src/pumice/wire/openai_chat/rewrite.py"))
    yield step("Recorded sessions: Claude Code.", read("src/pumice/recordings/claude_records.py"))
    yield step(
        "pi, and a finished list unrolled.",
        read("src/pumice/recordings/pi_records.py"),
        read("src/pumice/recordings/unroll.py"),
    )
    yield step("The shell reader guesses targets of commands; does it ever make a label?", read("src/pumice/commit/shell.py"))
    yield step("", read("src/pumice/commit/commands.py"))
    yield step("And the entity finder: would `b173#L40` be one entity or two?", read("src/pumice/measure/entities.py"))
    yield step("Better to ask it than to guess.", bash(ENTITIES, "Entities around a label"))
    yield step("Who calls parse with text that an agent did not write?", grep(r"parse\(", "src/pumice/engine"))
    yield step("", read("src/pumice/engine/audit.py"))
    yield step(
        "Last, the place where alignment compares placeholders.",
        read("src/pumice/ledger/align.py"),
        read("src/pumice/engine/observe.py"),
    )
    yield Answer(
        "No: `parse` is only reached from `read_range` and `search`, with a pointer that the agent passed as an argument. "
        "Texts of blocks are never parsed as pointers, neither in wire nor in recordings. A label inside a tool result stays "
        "text."
    )


def complete_the_docstring() -> Story:
    yield User("顺便把 Session.read_range 的 docstring 补上：指针也可以是带切片的短标签。签名不要改。")
    yield step("", grep("def read_range", "src/pumice"))
    yield step("The session's is the one people read.", grep("A slice of something outside", "src/pumice/engine/session.py"))
    yield step("", edit("src/pumice/engine/session.py", DOCSTRING_OLD, DOCSTRING_NEW))
    yield step(
        "",
        bash("ruff check src/pumice/engine/session.py && git diff --stat", "Lint and size of the diff"),
        bash(f"{RUN_TESTS} tests/domain tests/ledger 2>&1 | tail -3", "Tests"),
    )
    yield Answer("补好了：只改了 docstring 一行，签名没有动，测试通过。")


def commit(facts: Facts) -> Story:
    yield User("Fine. Commit it, one commit. 提交信息用英文，第一行不超过 72 个字符。")
    yield step(
        "A last look at everything that goes in.",
        bash("git add -A src tests CHANGELOG.md && git status --short && git diff --cached", "Review the diff"),
        read(TESTS),
    )
    seen = yield step(
        "",
        bash("git commit -q -m 'Let short labels carry a slice of lines' -m 'Ticket: ACME-20931-7'", "Commit"),
        bash("git log --oneline -3", "See it"),
    )
    facts.commit = seen[1].split()[0]
    yield step("Is it one commit on the right base, with neither migrations nor dependencies touched?", bash(VERIFY, "Verify"))
    yield step("And the file as it was committed:", read(POINTER))
    yield Answer(f"{facts.commit} on ACME-20931-7-labels-with-slices, one commit on release/0.2. Nothing was pushed.")
