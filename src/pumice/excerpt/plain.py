"""What a source must not be able to write: a line or a mark that reads as ours."""

import re
from bisect import bisect_right

import msgspec

from pumice.domain import marks
from pumice.excerpt.units import BODY, FAR, Shape, Unit

_MARKS = re.compile(f"{marks.OPEN}|{marks.CLOSE}")


def guarded(text: str, shape: Shape) -> Shape:
    """The shape with what reads as ours never shown: control sequences, references and cuts may have hidden it before."""
    if marks.GAP not in text and marks.is_clean(text):
        return shape
    found = [place for mark in _MARKS.finditer(text) for place in (mark.start(), mark.end() - 1)]

    def seen(unit: Unit) -> Unit:
        holds = bisect_right(found, unit.end - 1) - bisect_right(found, unit.start - 1)
        if unit.tier > BODY or (not holds and marks.is_plain(text[unit.start : unit.end])):
            return unit
        return Unit(unit.start, unit.end, unit.row, FAR)

    return msgspec.structs.replace(shape, units=[seen(unit) for unit in shape.units])
