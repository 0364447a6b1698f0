"""Split a view into what stays and what is old, within what a level before still shows."""

from collections.abc import Mapping

import msgspec

from pumice.compact import cuts, keep
from pumice.compact.layout import Brief, Layout
from pumice.compact.ruler import Ruler
from pumice.domain.group import Group

CEILING = 0.95
"""Share of the limit what stays may fill."""


class Split(msgspec.Struct, frozen=True):
    """Groups from `head` to `first` are old, but for the pairs; everything else stays."""

    head: int
    first: int
    pairs: Mapping[str, str]
    """Blocks of old groups that stay at their own place: id → why."""

    def old(self, groups: tuple[Group, ...]) -> tuple[Group, ...]:
        return groups[self.head : self.first]


def split(brief: Brief, before: Layout) -> Split:
    """What is protected of what `before` still shows."""
    groups = brief.book.groups
    kept = protected(brief, as_shown(brief, before))
    first = max(kept.first_whole, before.first_whole)
    shown = {block.id for group in groups[before.first_whole :] for block in group.blocks}.union(before.pairs)
    pairs = {name: why for name, why in kept.pairs.items() if name in shown}
    return Split(min(before.head, first), first, pairs)


def protected(brief: Brief, ruler: Ruler) -> keep.Kept:
    """What `policy.keep` protects, by the sizes of a ruler (frontier §5.5 step 2)."""
    groups, policy = brief.book.groups, brief.policy
    return keep.protect(
        groups,
        brief.book.uses,
        ruler,
        keep=policy.keep,
        images=policy.media.images,
        room=brief.target,
        limit=round(CEILING * brief.limit),
        legal=lambda at: cuts.legal_before(groups, brief.book.state, at),
        turn=cuts.turn_before(groups, len(groups) - 1) if brief.at_turn else None,
    )


def as_shown(brief: Brief, before: Layout) -> Ruler:
    """Sizes as `before` shows things."""
    if not before.forms:
        return brief.ruler
    book = msgspec.structs.replace(brief.book, forms={**brief.book.forms, **before.forms})
    return Ruler(book, brief.ruler.factor, brief.ruler.count_many)
