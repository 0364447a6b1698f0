"""The numbers clients print before the lines of a file: a file that was read from its middle is named by them, not by place."""

import re
from collections.abc import Iterable

_NUMBERED = re.compile(r"[ \t]*(\d+)(?:→|\t)")
_NEAR = 40
"""Lines from either end of a text among which one has to have a number."""


def own_number(line: str) -> int | None:
    """The number a client printed before a line of a file (`123→` or `123` and a tab), None without one."""
    found = _NUMBERED.match(line)
    return int(found[1]) if found else None


def ahead(text: str) -> int:
    """By how much the printed numbers of a text's lines are ahead of their places in it; 0 where none are, line by line."""
    lines = text.split("\n")
    count = len(lines)
    first = _ahead((at, lines[at - 1]) for at in range(1, min(count, _NEAR) + 1))
    last = _ahead((at, lines[at - 1]) for at in range(count, max(0, count - _NEAR), -1))
    return first if first is not None and first == last and first > 0 else 0


def _ahead(places: Iterable[tuple[int, str]]) -> int | None:
    return next((number - at for at, line in places if (number := own_number(line)) is not None), None)
