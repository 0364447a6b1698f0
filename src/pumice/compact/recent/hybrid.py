"""Hybrid: oldest out or middle out, whichever suits the conversation (F-C3)."""

from collections.abc import Iterator

from pumice.compact.laid import lay
from pumice.compact.layout import Brief, Layout
from pumice.compact.recent import ends
from pumice.compact.showing import Showing
from pumice.domain.block import Kind, Role
from pumice.domain.group import Group, Node

FEW, SMALL = 30, 0.30
"""Messages, and share of the view to be left out, up to which the middle goes."""
MANY, LARGE = 60, 0.60
"""The same from which the oldest go."""
NEWEST, HEAVY = 10, 0.50
"""Newest messages, and their share of the view from which the middle goes."""


def hybrid(brief: Brief, before: Layout) -> Layout:
    """The first rule that fits decides; where none does, the better of both by what they free and what they keep."""
    size = lay(brief, before).tokens
    reduction = 1 - brief.target / size if size else 0.0
    messages = [node for _, group in _standing(brief, before) for node in group.nodes]
    if reduction <= SMALL and len(messages) <= FEW:
        return ends.middle(brief, before)
    if reduction >= LARGE and len(messages) >= MANY:
        return ends.oldest(brief, before)
    if _is_heavy_at_the_end(brief, before, messages):
        return ends.middle(brief, before)
    oldest = ends.oldest(brief, before)
    if _cuts_tools(brief, before, oldest):
        return ends.middle(brief, before)
    return max((oldest, ends.middle(brief, before)), key=lambda layout: score(brief, before, layout))


def score(brief: Brief, before: Layout, after: Layout) -> float:
    """Share of tokens left out, and share of names kept, by the policy's weights.

    Retention is that of entity retention (DESIGN §5): distinct entities of everything before that stand in what stays.
    """
    size, recent = lay(brief, before).tokens, brief.policy.recent
    reduction = 1 - lay(brief, after).tokens / size if size else 0.0
    return recent.reduction_weight * reduction + recent.retention_weight * retention(brief, after)


def retention(brief: Brief, layout: Layout) -> float:
    """Share of the distinct entities of the conversation that stand in groups that stay."""
    lines = brief.book.lines
    staying = {block.id for _, group in _standing(brief, layout) for block in group.blocks}
    kept: set[str] = set()
    for place in lines.places:
        if place.block.id in staying:
            kept.update(place.scan.names)
    return len(kept) / len(lines.entries) if lines.entries else 1.0


def _standing(brief: Brief, layout: Layout) -> Iterator[tuple[int, Group]]:
    return ((position, group) for position, group in enumerate(brief.book.groups) if not layout.folds(position))


def _is_heavy_at_the_end(brief: Brief, before: Layout, messages: list[Node]) -> bool:
    showing = Showing(brief, before)
    sizes = [sum(map(showing.block, node.blocks)) for node in messages]
    return sum(sizes[-NEWEST:]) >= HEAVY * sum(sizes)


def _cuts_tools(brief: Brief, before: Layout, after: Layout) -> bool:
    """Whether system messages or messages of tools are among what newly folds."""
    cut = (
        block
        for position, group in enumerate(brief.book.groups)
        if after.folds(position) and not before.folds(position)
        for block in group.blocks
    )
    return any(block.role is Role.SYSTEM or block.kind in (Kind.CALL, Kind.RESULT) for block in cut)
