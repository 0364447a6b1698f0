"""The summariser without a model: items of task state and steps, word for word, each with its sources (F-C5)."""

from collections.abc import Collection, Sequence

import msgspec

from pumice.compact.ruler import Ruler
from pumice.compact.summary import best, feeds, fit, merge
from pumice.compact.summary.feeds import Ground
from pumice.compact.summary.template import Feed, Part, Template
from pumice.domain.book import Book
from pumice.domain.policy import Lines
from pumice.domain.summary import Summary, SummaryItem

LEAST_FOR_LINES = 100
"""Tokens below which no lines are looked for."""


class Frame(msgspec.Struct, frozen=True):
    """What a summary has to fit into."""

    template: Template
    ruler: Ruler
    room: int
    """Tokens it may take, its own lines included."""
    standing: str = ""
    """What the preface says besides: it is named, not repeated."""
    seen: frozenset[str] = frozenset()
    """Blocks that stay in view: what they say is not repeated either."""
    said: frozenset[str] = frozenset()
    """Blocks whose words stand whole in the preface."""
    lines: Lines | None = None
    """How lines are chosen where the summary holds some."""


def summarise(book: Book, ground: Ground, frame: Frame, before: Summary | None = None) -> Summary:
    """The summary of what folds, on top of the one before: the same input gives the same items."""
    new = candidates(ground, frame.template.sections, frame.seen)
    return settled(book, ground, frame, before, new)


def with_told(
    book: Book, ground: Ground, frame: Frame, before: Summary | None, told: Sequence[SummaryItem], *, by: str
) -> Summary:
    """The same with what a model has told, in place of all but the sections that are filled without one."""
    own = [part for part in frame.template.sections if part.by_code]
    new = candidates(ground, own, frame.seen)
    made = settled(book, ground, msgspec.structs.replace(frame, lines=None), before, (*told, *new))
    return msgspec.structs.replace(made, by=by)


def settled(book: Book, ground: Ground, frame: Frame, before: Summary | None, new: Sequence[SummaryItem]) -> Summary:
    """New items merged into what was there, within the room; best lines take what is left of it."""
    known = before.items if before else ()
    items = merge.merged(known, new, frame.template, over=feeds.closed(ground.state))
    fitted = fit.fit(items, frame.template, frame.ruler, room=frame.room, standing=frame.standing)
    if lines := _lines(book, ground, frame, fitted):
        fitted = fit.fit((*items, *lines), frame.template, frame.ruler, room=frame.room, standing=frame.standing)
    by = before.by if before else ""
    return Summary(frame.template.name, frame.template.version, fitted.items, until(ground), by)


def candidates(ground: Ground, parts: Sequence[Part], seen: Collection[str]) -> list[SummaryItem]:
    """Everything there is to say in some sections, the most needed feeds first; each thing once, but all of what is by code."""
    found: list[SummaryItem] = []
    taken: set[str] = set()
    for feed in fit.NEED:
        part = next((part for part in parts if feed in part.takes), None)
        for item in _offered(feed, part, ground) if part else ():
            names = {name for name in (item.text.strip(), item.key) if name}
            is_told = bool(names & taken) and not (part and part.by_code)
            if names and not is_told and not any(name in seen for name in item.sources):
                taken |= names
                found.append(item)
    return found


def _offered(feed: Feed, part: Part, ground: Ground) -> list[SummaryItem]:
    found = feeds.items(feed, part.key, ground)
    is_pasted = feed == "words" and part.rules
    return [own for item in found for own in feeds.unpasted(item)] if is_pasted else found


def until(ground: Ground) -> str:
    """The newest block that is covered."""
    return next((group.blocks[-1].id for group in reversed(ground.folded) if group.blocks), "")


def _lines(book: Book, ground: Ground, frame: Frame, fitted: fit.Fitted) -> list[SummaryItem]:
    part = next((part for part in frame.template.sections if "lines" in part.takes), None)
    if part is None or frame.lines is None or fitted.left < LEAST_FOR_LINES:
        return []
    return best.lines(
        book,
        ground.folded,
        part.key,
        frame.ruler,
        policy=frame.lines,
        room=fitted.left,
        staying=frame.seen | frame.said,
        shown=_shown(fitted.items),
    )


def _shown(items: Sequence[SummaryItem]) -> dict[str, str]:
    """What the items say already of each block."""
    shown: dict[str, str] = {}
    for item in items:
        for name in item.sources:
            shown[name] = f"{shown.get(name, '')}\n{item.key}\n{item.text}"
    return shown
