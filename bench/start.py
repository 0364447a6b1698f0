"""How long a process takes to begin: the command line beside a bare interpreter, and the first call's token counter."""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.row import Row
from bench.timing import repeated

RUNS = 8
OVER_BARE = 200.0
COUNTER = "from pumice.measure import tokens; tokens.load()"
FIRST = """
import sys, time
from pumice import Engine
with Engine.open(":memory:") as engine:
    start = time.perf_counter()
    session = engine.session("bench", window=200_000)
    opened = time.perf_counter()
    if pause := float(sys.argv[1]):
        time.sleep(pause)
    went_on = time.perf_counter()
    session.compile({"model": "m", "messages": [{"role": "user", "content": "hi"}]}, dialect="openai-chat")
    print(1000 * (time.perf_counter() - went_on + opened - start))
"""


def rows(repeats: int) -> Iterator[Row]:
    """The least of several runs each, taken in turns."""
    pumice = str(Path(sys.executable).with_name("pumice"))
    commands = {
        "bare": (sys.executable, "-c", "pass"),
        "version": (pumice, "--version"),
        "help": (pumice, "--help"),
        "import": (sys.executable, "-c", "from pumice.measure import tokens"),
        "counter": (sys.executable, "-c", COUNTER),
    }
    least = _least(commands, RUNS * repeats)
    yield Row("bare interpreter", least["bare"], "ms")
    yield Row("pumice --version, over a bare interpreter", least["version"] - least["bare"], "ms", OVER_BARE)
    yield Row("pumice --help, over a bare interpreter", least["help"] - least["bare"], "ms")
    yield Row("loading the token counter", least["counter"] - least["import"], "ms")
    for pause in (0.0, 2.0):
        first = min(_first_call(pause) for _ in range(repeats))
        yield Row(f"session opened and first call of a process, {pause:g} s between", first, "ms")


def _least(commands: Mapping[str, Sequence[str]], runs: int) -> dict[str, float]:
    least = dict.fromkeys(commands, float("inf"))
    for _ in range(runs):
        for name, command in commands.items():
            (time,) = repeated(lambda command=command: subprocess.run(command, check=True, capture_output=True), 1)  # type: ignore[misc]
            least[name] = min(least[name], time.wall)
    return least


def _first_call(pause: float) -> float:
    """Milliseconds a fresh process takes to open a session and, after a pause of so many seconds, to compile its first call."""
    command = (sys.executable, "-c", FIRST, str(pause))
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
