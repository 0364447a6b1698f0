"""Phase one: the task, its rules, and the agent's way into the code."""

from dataclasses import dataclass

from example.turns import Answer, Story, User, bash, found, glob, grep, read, step

TASK = """\
Short labels should be able to carry a slice. Today `b173` is accepted as a pointer, but `b173#L40-L58` is refused, and \
agents write exactly that after they have seen a line number in a digest. It should mean the same as \
`workspace://artifacts/b173#L40-L58`. Please add it in this checkout, with tests and a changelog line.

A few things to keep to:
- Never push to main.
- The ticket is ACME-20931-7. The changelog line must end with it in brackets.
- One commit on a branch of its own; the target branch is main.

另外：不要动 migrations/ 目录下的任何文件，也不要改 pyproject.toml 里的依赖版本。测试要覆盖边界情况。
Start with a look around and tell me your plan before you change anything."""

RUN_TESTS = "python -m pytest -p no:cacheprovider -p no:xdist --hypothesis-seed=0"
BASELINE = f"{RUN_TESTS} tests/wire tests/ledger tests/commit tests/measure 2>&1 | tail -15"

RULES = (
    "Never push to main.",
    "不要动 migrations/ 目录下的任何文件，也不要改 pyproject.toml 里的依赖版本。",
    "The changelog line must end with it in brackets.",
    "提交信息用英文，第一行不超过 72 个字符。",
)
"""Sentences of the person that must stand word for word in every view: the example's constraints file."""


@dataclass
class Facts:
    """What early output said and later answers need."""

    head: str = ""
    passed_before: str = ""
    passed_after: str = ""
    commit: str = ""
    wheel: str = ""
    checked: str = ""


def look_around(facts: Facts) -> Story:
    yield User(TASK)
    seen = yield step(
        "I'll start with the state of the checkout and the ground rules.",
        bash("git status --short --branch && git log --oneline -25", "State and recent history"),
        read("AGENTS.md"),
        glob("src/pumice/*/*.py"),
    )
    facts.head = found(r"^([0-9a-f]{7,}) ", seen[0])
    yield step("The words of the domain come first; pointers should be one of them.", read("src/pumice/domain/pointer.py"))
    yield step(
        "`parse` knows two shapes: the full address, which may carry a slice, and the bare ordinal. Who calls it, and who "
        "makes pointers?",
        grep(r"pointers?\.parse|domain import pointer|domain\.pointer import", "src"),
        grep(r"artifact\(|workspace://", "src"),
    )
    yield step("Errors and marks belong to the same picture.", read("src/pumice/errors.py"), read("src/pumice/domain/marks.py"))
    yield step(
        "Now the reader side: how a parsed pointer becomes text.",
        read("src/pumice/engine/readback.py"),
        read("src/pumice/engine/session.py"),
    )
    yield step(
        "And the writer side: labels are what agents copy from.",
        read("src/pumice/compact/labels.py"),
        read("src/pumice/compact/digest.py"),
    )
    yield step(
        "What do tests say about pointers so far?", grep(r"pointer|NotAddressable|b173", "tests"), glob("tests/*/test_*.py")
    )
    seen = yield step("A baseline before I touch anything.", bash(BASELINE, "Baseline"))
    facts.passed_before = found(r"(\d+) passed", seen[0])
    yield step(
        "Baseline is green. Two more files decide the shape: configuration of the checks, and the policy for what is re-read.",
        read("pyproject.toml"),
        read("src/pumice/domain/ports.py"),
    )
    yield Answer(
        f"""\
Plan, from commit {facts.head} with {facts.passed_before} tests passing in wire, ledger, commit and measure:

1. `src/pumice/domain/pointer.py`: one pattern for labels, `b173` with an optional `#L40` or `#L40-L58`; `parse` fills the \
same four fields for both shapes.
2. A slice that runs backwards (`#L58-L40`) is refused with NotAddressable, for labels and for full addresses: today it is \
silently accepted.
3. `tests/domain/test_pointer_labels.py`: both shapes mean the same, open slice, backwards slice, things that only look like \
labels.
4. The hint in `engine/readback.py` names the new form; a changelog line that ends with [ACME-20931-7].

`Slice`, `read_range` and everything under migrations/ stay as they are, and no dependency version changes. Shall I go on?"""
    )


def trace_callers() -> Story:
    yield User(
        "Before you change it: walk the whole way of a label once, from the cut that folds a block to the read-back, and tell "
        "me whether anything relies on a label having no slice. I don't want a regex somewhere that quietly stops matching."
    )
    yield step(
        "From the cut downwards. First what decides and what is kept.",
        read("src/pumice/compact/levels/offload.py"),
        read("src/pumice/compact/choose.py"),
    )
    yield step(
        "What stays whole, and the preface that carries the digest.",
        read("src/pumice/compact/keep.py"),
        read("src/pumice/compact/preface.py"),
    )
    yield step(
        "Excerpts on arrival point at artifacts as well.",
        read("src/pumice/compile/first_sight.py"),
        read("src/pumice/excerpt/build.py"),
    )
    yield step("The manifest prints pointers too.", read("src/pumice/compile/manifest.py"))
    yield step(
        "Where a block's text is kept under its name, and how the ordinal is given.",
        read("src/pumice/engine/outbox.py"),
        read("src/pumice/engine/branch.py"),
        read("src/pumice/engine/tree.py"),
    )
    yield step("Any other pattern over labels?", grep(r"b\\d\+|re\.compile", "src/pumice"), grep(r"_ORDINAL|_POINTER", "src"))
    yield step(
        "The ruler looks for labels in views when it measures what is reachable.",
        read("src/pumice/evaluate/metrics/grounding.py"),
        read("src/pumice/evaluate/view.py"),
    )
    yield step(
        "And names of artifacts in the store: they must not be able to contain a slice.",
        read("src/pumice/store/artifacts.py"),
        read("src/pumice/store/keys.py"),
    )
    yield step(
        "One thing left: what a tool call was about is told by the effects table.",
        read("src/pumice/presets/effects.yaml", 1, 120),
    )
    yield Answer(
        """\
The way of a label: `offload` folds → `labels.label` writes `⋯ b173 Read src/app.py 412 lines` → the digest and preface carry \
it → an agent copies `b173` → `Session.read_range` → `pointer.parse` → `readback.find` looks up `pointer.name` → \
`readback.read` applies first and last.

Only `_ORDINAL` in `domain/pointer.py` demands that nothing follows the number. `readback.find` uses the name alone, so a \
slice cannot leak into the lookup, and the store never sees it. Nothing else relies on a bare label; I'll \
change that one place."""
    )
