"""Phase four: a reviewer's question, and questions that only the beginning of the session answers."""

from example.change import POINTER, TESTS
from example.discover import RUN_TESTS, Facts
from example.turns import Answer, Story, User, bash, edit, grep, read, step

SLICES = """\
python - <<'PY'
from pumice.domain import pointer
from pumice.engine import readback

text = "\\n".join(f"line {number}" for number in range(1, 101))
for label, offset, limit in [("b1#L40-L58", 1, 200), ("b1#L40-L58", 5, 3), ("b1#L40-L58", 19, 9), ("b1#L40", 1, 9)]:
    part = readback.read(text, pointer.parse(label), offset=offset, limit=limit, unit="lines")
    lines = part.text.split("\\n")
    print(f"{label:11} offset {offset:2} limit {limit:3}: {lines[0]} to {lines[-1]}, next {part.next_offset}")
PY"""

OFFSET_TEST = '''

def test_an_offset_counts_inside_the_slice() -> None:
    """A slice is the frame; reading on inside it never leaves it."""
    text = "\\n".join(f"line {number}" for number in range(1, 101))
    part = readback.read(text, pointer.parse("b1#L40-L58"), offset=5, limit=200, unit="lines")
    assert (part.offset, part.text.split("\\n")[0], part.text.split("\\n")[-1]) == (44, "line 44", "line 58")
'''

IMPORT_OLD = "from pumice.domain.pointer import Pointer\n"
IMPORT_NEW = f"{IMPORT_OLD}from pumice.engine import readback\n"

CONFIRM = """\
git diff --stat release/0.2 HEAD -- src/pumice/store/migrations
git diff release/0.2 HEAD -- pyproject.toml
git status --short
ls dist"""


def answer_the_reviewer() -> Story:
    yield User(
        "Reviewer asks: `read_range` with a slice *and* an offset, which wins? Look at the code again, prove it with a run, "
        "and add one test for it if there is none."
    )
    yield step("The arithmetic is in `readback.read`.", read("src/pumice/engine/readback.py"))
    yield step("", bash(SLICES, "Slices with offsets"))
    yield step("So an offset counts inside the slice. Is there a test that says so?", grep("offset=", "tests"), read(TESTS))
    yield step(
        "None for a slice. I add one beside the others.",
        edit(TESTS, IMPORT_OLD, IMPORT_NEW),
        bash(f"cat >> {TESTS} <<'PY'\n{OFFSET_TEST}PY", "Append the test"),
    )
    yield step("", bash(f"{RUN_TESTS} {TESTS} && ruff check {TESTS} && ruff format --check {TESTS}", "Run it"))
    yield step(
        "Into the same commit, so that it stays one.",
        bash(f"git add {TESTS} && git commit -q --amend --no-edit && git log --oneline release/0.2..HEAD", "Amend"),
    )
    yield Answer(
        "The slice sets the frame and the offset counts inside it: `b1#L40-L58` with offset 5 begins at line 44. A test says "
        "so now; it is still one commit."
    )


def ask_about_the_beginning(facts: Facts) -> Story:
    yield User(
        "For the merge request text, without looking anything up: which ticket is it, which branch do we target, from which "
        "commit did you start when you made your plan, how many tests passed then and after your change, and what were you "
        "told not to touch?"
    )
    yield Answer(
        f"Ticket ACME-20931-7. Target branch release/0.2 (you corrected it from main). I planned at commit {facts.head}, with "
        f"{facts.passed_before} tests passing in wire, ledger, commit and measure, and {facts.passed_after} after the change "
        "with tests/domain included. Off limits: every file under migrations/, the dependency versions in pyproject.toml, "
        "and pushing to main."
    )
    yield User("谢谢。最后确认一下：migrations/ 和依赖版本真的没有改动吗？构建出来的 wheel 叫什么名字？")
    yield step("Checked against the target branch:", bash(CONFIRM, "Confirm"), read(POINTER, 1, 20))
    yield Answer(
        f"没有改动：对 release/0.2 的比较里，src/pumice/store/migrations 和 pyproject.toml 都没有差异。wheel 是 {facts.wheel}。"
        "提交信息第一行是 “Let short labels carry a slice of lines”，工单号 ACME-20931-7 在 CHANGELOG 那一行的末尾。"
    )
