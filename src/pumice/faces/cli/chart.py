"""Small charts for a terminal: a line of bars, and curves over the same calls."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from rich.text import Text

_BARS = "▁▂▃▄▅▆▇█"
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a Braille character by row and column of its dots."""
_BLANK = 0x2800
STYLES = ("cyan", "magenta", "yellow", "green", "blue", "red")


def bars(values: Sequence[float | None], width: int, *, top: float | None = None) -> str:
    """Values as bars, at most `width` of them, each the mean of its share; what is not known is a blank.

    The highest bar stands for `top`, or for the largest value.
    """
    means = [_mean(part) for part in _parts(values, width)]
    largest = top if top is not None else max((mean for mean in means if mean is not None), default=0.0)
    return "".join(" " if mean is None else _bar(mean, largest) for mean in means)


def curves(series: Mapping[str, Sequence[float]], *, width: int, height: int) -> list[Text]:
    """Lines of text that draw each series from its first value to its last, all on one scale from 0; top line first."""
    largest = max((value for values in series.values() for value in values), default=0.0)
    rows, columns = height * 4, width * 2
    cells: dict[tuple[int, int], tuple[int, str]] = {}
    for style, values in zip(_styles(len(series)), series.values(), strict=True):
        for column, value in enumerate(_stretched(values, columns)):
            row = rows - 1 - round((rows - 1) * value / largest) if largest else rows - 1
            place = (row // 4, column // 2)
            bits = cells.get(place, (0, style))[0] | _DOTS[row % 4][column % 2]
            cells[place] = (bits, style)
    return [_line(cells, row, width) for row in range(height)]


def scatter(
    points: Sequence[tuple[float, float, str]], *, width: int, height: int
) -> tuple[list[Text], tuple[float, float], tuple[float, float]]:
    """Lines of text with a character at each point (of equal places the last), top line first; the ends of both scales."""
    left, right = _ends([x for x, _, _ in points])
    low, high = _ends([y for _, y, _ in points])
    cells: dict[tuple[int, int], str] = {}
    for x, y, mark in points:
        row = round((height - 1) * (high - y) / (high - low))
        cells[(row, round((width - 1) * (x - left) / (right - left)))] = mark
    lines = [Text("".join(cells.get((row, column), " ") for column in range(width))) for row in range(height)]
    return lines, (left, right), (low, high)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def legend(names: Sequence[str]) -> Text:
    """Which colour is whose."""
    return Text("   ").join(
        Text.assemble(("●", style), " ", name) for style, name in zip(_styles(len(names)), names, strict=True)
    )


def _styles(count: int) -> list[str]:
    return [STYLES[place % len(STYLES)] for place in range(count)]


def _line(cells: Mapping[tuple[int, int], tuple[int, str]], row: int, width: int) -> Text:
    line = Text()
    for column in range(width):
        bits, style = cells.get((row, column), (0, ""))
        line.append(chr(_BLANK + bits), style)
    return line


def _stretched(values: Sequence[float], columns: int) -> list[float]:
    """One value a column; between two values the nearer one."""
    if not values:
        return []
    last = len(values) - 1
    return [values[round(column * last / max(1, columns - 1))] for column in range(columns)]


def _parts(values: Sequence[float | None], width: int) -> list[Sequence[float | None]]:
    count = min(width, len(values))
    edges = [round(place * len(values) / count) for place in range(count + 1)] if count else []
    return [values[start:end] for start, end in pairwise(edges)]


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _bar(value: float, largest: float) -> str:
    return _BARS[min(len(_BARS) - 1, int(len(_BARS) * value / largest))] if largest > 0 else _BARS[0]
