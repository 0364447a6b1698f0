"""How long a process takes to begin: the command line beside a bare interpreter, and the first call's token counter."""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.row import Row
from bench.timing import repeated

RUNS = 8
OVER_BARE = 200.0
COUNTER = "from pumice.measure import tokens; tokens.count('a')"


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
    yield Row(
        "loading the token counter", least["counter"] - least["import"], "ms", note="in the background once an engine is open"
    )


def _least(commands: Mapping[str, Sequence[str]], runs: int) -> dict[str, float]:
    least = dict.fromkeys(commands, float("inf"))
    for _ in range(runs):
        for name, command in commands.items():
            (time,) = repeated(lambda command=command: subprocess.run(command, check=True, capture_output=True), 1)  # type: ignore[misc]
            least[name] = min(least[name], time.wall)
    return least
