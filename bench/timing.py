"""Timing on a machine that others use too: wall and CPU time side by side, the least of several repeats, quantiles."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec


class Time(msgspec.Struct, frozen=True):
    """Milliseconds something took."""

    wall: float
    cpu: float
    """Of all threads of this process: other processes do not count."""

    def least(self, other: "Time") -> "Time":
        return Time(min(self.wall, other.wall), min(self.cpu, other.cpu))


class Watch:
    """Started when made."""

    def __init__(self) -> None:
        self._cpu = time.process_time()
        self._wall = time.perf_counter()

    def read(self) -> Time:
        wall = time.perf_counter() - self._wall
        return Time(wall * 1000, (time.process_time() - self._cpu) * 1000)


def repeated(run: Callable[[], Any], repeats: int) -> list[Time]:
    """The time of each of several runs."""
    times: list[Time] = []
    for _ in range(repeats):
        watch = Watch()
        run()
        times.append(watch.read())
    return times


def quantile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed; raises IndexError for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
