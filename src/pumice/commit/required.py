"""Required fields: what a policy wants known before anything leaves the view, looked for in results and in a person's words."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import msgspec

from pumice.commit import words
from pumice.commit.draft import UNKNOWN
from pumice.commit.sentences import split
from pumice.domain import marks
from pumice.domain.block import Block, Kind
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group
from pumice.domain.policy import Commit
from pumice.domain.state import Entry, Item, Pin, TaskState

OF_STATE = frozenset(
    {"goal", "plan", "next_step", "open_items", "approvals", "permissions", "decisions", "constraints", "children"}
)
"""Fields the task state answers itself."""
MOST = 8
"""Newest findings of a field, each of another call or object."""
MOST_IN_ONE = 50
"""Places in one result that are looked at."""
_VALUE_CHARS, _OBJECT_CHARS, _SENTENCE_CHARS = 300, 300, 400
_DECODER = json.JSONDecoder()
_COLON = re.compile(r"\s*:\s*")
_VALUE = re.compile(rf"[ \t*`]*[:：=][ \t]*(?=\S)[^\n]{{1,{_VALUE_CHARS}}}")
_BULLETS = " \t-*•>|`0123456789.)"
"""What may stand before a name on its line."""


def committed(state: TaskState, groups: Sequence[Group], uses: Mapping[str, ToolUse], policy: Commit) -> TaskState:
    """The state with every required field: found in a result, pinned as a person put it, or named as unknown.

    `groups` are the path, oldest first. Nothing is refused for a field that is missing.
    """
    items: list[Item] = []
    pins: list[Pin] = []
    for field in (" ".join(field.split()) for field in policy.required_fields):
        if field in OF_STATE or not marks.is_plain(field):
            continue
        pattern = _pattern((field, *policy.synonyms.get(field, ())))
        found = _found(groups, uses, field, pattern)
        said = None if found else _said(groups, field, pattern)
        items += found
        pins += [said] if said else []
        items += [] if found or said else [Item(Entry.OPEN, field, (), f"{field} unknown", UNKNOWN)]
    return msgspec.structs.replace(state, items=(*state.items, *items), pins=(*state.pins, *pins))


def _pattern(names: Sequence[str]) -> re.Pattern[str]:
    """A field under any of its names: `refund_amount` is also `refundAmount` and `Refund amount`."""
    return re.compile("|".join(_form(_words(name)) for name in names if _words(name)), re.I)


def _form(parts: Sequence[str]) -> str:
    """A name by its words; Latin ones are no part of a longer word, scripts without spaces have no words to be part of."""
    before, after = (r"(?<![^\W_])" if parts[0][0].isascii() else "", r"(?![^\W_])" if parts[-1][-1].isascii() else "")
    return before + r"[\s_-]?".join(map(re.escape, parts)) + after


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\s_-]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)) if word]


def _found(groups: Sequence[Group], uses: Mapping[str, ToolUse], field: str, pattern: re.Pattern[str]) -> list[Item]:
    """What results say of a field, oldest first; the same call or object again supersedes what it said before."""
    held: dict[tuple[str, ...], Item] = {}
    for block in (block for group in groups for block in group.blocks if block.kind is Kind.RESULT and not block.is_error):
        use = uses.get(block.id)
        subject = (use.tool, use.target) if use else (block.id,)
        texts = _pairs(block.text, pattern)
        for text in texts:
            about = (*subject, text) if len(texts) > 1 else subject
            held.pop(about, None)
            held[about] = Item(Entry.FACT, text, (block.id,), field)
    return list(held.values())[-MOST:]


def _pairs(text: str, pattern: re.Pattern[str]) -> list[str]:
    """The pairs of a name and a value in a result, each verbatim: members of JSON objects, and lines `name: value`.

    Where there are several, each stands with the whole of its object if that is small: whose value it is says the rest.
    """
    spans = (_span(text, match) for match in islice(pattern.finditer(text), MOST_IN_ONE))
    found = [span for span in spans if span is not None]
    shown = (_object(text, *span) if len(found) > 1 else text[slice(*span)].strip() for span in found)
    return list(dict.fromkeys(shown))


def _span(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    """Where a name with its value stands; None when it has none."""
    start, end = match.span()
    if text[start - 1 : start] == '"' and text[end : end + 1] == '"':
        stop = _member_end(text, end + 1)
        return (start - 1, stop) if stop else None
    line = text[text.rfind("\n", 0, start) + 1 : start]
    value = _VALUE.match(text, end)
    return (start, value.end()) if value and not line.strip(_BULLETS) else None


def _member_end(text: str, at: int) -> int:
    """Where the value of a JSON member ends; 0 when it is none or a long one."""
    colon = _COLON.match(text, at)
    length = _decoded(text[colon.end() : colon.end() + _VALUE_CHARS]) if colon else 0
    return colon.end() + length if colon and length else 0


def _object(text: str, start: int, end: int) -> str:
    """The JSON object around a member where it is small, else the member."""
    at = text.rfind("{", max(0, end - _OBJECT_CHARS), start)
    length = _decoded(text[at : at + _OBJECT_CHARS]) if at >= 0 else 0
    return text[at : at + length] if at >= 0 and at + length >= end else text[start:end].strip()


def _decoded(text: str) -> int:
    """Characters of the JSON value a text begins with; 0 when it begins with none."""
    try:
        return _DECODER.raw_decode(text)[1]
    except (ValueError, RecursionError):
        return 0


def _said(groups: Sequence[Group], field: str, pattern: re.Pattern[str]) -> Pin | None:
    """The newest sentence of a person that names a field, to stand as it was said."""
    for block in (block for group in reversed(groups) for block in reversed(group.blocks) if words.is_persons(block)):
        sentence = next((text for text in _sentences(block) if pattern.search(text)), None)
        if sentence is not None:
            return Pin(f"{block.id}.{field}", block.id, sentence, sentence)
    return None


def _sentences(block: Block) -> Iterator[str]:
    for span in words.typed_spans(block.text):
        text = block.text[span.start : span.end]
        for sentence in split(words.own(text)):
            if len(sentence.text) <= _SENTENCE_CHARS:
                yield text[sentence.start : sentence.end]
