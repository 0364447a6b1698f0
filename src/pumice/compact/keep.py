"""What a cut leaves at its own place: the last groups, the newest file reads and images, then newest groups."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pumice.compact.ruler import Ruler
from pumice.domain.block import Block, Kind
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group
from pumice.domain.policy import Keep

NEWEST_READ = 0.6
"""Share of the target the newest file read alone may take, when the others have to stay below `reads_share`."""


class Kept(msgspec.Struct, frozen=True):
    """The split of a path at a cut: whole groups at the tail, single pairs before them; everything else folds."""

    first_whole: int
    """Position of the first group that stays whole."""
    pairs: Mapping[str, str]
    """Blocks of older groups that stay at their own place, calls with their results: id → why."""
    tokens: int


def protect(groups: Sequence[Group], uses: Mapping[str, ToolUse], ruler: Ruler, *, keep: Keep, images: int, room: int) -> Kept:
    """Frontier §5.5 step 2; shares are of `room`, the target in tokens. The last groups stay however big they are."""
    first = max(0, len(groups) - max(1, keep.last_groups))
    sizes: dict[str, int] = {}
    why: dict[str, str] = {}
    spent = sum(ruler.blocks(group.blocks) for group in groups[first:])
    for pair, reason in _wanted(groups, first, uses, reads=keep.reads, images=images):
        added = {block.id: ruler.block(block) for block in pair if block.id not in sizes}
        before = sum(sizes.values())
        share = keep.reads_share * room if before else NEWEST_READ * room + spent
        if spent + before + sum(added.values()) <= share:
            sizes.update(added)
            why.update(dict.fromkeys(added, reason))
    while first > 0 and len(groups) - first < keep.groups:
        added = {block.id: ruler.block(block) for block in groups[first - 1].blocks}
        old = sum(sizes.get(name, 0) for name in added)
        if spent + sum(sizes.values()) + sum(added.values()) - old > keep.groups_share * room:
            break
        first -= 1
        spent += sum(added.values())
        for name in added:
            sizes.pop(name, None)
            why.pop(name, None)
    return Kept(first, why, spent + sum(sizes.values()))


def _wanted(
    groups: Sequence[Group], first: int, uses: Mapping[str, ToolUse], *, reads: int, images: int
) -> Iterator[tuple[tuple[Block, ...], str]]:
    """Pairs of the newest file reads and of the newest images that are not in the last groups anyway, newest first."""
    for position in range(len(groups) - 1, -1, -1):
        group = groups[position]
        for block in reversed(group.blocks):
            is_read = reads > 0 and is_file_read(block, uses)
            has_image = images > 0 and bool(block.media)
            if not is_read and not has_image:
                continue
            reads -= is_read
            images -= len(block.media)
            if position < first:
                yield pair_of(group, block), "one of the newest file reads" if is_read else "one of the newest images"
        if reads <= 0 and images <= 0:
            return


def is_file_read(block: Block, uses: Mapping[str, ToolUse]) -> bool:
    """Whether a block is the result of a file read that worked."""
    use = uses.get(block.id)
    return block.kind is Kind.RESULT and use is not None and use.is_file_read


def pair_of(group: Group, block: Block) -> tuple[Block, ...]:
    """A call and its result in that order, paired by occurrence where an id is used twice; any other block alone."""
    if block.kind not in (Kind.CALL, Kind.RESULT):
        return (block,)
    same = [other for other in group.blocks if other.call_id == block.call_id]
    calls = [other for other in same if other.kind is Kind.CALL]
    results = [other for other in same if other.kind is Kind.RESULT]
    at = next(at for at, other in enumerate(calls if block.kind is Kind.CALL else results) if other.id == block.id)
    return (*calls[at : at + 1], *results[at : at + 1])
