"""JSON, on one line or many, and JSON lines: the schema, whole small items, pieces of big ones."""

import re
from collections.abc import Iterator, Sequence
from json import JSONDecoder
from typing import Any

import msgspec

from pumice.excerpt import lines, odd, schema
from pumice.excerpt.units import BODY, FAR, FRAME, Shape, Unit

WHOLE = 320
"""Characters up to which a value is one unit."""
_DEPTH = 6
NEAR = 200_000
"""Characters from either end within which every item is looked at; between them only odd ones and errors."""
_MAIN = 0.6
"""Share of a text that one value must have to be what the text is about."""
_SPACE = re.compile(r"[ \t\r\n]*")
_KEY = re.compile(r'[ \t\r\n]*"(?:[^"\\]++|\\.)*+"[ \t\r\n]*:[ \t\r\n]*', re.S)
_COMMA = re.compile(r"[ \t\r\n]*,?")
_WRONG_WORD = re.compile(r'"(?:errors?|failed|failure|fatal|critical|denied|refused|timeout)"')
_WRONG_VALUE = re.compile(rf"{_WRONG_WORD.pattern}\s*(?:[,}}\]]|$)", re.I)
_SAID = re.compile(r'"(?:body|title|message|description|summary|text|content|error|reason|detail)"\s*:\s*"[^"]', re.I)
"""Keys under which somebody says something: what a reader of an API's answer looks for."""
_SAID_LOW = re.compile(_SAID.pattern)
_HOLDING = (list, dict)
_decode = JSONDecoder(strict=False).raw_decode


class Member(msgspec.Struct, frozen=True, gc=False):
    """An item of an array or a member of an object; each starts where the one before it ends."""

    start: int
    inner: int
    """Where the value itself begins."""
    end: int
    value: Any


def value_of(text: str) -> Any:
    """The JSON value of a text that is one object or array; None for anything else."""
    start = _past(_SPACE, text, 0)
    if text[start : start + 1] not in ("{", "["):
        return None
    try:
        value, end = _decode(text, start)
    except (ValueError, RecursionError):
        return None
    return None if text[end:].strip() else value


def records_of(text: str) -> list[Member]:
    """The objects of a text of JSON lines; empty for anything else."""
    found: list[Member] = []
    at = 0
    for line in text.split("\n"):
        end = at + len(line)
        if line.strip():
            value = value_of(line) if line.lstrip().startswith("{") else None
            if not isinstance(value, dict):
                return []
            found.append(Member(at, at, end, value))
        at = end + 1
    return found if len(found) >= 3 else []


def cut(text: str, value: Any) -> Shape:
    """Units of one JSON value: the items of its main array or the members of its object, cut on where they are long."""
    main, members = _main(text, Member(0, _past(_SPACE, text, 0), len(text), value))
    end = members[-1].end if members else main.inner + 1
    before = [_fixed(unit) for unit in lines.pieces(text, 0, main.inner + 1, -1)]
    after = [_fixed(unit) for unit in lines.pieces(text, end, len(text), len(members))]
    inside = _units(text, members) if isinstance(main.value, list) else _of_object(text, members)
    return Shape("json", [*before, *inside, *after], "item", schema.note(main.value))


def cut_records(text: str, records: Sequence[Member]) -> Shape:
    """Units of JSON lines."""
    return Shape("json", _units(text, records), "line", schema.note([record.value for record in records]))


def _units(text: str, members: Sequence[Member]) -> list[Unit]:
    strange = odd.rows(schema.cells([member.value for member in members]))
    units: list[Unit] = []
    for row, member in enumerate(members):
        if row not in strange and _is_far(text, member):
            units.append(Unit(member.start, member.end, row, FAR))
        else:
            units += _cut_on(text, member, row, _DEPTH)
    units = _joined(units) if any(unit.tier == FAR for unit in units) else units
    firsts = {unit.row: at for at, unit in reversed(list(enumerate(units)))}
    frame = frozenset(firsts[row] for row in (0, 1, len(members) - 1) if row in firsts)
    return _scored(text, units, frame, strange)


