"""Required fields: what a policy wants known before anything leaves the view, looked for in results and in a person's words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import msgspec

from pumice.commit import members, words
from pumice.commit.draft import UNKNOWN
from pumice.commit.sentences import split
from pumice.domain import marks
from pumice.domain.block import Block, Kind
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group
from pumice.domain.policy import Commit
from pumice.domain.policy.governed import has_letter
from pumice.domain.state import Entry, Item, Pin, TaskState

OF_STATE = frozenset(
    {"goal", "plan", "next_step", "open_items", "approvals", "permissions", "decisions", "constraints", "children"}
)
"""Fields the task state answers itself."""
MOST = 8
"""Newest findings of a field, each of another call or object."""
MOST_IN_ONE = 50
"""Places in one result that are looked at."""
_VALUE_CHARS, _SENTENCE_CHARS = 300, 400
"""Characters of a value, and of a sentence, that stand whole."""
_JOINED = re.compile(r"[^\W\u3040-\u30ff\u3400-\u9fff]|[.@:/+-]")
"""What stands together in a word, a number or a name of a script that has spaces."""


def committed(state: TaskState, groups: Sequence[Group], uses: Mapping[str, ToolUse], policy: Commit) -> TaskState:
    """The state with every required field: found in a result, pinned as a person put it, or named as unknown.

    `groups` are the path, oldest first. Nothing is refused for a field that is missing.
    """
    items: list[Item] = []
    pins: list[Pin] = []
    for field in (" ".join(field.split()) for field in policy.required_fields):
        if field in OF_STATE or not marks.is_plain(field) or not has_letter(field):
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
    return re.compile("|".join(_form(_words(name)) for name in names if has_letter(name)), re.I)


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
            held[about] = _item(text, block.id, field)
    return list(held.values())[-MOST:]


def _item(text: str, source: str, field: str) -> Item:
    """The pair, of a long one the first words: its name says how much there is of it."""
    shown = text if len(text) <= _VALUE_CHARS else text[: _break(text, _VALUE_CHARS, -1)].rstrip("\\ \n")
    told = "" if shown == text else f", the first {len(shown)} characters"
    return Item(Entry.FACT, shown, (source,), f"{field}{told}")


def _pairs(text: str, pattern: re.Pattern[str]) -> list[str]:
    """The pairs of a name and a value in a result, each verbatim: members of JSON objects, and lines `name: value`.

    Where there are several, each stands with the whole of its object if that is small: whose value it is says the rest.
    """
    spans = (members.span(text, match) for match in islice(pattern.finditer(text), MOST_IN_ONE))
    found = [span for span in spans if span is not None]
    shown = (members.around(text, *span) if len(found) > 1 else text[slice(*span)].strip() for span in found)
    return list(dict.fromkeys(shown))


def _said(groups: Sequence[Group], field: str, pattern: re.Pattern[str]) -> Pin | None:
    """The newest sentence of a person that names a field, to stand as it was said; of a long one what stands around."""
    for block in (block for group in reversed(groups) for block in reversed(group.blocks) if words.is_persons(block)):
        for sentence in _sentences(block):
            named = pattern.search(sentence)
            if named is not None:
                whole, rule = _window(sentence, *named.span())
                return Pin(f"{block.id}.{field}", block.id, whole, rule)
    return None


def _sentences(block: Block) -> Iterator[str]:
    for span in words.typed_spans(block.text):
        text = block.text[span.start : span.end]
        for sentence in split(words.own(text)):
            yield text[sentence.start : sentence.end]


def _window(sentence: str, start: int, end: int) -> tuple[str, str]:
    """Of a long sentence what stands around a place, with lines of ours for what is left out, and without them."""
    if len(sentence) <= _SENTENCE_CHARS:
        return sentence, sentence
    half = _SENTENCE_CHARS // 2
    first = _break(sentence, max(0, start - half), 1)
    last = _break(sentence, min(len(sentence), end + half), -1)
    rule = sentence[first:last].strip()
    before, after = first, len(sentence) - last
    gaps = (marks.gap(f"{n} characters") if n else "" for n in (before, after))
    return "\n".join(part for part in (next(gaps), rule, next(gaps)) if part), rule


def _break(text: str, at: int, step: int) -> int:
    """The nearest place from `at` on, or back, where no word, number or name is cut in two; `at` where there is none near."""
    near = range(at, max(0, at - _SENTENCE_CHARS) if step < 0 else min(len(text), at + _SENTENCE_CHARS), step)
    return next(
        (place for place in near if not place or not (_JOINED.match(text, place - 1) and _JOINED.match(text, place))), at
    )
