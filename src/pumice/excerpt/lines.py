"""Plain text and logs: lines, long ones in pieces, base64 apart."""

import re
from collections.abc import Iterator, Sequence

from pumice.excerpt import clean, salience
from pumice.excerpt.already import has_marker, is_marker
from pumice.excerpt.units import BODY, ENCODED, FAR, FRAME, MUST, Shape, Unit

PIECE = 400
"""Characters of the pieces a line is cut into when it is half as long again."""
EDGE = 3
"""Lines of the head and the tail that frame an excerpt."""
AGAIN = 0.4
"""What a line is worth whose pattern stood before, as a share of what it says."""
_NEAR = 200_000
_NEAR_LINES = 4000
"""Characters and lines from either end within which every line is looked at."""
_WANTED = 600
"""Lines between them that are looked at because they hold something wanted."""
SUSPECT = re.compile(r"error|fail|fatal|panic|exception|traceback|exit|passed|warn|错误|失败")
_BREAK = re.compile(r"[\s,;&|>}\]]")
_NAME = re.compile(r"[\w.@:/+-]")
"""What may stand inside a name or a number."""
_BASE64_LINE = re.compile(r"[A-Za-z0-9+/]{60,}={0,2}$")
_NUMBER = re.compile(r"\s*\d+(?:→|\t)")
_SAMPLE = 200
_LEVEL = re.compile(r"\b(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL|info|debug|warn|error)\b|\d\d:\d\d:\d\d")


def cut(text: str, piece: int = PIECE) -> Shape:
    """Lines of any text, long ones in pieces of `piece` characters; called a log when most carry a time or a level."""
    found = list(split(text, piece=piece))
    bodies = texts(text, found)
    alike = salience.patterns(bodies) if len(bodies) > 2 * EDGE else []
    odd = salience.odd_ones(alike)
    frame = _frame(found)
    is_marked = has_marker(text)
    is_log = _is_log(bodies)
    says = weigh(found, bodies, is_output=not is_numbered(bodies), is_log=is_log)
    seen: set[int] = set()
    units = []
    for at, (unit, body) in enumerate(zip(found, bodies, strict=True)):
        again = bool(alike) and alike[at] in seen
        seen.add(alike[at] if alike else at)
        must = (says[at].must and not again) or at in odd or (is_marked and is_marker(body))
        value = says[at].value * (AGAIN if again else 1.0) + (1.0 if at in odd else 0.0)
        units.append(placed(unit, is_frame=at in frame, must=must, value=value))
    return Shape("log" if is_log else "text", units, alike=alike)


def split(text: str, wanted: re.Pattern[str] = SUSPECT, piece: int = PIECE) -> Iterator[Unit]:
    """Units for the lines of a text, pieces for its long lines; runs of base64 apart.

    Far from both ends of a very long text only the lines that hold a `wanted` pattern, in lower case,
    are units; what lies between is one.
    """
    head, tail = _near(text)
    yield from _lines(text, 0, head, 0, piece)
    row, at = text.count("\n", 0, head), head
    for start, end in _lines_with(text, wanted, head, tail):
        if start > at:
            yield Unit(at, start, row, FAR)
            row += text.count("\n", at, start)
        yield from _lines(text, start, end, row, piece)
        row += text.count("\n", start, end)
        at = end
    if at < tail:
        yield Unit(at, tail, row, FAR)
    row += text.count("\n", at, tail) if at < tail else 0
    yield from _lines(text, max(at, tail), len(text), row, piece)


def every(text: str, piece: int = PIECE) -> list[Unit]:
    """Units for every line of a text however long it is, pieces for its long lines; runs of base64 apart."""
    return list(_lines(text, 0, len(text), 0, piece))


def _near(text: str) -> tuple[int, int]:
    """Where the part near the start ends and the part near the end begins; both at the end when the text is short."""
    if len(text) <= 2 * _NEAR and text.count("\n") <= 2 * _NEAR_LINES:
        return len(text), len(text)
    head = 0
    for _ in range(_NEAR_LINES):
        head = text.find("\n", head) + 1
        if not 0 < head < _NEAR:
            break
    back = len(text)
    for _ in range(_NEAR_LINES):
        back = text.rfind("\n", 0, back)
        if back < max(0, len(text) - _NEAR):
            break
    head = _NEAR if not 0 < head < _NEAR else head
    tail = max(back + 1, len(text) - _NEAR)
    return (head, tail) if head < tail else (len(text), len(text))


