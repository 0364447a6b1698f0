"""Plain text and logs: lines, long ones in pieces, base64 apart."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from pumice.excerpt import clean, salience
from pumice.excerpt.already import is_marker
from pumice.excerpt.units import BODY, FRAME, MUST, NEVER, Shape, Unit

LONG = 600
PIECE = 400
"""Characters above which a line is cut, and of the pieces it is cut into."""
EDGE = 3
"""Lines of the head and the tail that frame an excerpt."""
_SCORED = 200_000
"""Characters from either end whose lines are all scored; between them only lines that look wrong."""
_SUSPECT = re.compile(r"error|fail|fatal|panic|exception|traceback|exit|passed|warn|错误|失败", re.I)
_BREAK = re.compile(r"[\s,;&|>}\]]")
_BASE64_LINE = re.compile(r"[A-Za-z0-9+/]{60,}={0,2}$")
_LEVEL = re.compile(r"\b(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL|info|debug|warn|error)\b|\d\d:\d\d:\d\d")


def cut(text: str) -> Shape:
    """Lines of any text; called a log when most of them carry a time or a level."""
    pieces = list(split(text))
    bodies = [text[unit.start : unit.end] for unit in pieces]
    alike = salience.patterns(bodies) if len(bodies) > 2 * EDGE else []
    odd = salience.odd_ones(alike)
    frame = _frame(pieces)
    says = weigh(text, pieces, bodies)
    seen: set[int] = set()
    units = []
    for at, (unit, body) in enumerate(zip(pieces, bodies, strict=True)):
        again = bool(alike) and alike[at] in seen
        seen.add(alike[at] if alike else at)
        must = (says[at].must and not again) or at in odd or is_marker(body)
        value = says[at].value * (0.4 if again else 1.0) + (1.0 if at in odd else 0.0)
        units.append(placed(unit, is_frame=at in frame, must=must, value=value))
    stamped = sum(bool(_LEVEL.search(body[:80])) for body in bodies[:200])
    kind = "log" if stamped * 2 > min(len(bodies), 200) else "text"
    return Shape(kind, units, alike=alike)


def split(text: str) -> Iterator[Unit]:
    """Units for the lines of a text, pieces for its long lines; runs of base64 are never shown."""
    runs = clean.encoded(text)
    starts = [start for start, _ in runs]
    at = 0
    for row, line in enumerate(text.split("\n")):
        end = at + len(line)
        if len(line) <= LONG:
            yield Unit(at, end, row, NEVER if _BASE64_LINE.match(line) and _is_encoded(line) else BODY)
        else:
            inside = runs[bisect_left(starts, at) : bisect_left(starts, end)]
            yield from _around(text, at, end, row, inside)
        at = end + 1


def pieces(text: str, start: int, end: int, row: int) -> Iterator[Unit]:
    """Units for a part of a line: pieces of at most 400 characters, runs of base64 apart."""
    inside = [(start + first, start + last) for first, last in clean.encoded(text[start:end])]
    return _around(text, start, end, row, inside)


def weigh(text: str, units: Sequence[Unit], bodies: Sequence[str], *, is_output: bool = True) -> list[salience.Says]:
    """What each unit is worth; far from both ends of a very long text only those that look wrong are weighed."""
    weighed = [
        unit.tier != NEVER
        and (unit.start < _SCORED or unit.end > len(text) - _SCORED or bool(is_output and _SUSPECT.search(body)))
        for unit, body in zip(units, bodies, strict=True)
    ]
    return salience.of_lines(bodies, is_output=is_output, weighed=weighed)


def _around(text: str, start: int, end: int, row: int, encoded: Sequence[tuple[int, int]]) -> Iterator[Unit]:
    for first, last in encoded:
        yield from _plain_pieces(text, start, first, row)
        yield Unit(first, last, row, NEVER)
        start = last
    yield from _plain_pieces(text, start, end, row)


def _plain_pieces(text: str, start: int, end: int, row: int) -> Iterator[Unit]:
    """Pieces that break after a space or a separator where one is near."""
    while start < end:
        stop = min(start + PIECE, end)
        if stop < end:
            near = [match.end() for match in _BREAK.finditer(text, stop - 80, stop)]
            stop = near[-1] if near else stop
        yield Unit(start, stop, row)
        start = stop


def _is_encoded(line: str) -> bool:
    return any(c.isdigit() for c in line) and any(c.islower() for c in line) and any(c.isupper() for c in line)


def placed(unit: Unit, *, is_frame: bool, must: bool, value: float) -> Unit:
    """The unit with its tier and value; base64 stays out whatever it is."""
    if unit.tier == NEVER:
        return unit
    return Unit(unit.start, unit.end, unit.row, FRAME if is_frame else MUST if must else BODY, value)


def _frame(pieces: Sequence[Unit]) -> frozenset[int]:
    """Positions of the first piece of the first lines and the last piece of the last ones."""
    rows = pieces[-1].row
    first = {unit.row: at for at, unit in reversed(list(enumerate(pieces)))}
    last = {unit.row: at for at, unit in enumerate(pieces)}
    return frozenset(
        [first[row] for row in range(rows + 1) if row < EDGE] + [last[row] for row in range(max(0, rows - 2), rows + 1)]
    )
