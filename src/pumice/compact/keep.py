"""What a cut leaves at its own place: the last groups, the newest file reads and images, then newest groups."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from pumice.compact.ruler import Ruler
from pumice.domain.block import Block, Kind
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group
from pumice.domain.policy import Keep

NEWEST_READ = 0.9
"""Share of the target the newest file read may take besides the last groups."""
SECOND_READ = 0.8
"""Share of the target everything kept may reach with the second newest; for older ones the policy's `reads_share` holds."""
READS_MOST = 30_000
"""Tokens everything kept may reach with reads other than the newest, whatever the window: what is kept costs money at every
call, and at the cut that starts the epoch most of all."""
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
    limit: int,
    legal: Callable[[int], int],
    turn: int | None = None,
) -> Kept:
    """Frontier §5.5 step 2; shares are of `room`, the target. The last groups stay whole; `limit` stops everything else.

    `legal` maps a position to the nearest one before which may be cut; `turn` is where the tail should begin if it fits.
    """
    last = legal(last_step(groups, max(0, len(groups) - max(1, keep.last_groups))))
    tail = _Tail(groups, last, ruler)
    besides = sum(ruler.block(block) for group in groups[last:] for block in group.blocks if not is_file_read(block, uses))
    most_by_rank = (min(limit, NEWEST_READ * room + tail.spent), min(READS_MOST, SECOND_READ * room))
    most_later = min(READS_MOST, keep.reads_share * room + besides)
    for wish in _wanted(groups, last, uses, reads=keep.reads, images=images):
        most = most_by_rank[wish.rank] if wish.rank < len(most_by_rank) else most_later
        tail.add_pair(wish.pair, wish.why, most=most)
    most = keep.groups_share * room
    tail.reach(max(0, len(groups) - keep.groups), most=most)
    if turn is not None:
        tail.reach(turn, most=TURN_SHARE * room)
    tail.reach(legal(tail.first), most=float("inf"))
    return Kept(tail.first, tail.why, tail.tokens)


def last_step(groups: Sequence[Group], position: int) -> int:
    """At or before a position, so that the newest response is inside: of it nothing may be left out (K-A29)."""
    while position > 0 and all(group.is_user for group in groups[position:]):
        position -= 1
    return position


class _Wish(msgspec.Struct, frozen=True):
    pair: tuple[Block, ...]
    why: str
    rank: int
    """0 for the newest file read of all, 1 for the one before it; what is no file read ranks behind."""


def _wanted(groups: Sequence[Group], first: int, uses: Mapping[str, ToolUse], *, reads: int, images: int) -> Iterator[_Wish]:
    """Pairs of the newest file reads and of the newest images that are not in the last groups anyway, newest first."""
    every = reads
    for position in range(len(groups) - 1, -1, -1):
        if reads <= 0 and images <= 0:
            return
        for block in reversed(groups[position].blocks):
            is_read = reads > 0 and is_file_read(block, uses)
            if position < first and (is_read or (images > 0 and block.media)):
                why = "one of the newest file reads" if is_read else "one of the newest images"
                yield _Wish(pair_of(groups[position], block), why, every - reads if is_read else 2)
            reads -= is_read
            images -= len(block.media)


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
