"""Peak memory of the whole process while the biggest recording is replayed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bench import sessions
from bench.row import Row

PEAK = 300.0
WINDOW = "60000"
POLICIES = ("none", "recorded", "newest", "balanced")


def rows(_repeats: int) -> Iterator[Row]:
    """One replay is enough: memory is not noisy."""
    files = sessions.biggest(1)
    if not files:
        yield Row("replay, peak memory", None, "MB", PEAK, "no recorded sessions at hand")
        return
    pumice = str(Path(sys.executable).with_name("pumice"))
    chosen = [word for policy in POLICIES for word in ("--policy", policy)]
    command = [pumice, "replay", str(files[0]), *chosen, "--window", WINDOW, "--json"]
    code, peak, seconds = _run(command)
    note = f"exit {code}" if code else f"{files[0].name}, {seconds:.1f} s of CPU"
    yield Row("replay of the biggest recording, peak memory", None if code else peak, "MB", PEAK, note)


def _run(command: list[str]) -> tuple[int, float, float]:
    """Exit code, peak resident megabytes and CPU seconds of a command."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes there, in kilobytes here
    return process.returncode, usage.ru_maxrss * unit / 1e6, usage.ru_utime + usage.ru_stime
