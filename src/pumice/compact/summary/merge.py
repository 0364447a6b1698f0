"""Merge what is new into the summary before: by section and key, within a cap; what stood there is copied, never reworded.

A summary that is summarised again grows (×8.6 in five passes) and loses its facts (coding-agents §5, F1, F6): so the one
before is state, not source.
"""

import re
from collections.abc import Collection, Iterable, Sequence

import msgspec

from pumice.compact.summary.render import MORE, STANDS
from pumice.compact.summary.template import OPEN, Template
from pumice.domain import marks
from pumice.domain.summary import SummaryItem

MOST_SOURCES = 6
"""Blocks an item names at most: its newest ones, and the first."""
_LINES = re.compile(r"\s*\d+(?:→|\t)")


def merged(
    before: Sequence[SummaryItem], new: Sequence[SummaryItem], template: Template, *, over: Collection[str] = ()
) -> list[SummaryItem]:
    """Both as one list, older first.

    A new item takes the place of the old one of its section and key; what is done closes what was open under the same key;
    what was done is no longer so when it is open again. Names in `over` are of things that are closed by now.
    """
    done = {item.name for item in new if item.status == "done"}
    again = {item.name for item in new if item.status in OPEN}
    carried = (item for item in before if is_carried(item) and template.part(item.section))
    kept = {identity(item): item for item in carried if not _is_past(item, done, again, over)}
    for item in new:
        old = kept.pop(identity(item), None)
        kept[identity(item)] = (
            item if old is None else msgspec.structs.replace(item, sources=_joined(item.sources, old.sources))
        )
    return list(kept.values())


def _is_past(item: SummaryItem, done: Collection[str], again: Collection[str], over: Collection[str]) -> bool:
    """Whether what an item says no longer holds."""
    if item.status == "done":
        return item.name in again
    return (item.status in OPEN and item.name in done) or item.text in over or item.key in over


def identity(item: SummaryItem) -> tuple[str, str]:
    """What makes two items the same."""
    return item.section, item.name


def is_carried(item: SummaryItem) -> bool:
    """Whether an item goes over to the next summary; what only points elsewhere, what was shortened and best lines are found
    anew."""
    return item.key not in (STANDS, MORE) and not is_lines(item) and marks.GAP not in item.text


def is_lines(item: SummaryItem) -> bool:
    """Whether an item is numbered lines of a block."""
    return item.verbatim and bool(_LINES.match(item.text))


def newest(names: Iterable[str]) -> int:
    """The ordinal of the newest of some blocks; 0 without any."""
    return max((int(name[1:]) for name in names if name[1:].isdigit()), default=0)


def _joined(new: Sequence[str], old: Sequence[str]) -> tuple[str, ...]:
    both = tuple(dict.fromkeys((*new, *old)))
    return both if len(both) <= MOST_SOURCES else (*both[: MOST_SOURCES - 1], both[-1])
