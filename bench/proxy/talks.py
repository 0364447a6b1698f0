"""A made-up session of a coding agent, the same for the same seed: each call appends a tool call and its result.

What the tools print is of the kinds and sizes agents see: files, hits of a search, listings, test runs, edits.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random

import msgspec

_NOUNS = """
account amount archive balance batch branch buffer cache call carrier catalog channel check client column config count
cursor customer delivery digest discount draft entry event export factor field filter folder format gateway group handle
header index invoice item journal label layer ledger limit line locale lookup margin marker member message meter model
module notice number offer option order outline package page parcel part path pattern payment period plan policy price
product profile quota range rate reader record region report request result retry return route rule sample schema scope
section sender session setting shipment signal slot source
"""
WORDS = _NOUNS.split()
SYSTEM = "You are a coding agent. Look before you change, run what you claim, and say plainly what failed. "
SYSTEM_TIMES = 60
GOAL = "The invoice totals of {a} are wrong when a {b} is cancelled. Find out why, fix it, and never change the public {c} API."
TOOLS = ("read_file", "search", "list_folder", "run_tests", "edit_file")


class Step(msgspec.Struct, frozen=True):
    """What the model says and calls, and what comes of it."""

    id: str
    text: str
    tool: str
    given: dict[str, str]
    result: str


def goal(seed: int) -> str:
    """What the person asks for."""
    a, b, c = Random(seed).sample(WORDS, 3)
    return GOAL.format(a=a, b=b, c=c)


@lru_cache(maxsize=4096)
def step(seed: int, number: int) -> Step:
    """One step of a session; its id says which, so that an upstream can answer with the next."""
    random = Random(f"{seed}/{number}")
    tool = random.choices(TOOLS, (5, 3, 1, 2, 2))[0]
    a, b = random.choice(WORDS), random.choice(WORDS)
    given = {"path": f"src/{a}/{b}_{number}.py", "why": f"see how {a} handles {b}"}
    text = f"Next I look at the {a} {b} in step {number}."
    return Step(f"call_{seed}x{number:04d}", text, tool, given, "\n".join(_PRINTED[tool](random, given["path"])))


def _file(random: Random, _path: str) -> Iterator[str]:
    for at in range(1, random.randint(90, 190)):
        a, b, c = random.choices(WORDS, k=3)
        lines = (
            f"def {a}_{b}({c}: int) -> str:",
            f"    {a} = self.{b}({c}, {at})",
            f"    if {a} > {c}_{b}:",
            f"    return {a}[{c}]",
            "",
        )
        yield f"{at}\t{lines[at % 5]}"


def _hits(random: Random, _path: str) -> Iterator[str]:
    for _ in range(random.randint(15, 60)):
        a, b, c = random.choices(WORDS, k=3)
        yield f"src/{a}/{b}.py:{random.randint(1, 900)}:    {c} = {a}_{b}({c}, timeout={random.randint(1, 99)})"


def _listing(random: Random, _path: str) -> Iterator[str]:
    for _ in range(random.randint(30, 90)):
        a, b = random.choices(WORDS, k=2)
        yield f"-rw-r--r-- 1 dev dev {random.randint(200, 90_000):>6} src/{a}/{b}.py"


def _tests(random: Random, path: str) -> Iterator[str]:
    count, broken = random.randint(60, 160), random.randint(0, 50)
    for at in range(count):
        a, b, c = random.choices(WORDS, k=3)
        yield f"tests/{a}/test_{b}.py::test_{c}_{at} {'FAILED' if at == broken else 'PASSED'} [{100 * at // count:3d}%]"
    yield f"E   AssertionError: {path}: total 1{broken}.40 is not 1{broken}.90"
    yield f"=== 1 failed, {count - 1} passed in {random.random() * 9:.2f}s ==="


def _edit(random: Random, path: str) -> Iterator[str]:
    yield f"{path}: replaced {random.randint(1, 9)} lines"


_PRINTED: dict[str, Callable[[Random, str], Iterator[str]]] = {
    "read_file": _file,
    "search": _hits,
    "list_folder": _listing,
    "run_tests": _tests,
    "edit_file": _edit,
}
