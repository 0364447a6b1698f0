"""Evidence: the newest results that show where the work stands, kept at their own place."""

from collections.abc import Iterator, Mapping, Sequence

from pumice.compact.keep import is_file_read, pair_of
from pumice.compact.layout import Brief
from pumice.domain.block import Block
from pumice.domain.group import Group
from pumice.domain.state import Entry

FAILURES = 3
"""Newest failures without an end whose results are evidence."""
FAILED = "what failed and is not resolved"
READ = "one of the newest file reads"


def newest(brief: Brief, first: int, room: int) -> Mapping[str, str]:
    """Blocks before group `first` that stay, calls with their results, as far as they fit `room` tokens: id → why.

    What failed comes before what was read; of one file only its newest read counts.
    """
    kept: dict[str, str] = {}
    for why, pair in _wanted(brief, brief.book.groups[:first]):
        cost = sum(brief.ruler.block(block) for block in pair if block.id not in kept)
        if cost <= room:
            room -= cost
            kept.update({block.id: why for block in pair})
    return kept


def _wanted(brief: Brief, old: Sequence[Group]) -> Iterator[tuple[str, tuple[Block, ...]]]:
    failed = {name for item in _failures(brief) for name in item}
    for group in reversed(old):
        for block in reversed(group.blocks):
            if block.id in failed:
                yield FAILED, pair_of(group, block)
    left, seen = brief.policy.keep.reads, set[str]()
    for group in reversed(old):
        for block in reversed(group.blocks):
            if left and is_file_read(block, brief.book.uses) and brief.book.uses[block.id].target not in seen:
                seen.add(brief.book.uses[block.id].target)
                left -= 1
                yield READ, pair_of(group, block)


def _failures(brief: Brief) -> list[tuple[str, ...]]:
    """Sources of the newest errors nothing has resolved."""
    errors = (item for item in brief.book.state.items if item.entry is Entry.ERROR and item.status == "open")
    return [item.sources for item in errors][-FAILURES:]
