"""What kind of content changed where nothing should: clocks, ids, counters, shuffled order (F-A4, F-A8)."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[AaPp][Mm])?(?:\s?(?:Z\b|UTC|GMT|[+-]\d{2}:?\d{2}))?"
_DATE = (
    rf"\d{{4}}[-/]\d{{2}}[-/]\d{{2}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}}|\d{{4}}年\d{{1,2}}月\d{{1,2}}日"
    rf"|{_MONTH} \d{{1,2}},? \d{{4}}|\d{{1,2}} {_MONTH} \d{{4}}"
)
_KINDS = {
    "uuid": r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b",
    "timestamp": rf"(?:{_DATE})(?:T|,? (?:at )?){_TIME}|\b{_TIME}|\b1[5-9]\d{{8}}(?:\d{{3}})?\b",
    "date": rf"{_DATE}|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b",
    "hash": r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b",
    "counter": r"\d+",
}
_VOLATILE = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS.items()))
_STATUS = re.compile(r"git ?status|working (?:directory|tree)|current branch", re.IGNORECASE)
"""Words that stand before a description of the working directory."""
_STATUS_REACH = 2000
"""Characters a description may be long."""


class Volatile(msgspec.Struct, frozen=True):
    """A field whose content changed from one request to the next."""

    path: str
    kind: str
    """uuid, timestamp, date, hash, counter; status of the working directory; key_order, tool_order, tools; text."""


class Change(msgspec.Struct, frozen=True):
    """A piece of a text that was replaced by another of its kind."""

    kind: str
    before: str
    after: str


def changes(before: str, after: str, kinds: Collection[str]) -> tuple[Change, ...] | None:
    """What two versions of a text differ in, where all of it is of these kinds; None where something else differs."""
    if before == after:
        return ()
    if masked(before) == masked(after):
        pairs = zip(_VOLATILE.finditer(before), _VOLATILE.finditer(after), strict=True)
        found = [Change(str(old.lastgroup), old[0], new[0]) for old, new in pairs if old[0] != new[0]]
    else:
        found = list(_status(before, after))
    return tuple(dict.fromkeys(found)) if found and all(change.kind in kinds for change in found) else None


def _status(before: str, after: str) -> Iterator[Change]:
    """The whole lines of a description of the working directory, where they are all that differs."""
    start = shared_start(before, after)
    end = min(shared_start(before[::-1], after[::-1]), min(len(before), len(after)) - start)
    start = before.rfind("\n", 0, start) + 1
    old, new = (_lines(text, start, len(text) - end) for text in (before, after))
    is_short = max(len(old), len(new)) <= _STATUS_REACH
    if is_short and _STATUS.search(before[max(0, start - _STATUS_REACH) : start]):
        yield Change("status", old, new)


def _lines(text: str, start: int, end: int) -> str:
    """The text between two places, its last line whole."""
    after = text.find("\n", end)
    return text[start : after if after >= 0 else len(text)]


def in_text(path: str, before: str, after: str) -> Iterator[Volatile]:
    """Kinds of what differs between two versions of a text; `text` where it is none that is known."""
    if masked(before) == masked(after):
        pairs = zip(_VOLATILE.finditer(before), _VOLATILE.finditer(after), strict=True)
        kinds = {str(old.lastgroup) for old, new in pairs if old[0] != new[0]}
        yield from (Volatile(path, kind) for kind in _KINDS if kind in kinds)
        return
    start = shared_start(before, after)
    is_status = bool(_STATUS.search(before[max(0, start - _STATUS_REACH) : start]))
    yield Volatile(path, "status" if is_status else "text")


def in_tools(before: Sequence[Any], after: Sequence[Any]) -> Iterator[Volatile]:
    """Changes of tool definitions, compared by name; paths are those of the later request."""
    old, new = ({_name(tool): tool for tool in tools} for tools in (before, after))
    if old.keys() != new.keys():
        yield Volatile("tools", "tools")
    elif list(old) != list(new):
        yield Volatile("tools", "tool_order")
    for place, (name, tool) in enumerate(new.items()):
        if name in old:
            yield from in_value(f"tools[{place}]", _sorted(old[name]), _sorted(tool))


def in_value(path: str, before: Any, after: Any) -> Iterator[Volatile]:
    """Changes inside a JSON value, each named by the path of its leaf."""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        if list(before) != list(after) and before == after:
            yield Volatile(path, "key_order")
            return
        for key in before:
            yield from in_value(f"{path}.{key}", before[key], after[key])
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from in_value(f"{path}[{place}]", old, new)
    elif isinstance(before, str) and isinstance(after, str):
        yield from in_text(path, before, after) if before != after else ()
    elif before != after:
        numbers = all(isinstance(value, int | float) for value in (before, after))
        yield Volatile(path, "counter" if numbers else "text")


def shared_start(before: str, after: str) -> int:
    """Characters two texts have in common at their beginning."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        if before[:middle] == after[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def masked(text: str) -> str:
    """A text with every volatile piece replaced by its kind: versions that differ in nothing else are equal."""
    return _VOLATILE.sub(lambda found: f"<{found.lastgroup}>", text)


def _sorted(tool: Any) -> Any:
    """The order of a definition's own keys is the envelope's; inside its schema order counts."""
    return dict(sorted(tool.items())) if isinstance(tool, dict) else tool


def _name(tool: Any) -> str:
    if not isinstance(tool, dict):
        return ""
    held = tool.get("function")
    return str((held if isinstance(held, dict) else tool).get("name", tool.get("type", "")))
