"""The numbers clients print before the lines of a file: a file that was read from its middle is named by them, not by place."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_NUMBERED = re.compile(r"[ \t]*(\d+)(?:→|\t)")
_NEAR = 40
"""Lines from either end of a text among which one has to have a number."""


class Numbered(NamedTuple):
    place: int
    """Of a line in its text, from 1."""
    number: int
    """As it was printed, from 1."""


def own_number(line: str) -> int | None:
    """The number a client printed before a line of a file (`123→` or `123` and a tab), None without one."""
    found = _NUMBERED.match(line)
    return int(found[1]) if found else None


def ahead(text: str) -> int:
    """By how much the printed numbers of a text's lines are ahead of their places in it; 0 where none are, line by line."""
    first, last = ends(text.split("\n"))
    if first is None or last is None or first.number - first.place != last.number - last.place:
        return 0
    return max(0, first.number - first.place)


def ends(lines: Sequence[str]) -> tuple[Numbered | None, Numbered | None]:
    """The first and the last line with a number, where one stands near either end of a text."""
    places = range(1, len(lines) + 1)
    return _first(lines, places[:_NEAR]), _first(lines, places[: -_NEAR - 1 : -1])


def _first(lines: Sequence[str], places: Iterable[int]) -> Numbered | None:
    return next((Numbered(at, number) for at in places if (number := own_number(lines[at - 1]))), None)
