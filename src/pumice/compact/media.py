"""How many of the images and documents that stay a provider takes: the newest, within its limits of count, side and bytes."""

from collections.abc import Iterator, Sequence

import msgspec

from pumice.compact.layout import Brief, Layout
from pumice.compile import placeholder
from pumice.domain.block import Block
from pumice.domain.book import MediaLimits
from pumice.domain.decision import Outcome
from pumice.measure import limits

LEVEL = "media"

FILL = 0.9
"""Share of the provider's bytes that blocks may take: the rest is for head, preface and what JSON adds."""


def limited(brief: Brief, layout: Layout) -> Layout:
    """The layout with placeholders for the media the provider would not take; whatever the levels keep, it can be sent."""
    staying = list(_staying(brief, layout)) if brief.room.media else []
    if brief.room.media is None or not any(block.media for block in staying):
        return layout
    away = too_many(staying, brief.room.media)
    forms = {
        block.id: placeholder.of(block, away[block.id], LEVEL, brief.ruler.redeem) for block in staying if block.id in away
    }
    return msgspec.structs.replace(layout, forms={**layout.forms, **forms})


def _staying(brief: Brief, layout: Layout) -> Iterator[Block]:
    """Blocks that stand in their own bytes."""
    for position, group in enumerate(brief.book.groups):
        for block in group.blocks:
            form = layout.forms.get(block.id) or brief.book.forms.get(block.id)
            is_here = not layout.folds(position) or block.id in layout.pairs
            if is_here and (form is None or form.outcome is Outcome.KEEP):
                yield block


def too_many(blocks: Sequence[Block], most: MediaLimits, *, share: float = 1.0, spare: int = 0) -> dict[str, str]:
    """Of blocks that stand in their own bytes, those whose media cannot: id → why, older ones before newer.

    `share` of the limits is filled; the newest `spare` media may fill them whole.
    """
    room = FILL * most.body - sum(len(block.raw) for block in blocks if not block.media)
    found: dict[str, str] = {}
    shown: list[Block] = []
    count = 0
    for block in reversed([block for block in blocks if block.media]):
        filled = 1.0 if sum(len(other.media) for other in shown) < spare else share
        added = sum(map(limits.units, block.media))
        size = sum(len(other.raw) for other in shown) + len(block.raw)
        why = next(filter(None, (limits.breach(item, most) for item in block.media)), "")
        if not why and count + added > filled * most.count:
            why = f"older than the newest {count} images and pages"
        if not why and size > filled * room:
            why = f"older than the newest {size - len(block.raw):,} bytes of media"
        if why:
            found[block.id] = why
        else:
            shown.append(block)
            count += added
    return {**found, **_wide(shown, most)}


def _wide(shown: Sequence[Block], most: MediaLimits) -> dict[str, str]:
    """Images that are too wide to stand among many others."""
    if sum(item.mime != limits.PDF for block in shown for item in block.media) <= most.many:
        return {}
    wide = (block for block in shown if any(max(item.width, item.height) > most.side_of_many for item in block.media))
    why = f"over {most.side_of_many:,} pixels a side among more than {most.many} images"
    return {block.id: why for block in wide}
