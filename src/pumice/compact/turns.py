"""Where the running turn of a view begins, as a provider sees it (K-A30)."""

from collections.abc import Sequence

from pumice.compact.layout import Layout
from pumice.domain.block import Block, Kind
from pumice.domain.decision import Outcome
from pumice.domain.group import Group


def running(groups: Sequence[Group], layout: Layout) -> int:
    """Position of the group whose message began the turn that is not over in what a layout shows.

    A user's message right behind results is part of their turn; what stood between may have folded, so the same message may
    begin a turn in one view and none in another.
    """
    begins: int | None = None
    for position in range(len(groups) - 1, -1, -1):
        shown = _shown(groups[position], position, layout)
        if not shown:
            continue
        if begins is not None and not any(block.kind is Kind.RESULT for block in shown):
            return begins
        begins = position if groups[position].is_user else None
    return begins or 0


def _shown(group: Group, position: int, layout: Layout) -> list[Block]:
    """Blocks of a group that a layout neither folds nor leaves out."""
    return [
        block
        for block in group.blocks
        if not layout.folds(position) or block.id in layout.pairs
        if block.id not in layout.forms or layout.forms[block.id].outcome not in (Outcome.FOLD, Outcome.DROP)
    ]
