"""Diffs: every file and hunk header before all else, then changed lines, then their context."""

import re
from collections.abc import Sequence

import msgspec

from pumice.excerpt import lines
from pumice.excerpt.units import BODY, FRAME, MUST, Shape, Unit, many

_HUNK = re.compile(r"@@@? -\d+(?:,(?P<old>\d+))? (?:-\d+(?:,\d+)? )?\+\d+(?:,(?P<new>\d+))? @@")
_FILE = re.compile(r"diff --(?:git|cc|combined) |Index: |Only in |Binary files ")
_NAMES = re.compile(r"--- |\+\+\+ ")
_ABOUT = re.compile(
    r"(?:rename|copy) (?:from|to) |(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |={20,}$"
)
_MINOR = re.compile(r"index [0-9a-f]+[.,]|similarity index |={20,}$")
_WANTED = re.compile(r"^(?:diff --|@@@? -\d|index: |only in |binary files |\+\+\+ |rename |copy )", re.M)
_FILES = re.compile(r"^(?:diff --(?:git|cc|combined) |Index: )", re.M)
_PLAIN_FILES = re.compile(r"^--- .*\n\+\+\+ .*\n@@ ", re.M)
_HUNKS = re.compile(r"^@@@? -\d", re.M)
_FIRST, _SECOND, _THIRD = 1e6, 1e3, 1.0
"""Values that put the lines naming a file before the hunks, and both before what else stands in a file's header."""
_ENDLESS = 1 << 60


class _Read(msgspec.Struct, frozen=True, gc=False):
    """What a line of a diff is."""

    header: float = 0.0
    """How early it must stand; 0 for a line that is no header."""
    sign: str = ""
    """`+` or `-` of a changed line."""


def is_diff(text: str) -> bool:
    """Whether a text is a unified diff, after at most a commit's own words."""
    head = text[:20_000]
    return bool(re.search(r"^diff --(?:git|cc|combined) ", head, re.M)) or (
        bool(re.search(r"^@@ -\d+(?:,\d+)? \+\d+", head, re.M)) and bool(re.search(r"^\+\+\+ ", head, re.M))
    )


def cut(text: str) -> Shape:
    """Lines of a diff: headers stay as long as any fit, those that name files first; changed lines come before context."""
    pieces = list(lines.split(text, _WANTED))
    bodies = lines.texts(text, pieces)
    says = lines.weigh(pieces, bodies, is_output=False)
    read = _read(pieces, bodies)
    last = len(pieces) - 1
    units = []
    for at, (unit, body, what) in enumerate(zip(pieces, bodies, read, strict=True)):
        value = 0.0 if _MINOR.match(body) else says[at].value + 0.5 * bool(what.sign)
        is_edge = at < lines.EDGE or at == last
        tier = FRAME if what.header else MUST if is_edge else BODY
        units.append(unit if unit.tier > BODY else Unit(unit.start, unit.end, unit.row, tier, what.header or value))
    return Shape("diff", units, "line", _note(text, pieces, read))


def _read(units: Sequence[Unit], bodies: Sequence[str]) -> list[_Read]:
    """Headers told from content by the counts of the hunk they stand in: an added line `++ x` is no file."""
    found: list[_Read] = []
    old = new = 0
    for at, (unit, body) in enumerate(zip(units, bodies, strict=True)):
        if at and unit.row == units[at - 1].row:  # a further piece of a long line is of its kind
            found.append(_Read(sign=found[-1].sign))
            continue
        hunk = _HUNK.match(body)
        is_outside = (old <= 0 and new <= 0) or unit.tier > BODY or _FILE.match(body) or _names_a_file(bodies[at : at + 3])
        header = _SECOND if hunk else _header(body) if is_outside else 0.0
        if header or is_outside:
            old, new = _counts(hunk) if hunk else (0, 0)
        elif not body.startswith("\\"):
            old, new = old - (body[:1] != "+"), new - (body[:1] != "-")
        found.append(_Read(header, body[:1] if not header and body[:1] in ("+", "-") else ""))
    return found


def _counts(hunk: re.Match[str]) -> tuple[int, int]:
    """Lines of the old and the new file a hunk has; a merge has several old ones and ends where the next header begins."""
    if hunk[0].startswith("@@@"):
        return _ENDLESS, _ENDLESS
    return int(hunk["old"] or 1), int(hunk["new"] or 1)


def _names_a_file(bodies: Sequence[str]) -> bool:
    """Whether a file's header begins here, whatever the counts of the hunk before it say."""
    return bodies[0].startswith("--- ") and bodies[1:2] != [] and bodies[1].startswith("+++ ") and bool(_HUNK.match(bodies[-1]))


def _header(body: str) -> float:
    """How early a line outside all hunks must stand."""
    if _FILE.match(body):
        return _FIRST
    return _THIRD if _NAMES.match(body) or _ABOUT.match(body) else 0.0


def _note(text: str, units: Sequence[Unit], read: Sequence[_Read]) -> str:
    files = len(_FILES.findall(text)) or len(_PLAIN_FILES.findall(text))
    counted = f"{many(files, 'file')}, {many(len(_HUNKS.findall(text)), 'hunk')}"
    if any(unit.tier > BODY for unit in units):
        return counted
    rows = {(unit.row, what.sign) for unit, what in zip(units, read, strict=True)}
    added, removed = (sum(sign == side for _, side in rows) for sign in "+-")
    return f"{counted}, +{added} −{removed} lines"
