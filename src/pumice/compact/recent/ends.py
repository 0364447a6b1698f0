"""Oldest out and middle out: the newest groups that fit, and where asked the first ones, with a gap between them (F-C3)."""

from collections.abc import Iterator, Sequence

import msgspec

from pumice.compact import cuts, digest, fixed, keep
from pumice.compact.laid import lay
from pumice.compact.layout import Brief, Layout
from pumice.compact.section import Section, assemble
from pumice.compact.showing import Showing
from pumice.compact.standing import placed
from pumice.domain import marks
from pumice.domain.block import Kind
from pumice.domain.group import Group

LEVEL = "recent"
GAP = marks.gap("earlier steps are left out")
MIDDLE_GAP = marks.gap("steps between the first ones and those that follow are left out")
RESERVED = 40
"""Tokens left for such a line."""
FIRST_SHARE = 0.5
"""Share of the room the first groups may take."""
TRIES = 4
"""What stands in the preface grows with what folds, so the room for groups is found step by step."""


class Ends(msgspec.Struct, frozen=True):
    """What stays: groups before `head`, and from `first` on."""

    head: int
    first: int


def oldest(brief: Brief, before: Layout) -> Layout:
    """The newest groups that fit, and the policy's first ones; nothing between them."""
    return _laid(brief, before, first=brief.policy.recent.first)


def middle(brief: Brief, before: Layout) -> Layout:
    """The first groups and the newest; without a number of first ones they share the room with the newest."""
    return _laid(brief, before, first=brief.policy.recent.first or len(brief.book.groups))


def _laid(brief: Brief, before: Layout, *, first: int) -> Layout:
    if before.first_whole >= earliest(brief) and lay(brief, before).tokens <= _room(brief):
        return before
    sizes = list(map(Showing(brief, before).group, brief.book.groups))
    standing = brief.ruler.text(assemble(before.sections))
    layout = before
    for _ in range(TRIES):
        room = _room(brief) - RESERVED - standing
        layout = _between(brief, before, _ends(brief, sizes, room, first=first))
        needed = brief.ruler.text(assemble((*(placed(brief, layout).standing or ()), *before.sections)))
        if needed <= standing:
            break
        standing = needed
    return layout


def _room(brief: Brief) -> int:
    """Tokens for all that stays: a number of newest groups in the policy goes before the target, as the window bears it."""
    recent = brief.policy.recent
    is_set = (recent.groups, recent.turns, recent.tool_rounds, recent.tokens) != (None,) * 4
    room = fixed.most(brief) if is_set else brief.target
    return room if recent.tokens is None else min(room, recent.tokens)


def _ends(brief: Brief, sizes: Sequence[int], room: int, *, first: int) -> Ends:
    """The longest tail of whole groups within the room, the last group always, and as much of the beginning as may stay."""
    groups = brief.book.groups
    last = max(0, len(groups) - 1)
    left = room - sum(sizes[last:])
    head = _head(sizes[:last], min(first, last), min(left, round(FIRST_SHARE * room)))
    left -= sum(sizes[:head])
    start = max(head, earliest(brief))
    while last > start:
        left -= sizes[last - 1]
        if left < 0:
            break
        last -= 1
    if brief.at_turn:
        last = max(start, cuts.at_turn(groups, last, sizes, keep.TURN_SHARE * brief.target))
    last = _legal(brief, last)
    return Ends(_legal(brief, min(head, last)), last)


def _head(sizes: Sequence[int], most: int, room: int) -> int:
    head = 0
    while head < most and sizes[head] <= room:
        room -= sizes[head]
        head += 1
    return head


def earliest(brief: Brief) -> int:
    """Where the tail begins at the earliest by the policy's numbers of groups, turns and tool rounds."""
    groups, recent = brief.book.groups, brief.policy.recent
    counted: tuple[tuple[int | None, Iterator[int]], ...] = (
        (recent.groups, iter(range(len(groups) - 1, -1, -1))),
        (recent.turns, (at for at in range(len(groups) - 1, -1, -1) if cuts.begins_turn(groups[at]))),
        (recent.tool_rounds, rounds(groups)),
    )
    return max(_nth(places, number) for number, places in counted)


def rounds(groups: Sequence[Group]) -> Iterator[int]:
    """Positions of the groups that call tools, newest first."""
    return (at for at in range(len(groups) - 1, -1, -1) if any(block.kind is Kind.CALL for block in groups[at].blocks))


def _nth(places: Iterator[int], number: int | None) -> int:
    """The n-th place; the beginning where there are fewer or no number is set."""
    if number is None:
        return 0
    return next((place for count, place in enumerate(places, 1) if count >= number), 0)


def _legal(brief: Brief, at: int) -> int:
    """A policy that keeps no words promises none: then only calls without a result hold a cut back."""
    groups, state = brief.book.groups, brief.book.state
    if brief.policy.keep.pins != "none":
        return cuts.legal_before(groups, state, at)
    while 0 < at < len(groups) and not cuts.pending_batch_stays(groups, state, at):
        at -= 1
    return at


def _between(brief: Brief, before: Layout, ends: Ends) -> Layout:
    """The layout that folds what lies between the ends, besides what has folded already."""
    groups = brief.book.groups
    head, first = ends.head, ends.first
    if before.head < before.first_whole:
        head, first = min(head, before.head), max(first, before.first_whole)
    if head >= first or (head, first) == (before.head, before.first_whole):
        return before
    return msgspec.structs.replace(
        before,
        level=LEVEL,
        head=head,
        first_whole=first,
        pairs={},
        standing=None,
        sections=(*before.sections, *gap(brief, groups, head, first)),
    )


def gap(brief: Brief, groups: Sequence[Group], head: int, first: int) -> tuple[Section, ...]:
    """What says that something is left out: where it can be read back, or for a plain window one line."""
    if brief.policy.keep.pins != "none":
        return (digest.span(groups[head:first]),)
    if head:
        return (Section("note", MIDDLE_GAP),)
    # Providers want a user's message first; a window that begins inside a turn gets one line of ours.
    return () if groups[first].is_user else (Section("note", GAP),)
