"""What a scripted model does in a project: a generator that says something and is given the request that comes of it."""

import re
from collections.abc import Generator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from tests_support import code

from pumice import wire
from pumice.domain.message import Request
from pumice.wire.double import Say, Use

Work = Generator[Say, Request, None]
TASK, REVIEW = "MAIN-TASK", "REVIEW-TASK"
PROMPT = f"{TASK}: repair m0.py. Never touch m3.py."
TRACE = """import sys
for step in range(600):
    print(f"step {step:04d} module m{step % 17:02d} checksum {(step + 7) * int(sys.argv[1]) * 7919 % 1000003:06d} ok")
"""
"""A program that prints 24 kB, which Claude Code still shows whole."""
STEP = 100
"""Of a trace, the line that is wanted again: clients keep it where they cut off the middle themselves."""
ANSWER = f"Step {STEP} had the checksum {(STEP + 7) * 7919 % 1000003:06d}."
_CHECKSUM = re.compile(rf"step {STEP:04d} module m\d\d checksum (\d{{6}}) ok")
_FOLDED = re.compile(r"^⋯ (b\d+) .*trace\.py 1\b", re.M)
_FOLDER = re.compile(r"(/[^\s\"'<>;]+/artifacts)\b")


class Hands(Protocol):
    """A client's tools, as the model calls them."""

    def read(self, path: str, first: int = 1, lines: int = 400) -> Use:
        """Lines of a file; a path of the project or an absolute one."""
        ...

    def shell(self, command: str) -> Use: ...

    def edit(self, path: str, old: str, new: str) -> Use: ...


class Mind:
    """Answers every request of a client: each agent of it does its own work, and whatever else is asked gets `{}`."""

    def __init__(self, works: Mapping[str, Work]) -> None:
        """`works` by words of that agent's first prompt; the first that fits is meant."""
        self._works = dict(works)
        self._begun: set[str] = set()
        self.asked: list[str] = []
        """Who asked, in order; empty for what is no work."""
        self.failed: Exception | None = None

    def __call__(self, request: Request) -> Say:
        said = texts(request)
        who = next((name for name in self._works if any(name in text for text in said[:12])), "")
        self.asked.append(who)
        try:
            return self._next(who, request) if who else Say("{}")
        except Exception as error:  # noqa: BLE001 - the client shall end, and the test say why
            self.failed = self.failed or error
            return Say("Something is wrong.")

    def _next(self, who: str, request: Request) -> Say:
        if who in self._begun:
            return self._works[who].send(request)
        self._begun.add(who)
        return next(self._works[who])


class Repair:
    """A long piece of work: look, change, run what prints much, and read back a line that has left the view."""

    def __init__(self, hands: Hands, runs: int, *delegating: Use) -> None:
        """`delegating` are calls that send another agent on its way, one after the other."""
        self._do, self._runs, self._delegating = hands, runs, delegating
        self.views: list[str] = []
        """What the model was shown when it read back, and right after."""

    def work(self) -> Work:
        do = self._do
        yield Say("First the trace.", (do.shell("python3 trace.py 1"),), thinking="Where to begin?")
        yield Say("Then the source.", (do.read("m0.py"), do.read("m1.py")))
        yield Say("I change it.", (do.edit("m0.py", "LIMIT = 0", "LIMIT = 7"),))
        for use in self._delegating:
            yield Say("A second pair of eyes.", (use,))
        for at in range(2, self._runs):
            yield Say(f"Run {at}.", (do.shell(f"python3 trace.py {at}"),), thinking=f"Is run {at} better?")
        request = yield Say(f"Run {self._runs}.", (do.shell(f"python3 trace.py {self._runs}"),))
        self.views.append("\n".join(texts(request)))
        path = f"{_FOLDER.findall(self.views[0])[0]}/{_FOLDED.findall(self.views[0])[0]}"
        request = yield Say("I need a line of the first trace again.", (do.read(path, STEP - 5, 20),))
        self.views.append(texts(request)[-1])
        found = _CHECKSUM.search(self.views[1])
        yield Say("What does it say now?", (do.shell("head -1 m0.py"),))
        yield Say(f"All is done. Step {STEP} had the checksum {found[1] if found else 'unknown'}.")
        yield Say("It still is.")


def review(hands: Hands, last: Say) -> Work:
    """What a second agent does."""
    yield Say("I read the change.", (hands.read("m0.py", 1, 40),))
    yield Say("And I try it.", (hands.shell("python3 trace.py 1"),))
    yield last


def furnish(project: Path) -> None:
    """The files that are worked on."""
    (project / "trace.py").write_text(TRACE)
    for at in range(4):
        (project / f"m{at}.py").write_text(f"LIMIT = {at}\n{code(f'm{at}', 240)}\n")


def texts(request: Request) -> list[str]:
    """Every text of the conversation, in order."""
    dialect = wire.get(request.dialect)
    return [block.text for raw in request.messages for block in dialect.read_message(raw).blocks]


def breaks(bodies: list[bytes], dialect: str, *, but: tuple[str, ...] = ()) -> int:
    """How often a body does not go on where the one before ended, by what a provider's cache compares.

    `but` are beginnings of paths that are not compared.
    """
    found = [[unit for unit in wire.get(dialect).units(body) if not (but and unit.path.startswith(but))] for body in bodies]
    prefixes = [[unit.exact for unit in units] for units in found]
    return sum(later[: len(before)] != before for before, later in pairwise(prefixes))
