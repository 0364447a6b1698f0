"""The line an entity stands on, and whether it stands in a view (reference entities.md, frontier §1)."""

import re

import msgspec

LONG = 600
"""Characters from which only the surroundings of the entity count."""
AROUND = 200

_NUMBER = re.compile(r"[ \t]*\d+→")


class Line(msgspec.Struct, frozen=True):
    """What must occur in a view for the line to stand."""

    bare: str
    """Trimmed, without the line number a client printed in front: what `line_recall` asks for."""
    printed: str
    """Trimmed, with that number: the stricter reading."""


def line_at(text: str, start: int, end: int) -> Line:
    """The line that holds `text[start:end]`; of a very long one the characters on either side of it."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    if last - first > LONG:
        piece = text[max(first, start - AROUND) : min(last, end + AROUND)].strip()
        return Line(piece, piece)
    printed = text[first:last].strip()
    return Line(without_number(printed).strip() or printed, printed)


def without_number(line: str) -> str:
    """The line without a leading `123→`."""
    found = _NUMBER.match(line)
    return line[found.end() :] if found else line
