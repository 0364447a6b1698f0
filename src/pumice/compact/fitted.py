"""A layout over the limit is made to fit whatever its levels kept: the oldest steps fold, then what is left gives excerpts.

No level can know what a small window bears in every case: the newest step alone may be bigger than all of it.
"""

from collections.abc import Sequence

import msgspec

from pumice.compact import cuts, digest, keep, preface
from pumice.compact.laid import lay
from pumice.compact.layout import Brief, Layout
from pumice.compact.recent import ends
from pumice.compact.section import Section
from pumice.compact.showing import Showing
from pumice.compact.shrink import shrink_all
from pumice.compact.split import as_shown
from pumice.domain.group import Group

LEVEL = "fitted"
"""What is decided here goes by this name, no level's: no policy has asked for it."""
TRIES = 3
"""What folds or is cut short puts something into the preface, so the room for the rest is found step by step."""


def fit(brief: Brief, layout: Layout) -> Layout:
    """The layout itself where it fits; else the first that does of ever smaller ones, or the smallest."""
    if _over(brief, layout) <= 0:
        return layout
    layout = msgspec.structs.replace(layout, level=LEVEL)
    folded = _folded(brief, layout)
    if _over(brief, folded) <= 0:
        return folded
    shrunk = _shrunk(brief, folded)
    if _over(brief, shrunk) <= 0:
        return shrunk
    return _shrunk(brief, _bare(brief, folded))


def _over(brief: Brief, layout: Layout) -> int:
    """Tokens by which a layout misses the limit."""
    return lay(brief, layout).tokens - brief.limit


def _folded(brief: Brief, layout: Layout) -> Layout:
    """Without as many of the oldest groups as it takes, but for the last step and what must stay with it."""
    last = _last(brief)
    for _ in range(TRIES):
        over = _over(brief, layout)
        if over <= 0 or (layout.first_whole >= last and not layout.head and not layout.pairs):
            break
        layout = _without(brief, layout, over, last)
    return layout


def _last(brief: Brief) -> int:
    groups = brief.book.groups
    return cuts.legal_before(groups, brief.book.state, keep.last_step(groups, max(0, len(groups) - 1)))


def _without(brief: Brief, layout: Layout, over: int, last: int) -> Layout:
    """Without what comes to so many tokens: first what stays in front of the newest groups, then the oldest of those."""
    groups, showing = brief.book.groups, Showing(brief, layout)
    kept = [block for group in groups[: layout.first_whole] for block in group.blocks if block.id in layout.pairs]
    over -= sum(map(showing.group, groups[: layout.head])) + sum(map(showing.block, kept))
    first = layout.first_whole
    while first < last and over > 0:
        over -= showing.group(groups[first])
        first += 1
    first = max(layout.first_whole, cuts.legal_before(groups, brief.book.state, first))
    gone = (*groups[: layout.head], *groups[layout.first_whole : first])
    sections = (*layout.sections, *_gap(brief, gone, first))
    return msgspec.structs.replace(layout, head=0, first_whole=first, pairs={}, standing=None, sections=sections)


def _gap(brief: Brief, gone: Sequence[Group], first: int) -> tuple[Section, ...]:
    """What says that something more is left out."""
    if brief.policy.keep.pins != "none":
        return (digest.span(gone),)
    return ends.gap(brief, brief.book.groups, 0, first) if gone else ()


def _shrunk(brief: Brief, layout: Layout) -> Layout:
    """What stays with its largest results and pastes as excerpts."""
    tail, ruler, need, shrunk = brief.book.groups[layout.first_whole :], as_shown(brief, layout), 0, layout
    for _ in range(TRIES):
        over = _over(brief, shrunk)
        if over <= 0:
            break
        need += over
        forms = {**layout.forms, **shrink_all(tail, need, ruler, layout.level)}
        shrunk = msgspec.structs.replace(layout, forms=forms, standing=None)
    return shrunk


def _bare(brief: Brief, layout: Layout) -> Layout:
    """Without what the levels have put into the preface: only where all that is old can be read back."""
    sections = (*preface.review(brief.book.review), *_gap(brief, brief.book.groups[: layout.first_whole], layout.first_whole))
    return msgspec.structs.replace(layout, sections=sections, summary=None, standing=None, reasons={})