def _of_object(text: str, members: Sequence[Member]) -> list[Unit]:
    """Members of one object are one row: short neighbours stay together."""
    units = _joined([unit for member in members for unit in _cut_on(text, member, 0, _DEPTH)], WHOLE)
    return _scored(text, units, frozenset({0, len(units) - 1}), frozenset())


def _scored(text: str, units: Sequence[Unit], frame: frozenset[int], odd_rows: frozenset[int]) -> list[Unit]:
    bodies, out = lines.texts(text, units), []
    may_be_wrong, may_say = _hints("\n".join(bodies))
    for at, (unit, says) in enumerate(zip(units, lines.weigh(units, bodies, is_output=False), strict=True)):
        is_wrong = may_be_wrong and _WRONG_VALUE.search(bodies[at]) is not None
        is_said = may_say and _SAID.search(bodies[at]) is not None
        is_odd = unit.row in odd_rows
        value = says.value + 3.0 * is_wrong + 1.0 * is_odd + 1.0 * is_said
        out.append(lines.placed(unit, is_frame=at in frame, must=is_odd or is_wrong, value=value))
    return out


def _hints(whole: str) -> tuple[bool, bool]:
    """Whether any unit may hold a wrong value, and whether any may say something: most hold neither, which is quickly told."""
    if not whole.isascii():
        return True, True
    low = whole.lower()
    return _WRONG_WORD.search(low) is not None, _SAID_LOW.search(low) is not None


def _is_far(text: str, member: Member) -> bool:
    """Whether a member lies far from both ends and says of nothing that it is wrong."""
    is_far = member.start > NEAR and member.end < len(text) - NEAR
    return is_far and not _WRONG_VALUE.search(text, member.start, member.end)


def _joined(units: Sequence[Unit], short: int = 0) -> list[Unit]:
    """Neighbours that are never shown become one unit, and so do those that are `short` characters together."""
    out: list[Unit] = []
    for unit in units:
        last = out[-1] if out else None
        if last and last.tier == unit.tier and (unit.tier == FAR or (unit.tier == BODY and unit.end - last.start <= short)):
            out[-1] = Unit(last.start, unit.end, last.row, last.tier)
        else:
            out.append(unit)
    return out


def _cut_on(text: str, member: Member, row: int, depth: int) -> list[Unit]:
    """Units that cover a member: itself when it is short, else its own members, else pieces of its text."""
    if member.end - member.start <= WHOLE:
        return [Unit(member.start, member.end, row)]
    if depth < _DEPTH and _is_far(text, member):
        return [Unit(member.start, member.end, row, FAR)]
    if not isinstance(member.value, _HOLDING) or not member.value or not depth:
        return list(lines.pieces(text, member.start, member.end, row))
    inside = _joined([unit for inner in _members(text, member) for unit in _cut_on(text, inner, row, depth - 1)], WHOLE)
    inside[0] = msgspec.structs.replace(inside[0], start=member.start)
    inside[-1] = msgspec.structs.replace(inside[-1], end=member.end)
    return inside


def _members(text: str, holder: Member) -> Iterator[Member]:
    at = start = holder.inner + 1
    before = _KEY if isinstance(holder.value, dict) else _SPACE
    for _ in range(len(holder.value)):
        at = _past(before, text, at)
        value, end = _decode(text, at)
        inner, at = at, _past(_COMMA, text, end)
        yield Member(start, inner, at, value)
        start = at


def _main(text: str, holder: Member) -> tuple[Member, list[Member]]:
    """The container a text is about, with its members: the deepest one that takes most of it and has several entries."""
    while True:
        members, size = list(_members(text, holder)), holder.end - holder.start
        big = [m for m in members if isinstance(m.value, _HOLDING) and m.end - m.start > _MAIN * size]
        if not big or not big[0].value or (isinstance(holder.value, list) and len(holder.value) > 1):
            return holder, members
        holder = big[0]


def _fixed(unit: Unit) -> Unit:
    return unit if unit.tier > BODY else Unit(unit.start, unit.end, unit.row, FRAME, unit.value)


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
