"""How the running turn of a view begins, where a provider asks that it begins with reasoning (K-A31).

A cut within a turn folds the step the turn began with. What is shown first may be a step without reasoning, or a single
pair of one, and such a view would be refused.
"""

from collections.abc import Iterator

import msgspec

from pumice.compact import decide, exchanges, turns
from pumice.compact.layout import Brief, Layout
from pumice.compact.shrink import shrink
from pumice.domain.block import Block, Kind
from pumice.domain.decision import Outcome
from pumice.domain.group import Group

LEVEL = "opening"
WHY = "the running turn must begin with reasoning"
_ALL = 1 << 40
"""Tokens: more than any group has."""


def opened(brief: Brief, layout: Layout) -> Layout:
    """The layout with a step of the running turn that begins with reasoning in front of it, the smallest there is.

    Of that step stand its reasoning and one call, whose result is cut down to its pointer.
    """
    groups = brief.book.groups
    if not brief.room.opens_with_reasoning or not groups:
        return layout
    begins = turns.running(groups, layout)
    first = next((at for at in range(begins, len(groups)) if _is_shown(groups[at], at, layout)), len(groups))
    gone = decide.left_out(brief.book)
    if first == len(groups) or _opens(groups[first], gone):
        return layout
    found = [(brief.ruler.blocks(pair), at, pair) for at in range(begins, first) for pair in _pairs(groups[at], gone)]
    if not found:
        return layout
    _, at, pair = min(found, key=lambda one: one[:2])
    small = shrink(groups[at], _ALL, brief.ruler, LEVEL)
    forms = {block.id: small[block.id] for block in pair if block.id in small}
    pairs = {**layout.pairs, **{block.id: WHY for block in pair}}
    return msgspec.structs.replace(layout, pairs=pairs, forms={**layout.forms, **forms})


def _is_shown(group: Group, position: int, layout: Layout) -> bool:
    """Whether something of a response is shown."""
    if group.is_user:
        return False
    away = {name for name, form in layout.forms.items() if form.outcome in (Outcome.FOLD, Outcome.DROP)}
    return any((not layout.folds(position) or block.id in layout.pairs) and block.id not in away for block in group.blocks)


def _opens(group: Group, gone: frozenset[str]) -> bool:
    return not group.is_user and group.blocks[0].kind is Kind.REASONING and group.blocks[0].id not in gone


def _pairs(group: Group, gone: frozenset[str]) -> Iterator[tuple[Block, ...]]:
    """A step's reasoning with each of its calls and what came back; nothing of a step that begins otherwise."""
    if _opens(group, gone):
        reasons = tuple(block for block in group.blocks if block.kind is Kind.REASONING)
        yield from ((*reasons, *pair) for pair in exchanges.paired(group))
