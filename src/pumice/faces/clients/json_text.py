"""A member of a JSON text set or taken out, every other byte left as it is."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pumice.errors import InvalidInput

_SPACE = " \t\r\n"
_DECODER = json.JSONDecoder()
USUAL = "  "
"""Indentation where the text shows none."""


class _Member(NamedTuple):
    key: str
    start: int
    """Where its key begins."""
    value: int
    end: int


def read(text: str) -> dict[str, Any]:
    """The object a text holds; nothing for an empty text. Raises InvalidInput."""
    if not text.strip():
        return {}
    try:
        found = json.loads(text)
    except ValueError as error:
        raise InvalidInput(f"is not plain JSON, which has no comments ({error}).", hint="Add the lines by hand.") from None
    if not isinstance(found, dict):
        raise InvalidInput("holds no JSON object.", hint="Add the lines by hand.")
    return found


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text with a value at a path; what is missing on the way is made."""
    if not text.strip():
        return json.dumps(_nested(path, value), indent=2, ensure_ascii=False) + "\n"
    at, key, rest = _object(text, path)
    member = _named(_members(text, at), key)
    if member is not None:
        return text[: member.value] + json.dumps(value, ensure_ascii=False) + text[member.end :]
    return _insert(text, at, key, _nested(rest, value), depth=len(path) - len(rest))


def drop(text: str, path: Sequence[str]) -> str:
    """The text without the member at a path, and without the comma it needed."""
    at, key, rest = _object(text, path)
    members = _members(text, at)
    place = next((place for place, one in enumerate(members) if one.key == key), None)
    if rest or place is None:
        return text
    if place:
        return text[: members[place - 1].end] + text[members[place].end :]
    end = members[1].start if len(members) > 1 else _skip(text, members[0].end)
    start = members[0].start if len(members) > 1 else at + 1
    return text[:start] + text[end:]


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _object(text: str, path: Sequence[str]) -> tuple[int, str, Sequence[str]]:
    """Where the innermost object on a path opens that is there, the key under it, and what of the path is beyond that key."""
    at = _skip(text, 0)
    for depth, key in enumerate(path[:-1]):
        member = _named(_members(text, at), key)
        if member is None:
            return at, key, path[depth + 1 :]
        if text[member.value] != "{":
            raise InvalidInput(f"holds no object under {key!r}.", hint="Add the lines by hand.")
        at = member.value
    return at, path[-1], ()


def _members(text: str, at: int) -> list[_Member]:
    """Members of the object that opens at a place of valid JSON."""
    found: list[_Member] = []
    place = _skip(text, at + 1)
    while text[place] != "}":
        start = place
        key, place = _DECODER.raw_decode(text, place)
        value = _skip(text, _skip(text, place) + 1)
        _, end = _DECODER.raw_decode(text, value)
        found.append(_Member(key, start, value, end))
        place = _skip(text, end)
        if text[place] == ",":
            place = _skip(text, place + 1)
    return found


def _named(members: Sequence[_Member], key: str) -> _Member | None:
    """Of two members of one name the later holds."""
    return next((one for one in reversed(members) if one.key == key), None)


def _insert(text: str, at: int, key: str, value: Any, *, depth: int) -> str:
    members = _members(text, at)
    unit = _unit(text)
    inside = _before(text, members[-1].start) if members else "\n" + unit * depth
    outside = inside.removesuffix(unit) if "\n" in inside else ""
    written = f"{json.dumps(key)}: {_dumped(value, unit if chr(10) in inside else '', inside)}"
    if members:
        end = members[-1].end
        return f"{text[:end]},{inside or ' '}{written}{text[end:]}"
    return f"{text[: at + 1]}{inside}{written}{outside}{text[_skip(text, at + 1) :]}"


def _dumped(value: Mapping[str, Any] | Any, unit: str, inside: str) -> str:
    dumped = json.dumps(value, indent=unit or None, ensure_ascii=False)
    return dumped.replace("\n", inside) if unit else dumped


def _unit(text: str) -> str:
    """What one step of indentation is: the space before the first member of the outermost object."""
    members = _members(text, _skip(text, 0))
    space = _before(text, members[0].start) if members else ""
    return space.rpartition("\n")[2] or USUAL


def _before(text: str, place: int) -> str:
    """The white space in front of a place."""
    start = place
    while start and text[start - 1] in _SPACE:
        start -= 1
    return text[start:place]


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACE:
        place += 1
    return place
