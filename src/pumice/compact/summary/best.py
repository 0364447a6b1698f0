"""The best single lines of what folds, as items: chosen as the digest chooses them (frontier §5.3)."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from pumice.compact import choose, digest, labels
from pumice.compact.labels import Unit
from pumice.compact.ruler import Ruler
from pumice.domain import marks
from pumice.domain.book import Book
from pumice.domain.group import Group
from pumice.domain.policy import Lines
from pumice.domain.summary import SummaryItem

NEVER = 2.0
"""A share of a block no line reaches: here a block comes back in lines only."""


def lines(
    book: Book,
    folded: Sequence[Group],
    section: str,
    ruler: Ruler,
    *,
    policy: Lines,
    room: int,
    staying: Collection[str] = (),
    shown: Mapping[str, str] = {},
) -> list[SummaryItem]:
    """Lines worth their tokens that fit `room`, one item per block under the words of its label, oldest first.

    `shown` holds what stands of a block already, by its id.
    """
    units = [unit for group in folded for unit in labels.units(group, book.uses, staying)]
    costs = ruler.inline([unit.label for unit in units])
    piecewise = msgspec.structs.replace(policy, whole_block_at=NEVER)
    found = choose.choose(book.lines, units, (), costs, ruler, policy=piecewise, room=room, shown=shown, focus=book.focus)
    return [item for unit in units for item in _items(unit, found, section)]


def _items(unit: Unit, found: digest.Selection, section: str) -> Iterator[SummaryItem]:
    shown = unit.blocks[-1]
    for block in unit.blocks:
        if block.id in found.lines:
            text = "\n".join(digest.line_text(block, piece) for piece in digest.in_order(found.lines[block.id]))
            yield SummaryItem(section, text, _about(unit) if block is shown else "", sources=(block.id,), verbatim=True)


def _about(unit: Unit) -> str:
    """What the label says besides the names of blocks."""
    return unit.label.removeprefix(f"{marks.GAP} ").partition(" ")[2].partition(", call ")[0]
