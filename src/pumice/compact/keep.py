"""What a cut leaves at its own place: the last groups, the newest file reads and images, then newest groups."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from pumice.compact.ruler import Ruler
from pumice.domain.block import Block, Kind
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group
from pumice.domain.policy import Keep

NEWEST_READ = 0.9
"""Share of the target the newest file read alone may take, when the others have to stay below `reads_share`."""


TURN_SHARE = 0.2
"""Share of the target up to which the tail may grow to begin with a turn: a preference, so it may not cost much."""


class Kept(msgspec.Struct, frozen=True):
    """The split of a path at a cut: whole groups at the tail, single pairs before them; everything else folds."""

    first_whole: int
    """Position of the first group that stays whole."""
    pairs: Mapping[str, str]
    """Blocks of older groups that stay at their own place, calls with their results: id → why."""
    tokens: int


class _Tail:
    """The kept part while it grows: whole groups from `first` on, and single pairs before them."""

    def __init__(self, groups: Sequence[Group], first: int, ruler: Ruler) -> None:
        self.groups, self.first, self.ruler = groups, first, ruler
        self.spent = sum(ruler.blocks(group.blocks) for group in groups[first:])
        self.pairs: dict[str, int] = {}
        self.why: dict[str, str] = {}

    @property
    def tokens(self) -> int:
        return self.spent + sum(self.pairs.values())

    def add_pair(self, pair: Sequence[Block], why: str, *, most: float) -> None:
        """Keep a pair if everything kept stays within `most` tokens."""
        added = {block.id: self.ruler.block(block) for block in pair if block.id not in self.pairs}
        if self.tokens + sum(added.values()) <= most:
            self.pairs.update(added)
            self.why.update(dict.fromkeys(added, why))

    def reach(self, position: int, *, most: float) -> None:
        """Keep whole groups back to a position, or as far as everything kept stays within `most` tokens."""
        while self.first > position:
            names = {block.id for block in self.groups[self.first - 1].blocks}
            size = self.ruler.blocks(self.groups[self.first - 1].blocks)
            if self.tokens + size - sum(self.pairs.get(name, 0) for name in names) > most:
                return
            self.first -= 1
            self.spent += size
            for name in names.intersection(self.pairs):
                del self.pairs[name], self.why[name]


def protect(
    groups: Sequence[Group],
    uses: Mapping[str, ToolUse],
    ruler: Ruler,
    *,
    keep: Keep,
    images: int,
    room: int,
    legal: Callable[[int], int],
    turn: int | None = None,
) -> Kept:
    """Frontier §5.5 step 2; shares are of `room`, the target in tokens. The last groups stay however big they are.

    `legal` maps a position to the nearest one before which may be cut; `turn` is where the tail should begin if it fits.
    """
    last = legal(max(0, len(groups) - max(1, keep.last_groups)))
    tail = _Tail(groups, last, ruler)
    for pair, why in _wanted(groups, last, uses, reads=keep.reads, images=images):
        most = keep.reads_share * room if tail.pairs else NEWEST_READ * room + tail.spent
        tail.add_pair(pair, why, most=most)
    most = keep.groups_share * room
    tail.reach(max(0, len(groups) - keep.groups), most=most)
    if turn is not None:
        tail.reach(turn, most=TURN_SHARE * room)
    tail.reach(legal(tail.first), most=float("inf"))
    return Kept(tail.first, tail.why, tail.tokens)


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
