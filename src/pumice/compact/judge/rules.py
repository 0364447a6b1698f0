"""Verdicts without a model: what a call and its result are worth against what they cost to keep.

Worth is the predicted re-use of the names whose newest line they hold, as for single lines (frontier §5.3): names the model
has used count most, those in listings least, and all of them fade. The score is worth / (worth + price), so half means that
keeping pays just so. What an error is open about stays; a read that a newer one of the same file supersedes does not.
"""

from collections.abc import Mapping, Sequence

import msgspec

from pumice.commit import effects
from pumice.commit.effects import Does
from pumice.compact.choose import PRICED_AT
from pumice.compact.exchanges import Exchange
from pumice.compact.judge import LINES, LONG, Verdict
from pumice.compact.layout import Brief
from pumice.compact.lines import LineIndex
from pumice.compact.showing import Showing
from pumice.compact.values import line_values
from pumice.domain.state import Entry, TaskState

NEWEST = 2.0
"""Times the worth of a file's newest read."""
CHARS = 4
"""Characters a token holds, roughly."""
_LIVE = ("open", "active")
_EVIDENCE = (Entry.ERROR, Entry.OPEN, Entry.APPROVAL)


class _Worth(msgspec.Struct, frozen=True):
    """Worth of the lines of one block."""

    all: float = 0.0
    head: float = 0.0
    """Of its first characters alone."""
    parts: Mapping[int, float] = {}
    """Of each part of so many lines, by its number from 0."""


def verdicts(brief: Brief, judged: Sequence[Exchange], showing: Showing) -> dict[str, Verdict]:
    """By id of the call."""
    names = {block.id for exchange in judged for block in exchange.blocks}
    worths = _worths(brief.book.lines, names, brief.policy.judge.head_chars, brief.book.focus)
    open_, newest = _evidence(brief.book.state), _newest_reads(judged)
    return {one.call.id: _verdict(brief, one, worths, showing, open_=open_, newest=newest) for one in judged}


def _verdict(
    brief: Brief,
    one: Exchange,
    worths: Mapping[str, _Worth],
    showing: Showing,
    *,
    open_: frozenset[str],
    newest: Mapping[str, str],
) -> Verdict:
    if one.result.id in open_ or one.call.id in open_:
        return Verdict(1.0, 1.0)
    price = brief.policy.lines.price * PRICED_AT / brief.ruler.factor
    said, shown = worths.get(one.call.id, _Worth()), worths.get(one.result.id, _Worth())
    tokens, call = showing.block(one.result), showing.block(one.call)
    times = 1.0
    if one.use.is_file_read:
        times = NEWEST if newest[one.use.target] == one.result.id else 0.0
    head = min(tokens, brief.policy.judge.head_chars // CHARS)
    return Verdict(
        call=_score(said.all + shown.head * max(times, 1.0), (call + head) * price),
        result=_score(times * shown.all, tokens * price),
        parts=_parts(one, shown, tokens * price),
    )


def _parts(one: Exchange, shown: _Worth, price: float) -> tuple[float, ...]:
    """Scores of a long shell output part by part; each costs its share of what the whole would."""
    text = one.result.text
    if len(text) < LONG or effects.does(one.call) is not Does.SHELL:
        return ()
    lines = text.split("\n")
    sizes = [sum(len(line) + 1 for line in lines[at : at + LINES]) for at in range(0, len(lines), LINES)]
    return tuple(_score(shown.parts.get(at, 0.0), price * size / len(text)) for at, size in enumerate(sizes))


def _score(worth: float, price: float) -> float:
    return worth / (worth + price) if worth > 0 else 0.0


def _worths(index: LineIndex, names: set[str], head_chars: int, focus: frozenset[str]) -> dict[str, _Worth]:
    """What the lines of some blocks are worth, block by block."""
    hidden = [place.block.id in names for place in index.places]
    found: dict[str, _Worth] = {}
    for at, worth in line_values(index, hidden, focus).items():
        place = index.places[at]
        before = found.get(place.block.id, _Worth())
        total, head, parts = before.all, before.head, dict(before.parts)
        for number, value in worth.items():
            piece = place.scan.pieces[number]
            total += value
            head += value * (piece.start < head_chars)
            part = (piece.line - 1) // LINES
            parts[part] = parts.get(part, 0.0) + value
        found[place.block.id] = _Worth(total, head, parts)
    return found


def _evidence(state: TaskState) -> frozenset[str]:
    """Sources of what is still open: they stay however old (F-B8)."""
    live = (item for item in state.items if item.entry in _EVIDENCE and item.status in _LIVE and not item.by)
    return frozenset(name for item in live for name in item.sources)


def _newest_reads(judged: Sequence[Exchange]) -> dict[str, str]:
    """The newest read of each file: target → result."""
    return {one.use.target: one.result.id for one in judged if one.use.is_file_read}
