"""Where a path may be cut: between groups only, where every invariant agrees (F-D2)."""

from collections.abc import Callable, Sequence

from pumice.domain.block import Kind, Origin
from pumice.domain.group import Group
from pumice.domain.state import Entry, TaskState
from pumice.ledger.groups import is_open

NEAR = 10
"""Newest groups among which the beginning of a turn counts as near."""

Invariant = Callable[[Sequence[Group], TaskState, int], bool]
"""Whether everything before a position may fold away from everything after it."""


def pending_batch_stays(groups: Sequence[Group], _state: TaskState, at: int) -> bool:
    """Calls that still wait for a result are never behind a cut, whatever users say meanwhile."""
    for position in range(at - 1, -1, -1):
        if not groups[position].is_user:
            is_newest = all(group.is_user for group in groups[position + 1 :])
            return not (is_newest and is_open(groups[position]))
    return True


def approval_keeps_answer(groups: Sequence[Group], state: TaskState, at: int) -> bool:
    """What asked for approval and what answered it are on one side."""
    before = {block.id for block in groups[at - 1].blocks}
    after = {block.id for block in groups[at].blocks}
    approvals = (item for item in state.items if item.entry is Entry.APPROVAL)
    return not any(before.intersection(item.sources) and after.intersection(item.sources) for item in approvals)


INVARIANTS: tuple[Invariant, ...] = (pending_batch_stays, approval_keeps_answer)


def is_legal(groups: Sequence[Group], state: TaskState, at: int) -> bool:
    """Whether groups before position `at` may fold while the rest stays; the ends are always legal."""
    return at <= 0 or at >= len(groups) or all(allows(groups, state, at) for allows in INVARIANTS)


def legal_before(groups: Sequence[Group], state: TaskState, at: int) -> int:
    """The nearest legal position at or before `at`."""
    while not is_legal(groups, state, at):
        at -= 1
    return at


def turn_before(groups: Sequence[Group], at: int) -> int | None:
    """The nearest position at or before `at`, among the newest groups, where a person's turn begins; None without one."""
    for position in range(at, max(0, len(groups) - NEAR) - 1, -1):
        if position < len(groups) and begins_turn(groups[position]):
            return position
    return None


def at_turn(groups: Sequence[Group], at: int, sizes: Sequence[int], most: float) -> int:
    """Where the turn begins that a cut at a position would break, if that is near and what it keeps more is at most so big."""
    turn = turn_before(groups, at)
    return turn if turn is not None and sum(sizes[turn:at]) <= most else at


def begins_turn(group: Group) -> bool:
    return group.is_user and any(block.origin is Origin.PERSON and block.kind is Kind.TEXT for block in group.blocks)
