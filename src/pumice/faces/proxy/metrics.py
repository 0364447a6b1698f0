"""Numbers in Prometheus' text form (exposition format 0.0.4): counters, gauges and histograms with few labels.

Its official client costs 210 ms at start and does no more than this for a process with one registry.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metric:
    """One name, what it means, and a value for every combination of labels that occurred."""

    kind = ""

    def __init__(self, name: str, meaning: str, labels: Sequence[str] = ()) -> None:
        self.name, self.meaning, self.labels = name, meaning, tuple(labels)

    def lines(self) -> Iterator[str]:
        yield f"# HELP {self.name} {self.meaning}"
        yield f"# TYPE {self.name} {self.kind}"
        yield from self._samples()

    def labelled(self, values: tuple[str, ...]) -> dict[str, str]:
        """Values of the labels by their names."""
        return dict(zip(self.labels, values, strict=True))

    def _samples(self) -> Iterator[str]:
        raise NotImplementedError

    def _named(self, values: tuple[str, ...], suffix: str = "", **more: str) -> str:
        pairs = [*self.labelled(values).items(), *more.items()]
        listed = ",".join(f'{name}="{_escaped(value)}"' for name, value in pairs)
        return f"{self.name}{suffix}{{{listed}}}" if listed else f"{self.name}{suffix}"


class Counter(Metric):
    """Only grows."""

    kind = "counter"

    def __init__(self, name: str, meaning: str, labels: Sequence[str] = ()) -> None:
        super().__init__(name, meaning, labels)
        self._values: dict[tuple[str, ...], float] = {}

    def add(self, *values: str, by: float = 1) -> None:
        """`values` of the labels, in their order."""
        self._values[values] = self._values.get(values, 0) + by

    def value(self, *values: str) -> float:
        return self._values.get(values, 0)

    def values(self) -> list[tuple[tuple[str, ...], float]]:
        """All values, by their labels; may be asked on any thread."""
        return sorted(self._values.items()) if self.labels else [((), self.value())]

    def _samples(self) -> Iterator[str]:
        return (f"{self._named(values)} {_number(value)}" for values, value in self.values())


class Gauge(Counter):
    """Goes up and down."""

    kind = "gauge"

    def set(self, value: float, *labels: str) -> None:
        self._values[labels] = value


class Histogram(Metric):
    """How many observations were at most so large, for each bound."""

    kind = "histogram"

    def __init__(self, name: str, meaning: str, labels: Sequence[str] = (), *, bounds: Sequence[float] = SECONDS) -> None:
        super().__init__(name, meaning, labels)
        self.bounds = tuple(bounds)
        self.also: Callable[[float, dict[str, str]], None] | None = None
        """Who else is told each observation, with its labels."""
        self._counts: dict[tuple[str, ...], list[int]] = {}
        self._sums: dict[tuple[str, ...], float] = {}

    def see(self, value: float, *values: str) -> None:
        """One observation."""
        counts = self._counts.setdefault(values, [0] * (len(self.bounds) + 1))
        counts[bisect_left(self.bounds, value)] += 1
        self._sums[values] = self._sums.get(values, 0.0) + value
        if self.also is not None:
            self.also(value, self.labelled(values))

    def _samples(self) -> Iterator[str]:
        for values, counts in sorted(self._counts.items()):
            total = 0
            for bound, count in zip((*map(_number, self.bounds), "+Inf"), counts, strict=True):
                total += count
                yield f"{self._named(values, '_bucket', le=bound)} {total}"
            yield f"{self._named(values, '_sum')} {_number(self._sums[values])}"
            yield f"{self._named(values, '_count')} {total}"


def text(metrics: Sequence[Metric]) -> str:
    """What a scraper reads."""
    return "".join(f"{line}\n" for metric in metrics for line in metric.lines())


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
