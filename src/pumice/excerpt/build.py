"""The excerpt of a big text under a limit in tokens."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from pumice.domain import marks
from pumice.excerpt import clean, lines, plain, sniff
from pumice.excerpt.units import ENCODED, Choice, Shape, choose, ranked, render

_TRIES = 7
_LEAST_PIECE = 64
"""Characters of the pieces of a line: smaller ones would cut names and numbers in two."""
_FULL = 0.93
"""An excerpt that uses this share of its room is not worth another try."""
_SAMPLE = 4000
_CHARS_PER_TOKEN = 16
"""A text longer than this many characters per token of the limit is over it, whatever it holds, but for white space."""


class Excerpt(msgspec.Struct, frozen=True):
    text: str
    """Source lines verbatim; a line of ours starts with `⋯`."""
    kind: str
    """Content type it was cut by: log, text, search, json, table, diff, code, html."""
    total_lines: int
    shown_lines: int


def make(text: str, *, limit: int, count: Callable[[str], int], tool: str = "") -> Excerpt | None:
    """What stays in view of a text that is over `limit` tokens by `count` (frontier §5.1); None when nothing is gained.

    Every line that does not start with `⋯` is a verbatim piece of the source, control sequences and redrawn
    parts left out; of a page in HTML, which the first line says, it is the source's words without their markup. Nothing
    shown reads as ours. `tool` helps to tell search results from prose. Linear in the text and deterministic.
    """
    if len(text) <= limit * _CHARS_PER_TOKEN and count(text) <= limit:
        return None
    lead, body, trail = clean.reminders(clean.terminal(text))
    lead, trail = _that_fit((lead, trail), limit, count)
    room = limit - sum(count(part) + 1 for part in (lead, trail) if part)
    shape = sniff.shape(body, tool, lambda words, share: _is_within(words, share * room, count))
    shown = _fit(shape.text or body, shape, room, count)
    shown = shown or _fit(body, lines.cut(body, piece=max(_LEAST_PIECE, room // 8)), room, count)
    if not shown:
        return None
    return counted(text, "\n".join(part for part in (lead, shown, trail) if part), shape.kind)


def counted(text: str, shown: str, kind: str) -> Excerpt:
    """What is shown of a text, with its numbers of lines: ours are none of the source's."""
    ours = sum(line.startswith(marks.GAP) for line in shown.split("\n"))
    total = text.count("\n") + 1
    return Excerpt(shown, kind, total, min(total, shown.count("\n") + 1 - ours))


def _that_fit(parts: tuple[str, str], limit: int, count: Callable[[str], int]) -> tuple[str, str]:
    """A client's reminders stay whole while they leave half of the room; beyond that they are left to the pointer."""
    lead, trail = (part if marks.is_plain(part) else "" for part in parts)
    if not (lead or trail) or (count(lead) + count(trail)) * 2 <= limit:
        return lead, trail
    return ("", trail) if count(trail) * 2 <= limit else ("", "")


def _is_within(words: str, tokens: float, count: Callable[[str], int]) -> bool:
    return len(words) <= tokens * _CHARS_PER_TOKEN and count(words) <= tokens


class _Try(NamedTuple):
    """A choice, its text and how many tokens that is."""

    choice: Choice
    shown: str
    size: int


def _fit(text: str, shape: Shape, room: int, count: Callable[[str], int]) -> str | None:
    """The fullest rendering within the room: estimated by characters, corrected by the real count."""
    shape = plain.guarded(text, shape)
    per_char = _density(text, count)
    note = count(shape.note) + 3 if shape.note else 0
    costs = [(unit.end - unit.start) * per_char + 1 for unit in shape.units]
    order, budget = ranked(shape, costs), float(room - note)
    tries: list[_Try] = []
    for _ in range(_TRIES):
        one = next((known for known in tries if known.choice.is_for(budget)), None)
        if one is None:
            choice = choose(shape, budget, costs, order)
            if not choice.units and not any(unit.tier == ENCODED for unit in shape.units):
                break
            shown = render(text, shape, choice.units)
            one = _Try(choice, shown, count(shown))
            tries.append(one)
        if one.size <= room and (one.size >= room * _FULL or len(one.choice.units) == len(shape.units)):
            break
        budget *= min(1.5, (room / one.size) * (0.97 if one.size > room else 1.0))
    fitting = [one for one in tries if 0 < one.size <= room]
    return max(fitting, key=lambda one: one.size).shown if fitting else None


def _density(text: str, count: Callable[[str], int]) -> float:
    """Tokens per character, from samples of the start, the middle and the end."""
    middle = len(text) // 2
    sample = text[:_SAMPLE] + text[middle : middle + _SAMPLE] + text[-_SAMPLE:]
    return count(sample) / len(sample) if sample else 1.0
