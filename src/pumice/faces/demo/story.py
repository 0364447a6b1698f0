"""What happens in the demonstration, step by step: what the model says and calls, and what its tools print."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pumice.faces.demo import material

SYSTEM = (
    "You are a coding agent in /work/orders, a service that takes orders from a message queue. Work in small steps: look, "
    "change, run the tests. Say in a sentence what you do before each tool call."
)
TASK = (
    "Last night order 48213 was stored twice after the broker lost a channel. Find out why and fix it. Never edit anything "
    "under migrations/. Keep the public methods of OrderQueue as they are. Run the whole suite before you say you are done."
)
QUESTION = (
    "Good. For CHANGELOG.md I need it exactly: how many unacked deliveries were requeued when the channel was lost, and what "
    "was the first delivery tag?"
)
REVIEW = (
    "Review the change to worker.py: can an order still be stored twice after a channel is lost? Read what you need, change "
    "nothing, and never run anything against production."
)
LOG = "docker compose logs broker --since 24h"
ANSWER = material.LOST
"""What reading back has to fetch."""


class Step(msgspec.Struct, frozen=True):
    """One answer of the model: words, then a tool call with what the tool prints, or none."""

    says: str
    tool: str = ""
    input: Mapping[str, Any] = {}
    prints: str = ""


class Turn(msgspec.Struct, frozen=True):
    """Something a person asks, and what the agent does about it."""

    asks: str
    steps: Sequence[Step]
    reads_back: str = ""
    """A command whose output has long left the window, and of which the model reads lines back before it answers."""


TOOLS: Mapping[str, tuple[str, Sequence[str]]] = {
    "Bash": ("Run a command in the project folder and print what it prints.", ("command",)),
    "Read": ("Print a file, or some of its lines.", ("file_path", "offset", "limit")),
    "Grep": ("Print lines of the sources that match a pattern.", ("pattern",)),
    "Edit": ("Replace a text in a file by another.", ("file_path", "old", "new")),
}
"""Tools by name: what they do, and their parameters."""


def repair() -> list[Turn]:
    """The long session: a fault is found in a night's logs, repaired and told."""
    failing = ("tests/test_queue.py::test_requeue_keeps_order[2]", "tests/test_worker.py::test_claim_keeps_order[4]")
    survey = [
        _bash("First I look at the history.", "git log --oneline -12", _history()),
        _bash("What is there?", "find . -name '*.py' -o -name '*.yaml' -o -name '*.md'", material.listing()),
        Step("The runbook may say what a lost channel means.", "Read", {"file_path": "docs/runbook.md"}, material.runbook()),
        _bash("Now the suite as it stands.", "pytest -q", material.suite_log(failing)),
        _read("queue"),
        _bash("The broker's log of that night.", LOG, material.broker_log()),
        _bash("And the workers' of the same hour.", "kubectl logs deploy/orders-worker --since 24h", material.worker_log()),
        _read("worker"),
        Step("Where is a key claimed?", "Grep", {"pattern": "claim"}, material.search("claim", every=1)),
        _read("broker"),
        _read("retry"),
        Step("How long may a delivery stay unacked?", "Read", {"file_path": "config/production.yaml"}, material.settings()),
        _read("store"),
        Step("What do the tests promise?", "Read", {"file_path": "tests/test_worker.py"}, material.checks("worker")),
        Step("And those of the queue?", "Read", {"file_path": "tests/test_queue.py"}, material.checks("queue")),
    ]
    fix = [
        Step(
            "Does everything that handles a key look whether it was seen?",
            "Grep",
            {"pattern": "entry"},
            material.search("entry"),
        ),
        _edit("src/orders/worker.py", "self._claim_before(entry", "self._claim_once(entry"),
        _bash("The worker's tests first.", "pytest -q tests/test_worker.py", material.suite_log()[-900:]),
        _read("worker"),
        _edit("src/orders/queue.py", "self._requeue_after(entry", "self._requeue_marked(entry"),
        _bash("Now everything.", "pytest -q", material.suite_log(failing[:1])),
        _read("queue"),
        _read("api"),
        _edit("src/orders/queue.py", "if len(pending) > 28 // 2:", "if len(pending) >= 28 // 2:"),
        _bash("Everything again.", "pytest -q", material.suite_log()),
        Step("Order 48213 was acked on a channel that was gone. A worker now claims a key once. All 310 tests pass."),
    ]
    told = [
        _bash(
            "I put that into the changelog.",
            "sed -n 1,20p CHANGELOG.md",
            "# Changelog\n\n## Unreleased\n\n- workers report their load",
        ),
        _edit("CHANGELOG.md", "- workers report", "- a lost channel no longer stores an order twice\n- workers report"),
        _bash("And I run the suite once more, as you asked.", "pytest -q", material.suite_log()),
        Step("212 unacked deliveries were requeued, first delivery tag 7719; it is in CHANGELOG.md. migrations/ is untouched."),
    ]
    return [Turn(TASK, [*survey, *fix]), Turn(QUESTION, told, reads_back=LOG)]


def review() -> list[Turn]:
    """A second agent of another provider reads the change."""
    steps = [
        _bash("First the change itself.", "git show --stat HEAD", _history()[:400]),
        *(_read(name) for name in ("worker", "queue", "broker", "retry", "store")),
        _bash("Do the tests pass here?", "pytest -q", material.suite_log()),
        _bash("What does the log say of that hour?", "kubectl logs deploy/orders-worker --since 24h", material.worker_log()),
        Step("What is tested of claims?", "Read", {"file_path": "tests/test_worker.py"}, material.checks("worker")),
        Step("What of the store?", "Read", {"file_path": "tests/test_store.py"}, material.checks("store")),
        _bash("Is the order of acks kept?", LOG, material.broker_log()),
        *(_read(name) for name in ("worker", "store", "api")),
        Step("Who else writes rows?", "Grep", {"pattern": "rows"}, material.search("rows", every=1)),
        _bash("One more run, in random order.", "pytest -q -p randomly", material.suite_log()),
        Step("A key is claimed once before it is stored, on every path I found. I see no way to store an order twice."),
    ]
    return [Turn(REVIEW, steps)]


def _bash(says: str, command: str, prints: str) -> Step:
    return Step(says, "Bash", {"command": command}, prints)


def _read(name: str) -> Step:
    return Step(f"I read {name}.py.", "Read", {"file_path": f"src/orders/{name}.py"}, material.source(name))


def _edit(path: str, old: str, new: str) -> Step:
    return Step(f"I change {path}.", "Edit", {"file_path": path, "old": old, "new": new}, f"The file {path} has been updated.")


def _history() -> str:
    names = list(material.MODULES)
    return "\n".join(
        f"{number * 7919 % 0xFFFFFFF:07x} Let {names[number % 6]} say what became of a key" for number in range(1, 13)
    )