def _lines_with(text: str, wanted: re.Pattern[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the lines with a pattern, at most 600: the first and the last; of a very long line 200 characters around it."""
    low = text.lower()
    found = [match.span() for match in wanted.finditer(low if len(low) == len(text) else text, start, end)]
    done = start
    for first, last in found if len(found) <= _WANTED else found[: _WANTED * 2 // 3] + found[-_WANTED // 3 :]:
        if first < done:
            continue
        opens = max(text.rfind("\n", done, first) + 1, done, first - PIECE // 2)
        closes = text.find("\n", last, min(end, last + PIECE // 2))
        done = closes + 1 if closes >= 0 else min(end, last + PIECE // 2)
        yield opens, done


def _lines(text: str, start: int, end: int, row: int, piece: int) -> Iterator[Unit]:
    if start >= end and start:
        return
    at = start
    for line in text[start:end].removesuffix("\n" if end < len(text) else "").split("\n"):
        stop = at + len(line)
        if len(line) * 2 <= piece * 3:
            yield Unit(at, stop, row, ENCODED if len(line) >= 60 and _BASE64_LINE.match(line) and _is_encoded(line) else BODY)
        else:
            yield from pieces(text, at, stop, row, piece)
        at, row = stop + 1, row + 1


def pieces(text: str, start: int, end: int, row: int, piece: int = PIECE) -> Iterator[Unit]:
    """Units for a part of a line: pieces that break after a space or a separator where one is near, base64 apart."""
    at = start
    for first, last in clean.encoded(text[start:end]):
        yield from _plain_pieces(text, at, start + first, row, piece)
        yield Unit(start + first, start + last, row, ENCODED)
        at = start + last
    yield from _plain_pieces(text, at, end, row, piece)


def weigh(units: Sequence[Unit], bodies: Sequence[str], *, is_output: bool = True, is_log: bool = False) -> list[salience.Says]:
    """What each unit is worth; nothing for those that are never shown."""
    return salience.of_lines(bodies, is_output=is_output, is_log=is_log, weighed=[unit.tier <= BODY for unit in units])


def texts(text: str, units: Sequence[Unit]) -> list[str]:
    """The text of each unit; empty for a stretch that is never shown."""
    return [text[unit.start : unit.end] if unit.tier <= BODY else "" for unit in units]


def _plain_pieces(text: str, start: int, end: int, row: int, piece: int) -> Iterator[Unit]:
    while start < end:
        stop = min(start + piece, end)
        if stop < end:
            stop = _break(text, stop - piece // 5, stop) or _between(text, stop - piece // 2, stop) or stop
        yield Unit(start, stop, row)
        start = stop


def _break(text: str, first: int, stop: int) -> int:
    """The last place behind white space or a separator; 0 for none."""
    return max((match.end() for match in _BREAK.finditer(text, first, stop)), default=0)


def _between(text: str, first: int, stop: int) -> int:
    """The last place where no word, number or name is cut in two; 0 for none."""
    return next((at for at in range(stop, first, -1) if not _NAME.match(text[at - 1]) or not _NAME.match(text[at])), 0)


def _is_log(bodies: Sequence[str]) -> bool:
    """Whether most lines carry a time or a level."""
    return sum(bool(_LEVEL.search(body[:80])) for body in bodies[:_SAMPLE]) * 2 > min(len(bodies), _SAMPLE)


def is_numbered(bodies: Sequence[str]) -> bool:
    """Whether most lines carry a number of their own, as parts of a file do that a tool shows."""
    return sum(bool(_NUMBER.match(body)) for body in bodies[:_SAMPLE]) * 3 > min(len(bodies), _SAMPLE) * 2


def _is_encoded(line: str) -> bool:
    return any(c.isdigit() for c in line) and any(c.islower() for c in line) and any(c.isupper() for c in line)


def placed(unit: Unit, *, is_frame: bool, must: bool, value: float) -> Unit:
    """The unit with its tier and value; base64 stays out whatever it is."""
    if unit.tier > BODY:
        return unit
    return Unit(unit.start, unit.end, unit.row, FRAME if is_frame else MUST if must else BODY, value)


def _frame(pieces: Sequence[Unit]) -> frozenset[int]:
    """Positions of the first piece of the first lines and the last piece of the last ones."""
    rows = pieces[-1].row
    first = {unit.row: at for at, unit in reversed(list(enumerate(pieces)))}
    last = {unit.row: at for at, unit in enumerate(pieces)}
    return frozenset([at for row, at in first.items() if row < EDGE] + [at for row, at in last.items() if row > rows - EDGE])
