"""Processes of a contender: started, waited for, watched and ended."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

GRACE = 10.0
TICKS = os.sysconf("SC_CLK_TCK")


class Running:
    """A command in a process group of its own; what it prints is kept in a file."""

    def __init__(self, command: Sequence[str], port: int, folder: Path, env: Mapping[str, str] | None = None) -> None:
        self.port = port
        self.log = folder / f"{port}.log"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, start_new_session=True, cwd=folder, env={**os.environ, **(env or {})}
            )

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def cpu(self) -> float:
        """Milliseconds of CPU its group has used; 0 where the system does not say."""
        return sum(_cpu(place) for place in self._group())

    def resident(self) -> float | None:
        """Megabytes its group holds in memory; None where the system does not say."""
        found = [pages for place in self._group() if (pages := _pages(place))]
        return sum(found) * os.sysconf("SC_PAGE_SIZE") / 1e6 if found else None

    def _group(self) -> Iterator[Path]:
        for place in Path("/proc").glob("[0-9]*"):
            fields = _stat(place)
            if fields and int(fields[2]) == self._process.pid:
                yield place

    def stop(self) -> None:
        """End it and its children."""
        if not self.has_ended:
            os.killpg(self._process.pid, signal.SIGTERM)
            try:
                self._process.wait(GRACE)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()

    def last_words(self) -> str:
        """The end of what it printed."""
        return " / ".join(self.log.read_text(errors="replace").strip().splitlines()[-3:])[-300:]


def _stat(place: Path) -> list[str]:
    """Fields of proc(5)'s `stat` behind the name; empty for a process that has gone."""
    try:
        return (place / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _cpu(place: Path) -> float:
    """The threads' nanoseconds where the kernel counts them, else clock ticks."""
    try:
        return sum(int((task / "schedstat").read_text().split()[0]) for task in (place / "task").iterdir()) / 1e6
    except (OSError, IndexError):
        fields = _stat(place)
        return 1000 * (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0


def _pages(place: Path) -> int:
    try:
        return int((place / "statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as tried:
        tried.settimeout(0.5)
        return tried.connect_ex(("127.0.0.1", port)) == 0


def wait(running: Running, seconds: float) -> bool:
    """Whether it listens within so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not running.has_ended:
        if listens(running.port):
            return True
        time.sleep(0.05)
    return False
