"""Choose lines: by value per token, until the price of a token or the room stops them (frontier §5.3 to §5.5)."""

from array import array
from collections.abc import Collection, Mapping, Sequence

from pumice.compact.digest import Selection, line_text
from pumice.compact.labels import Unit
from pumice.compact.lines import UNCOUNTED, LineIndex, Place
from pumice.compact.ruler import Ruler
from pumice.compact.scan import Piece
from pumice.compact.values import line_values
from pumice.domain import marks
from pumice.domain.block import Block
from pumice.domain.policy import Lines

PRICED_AT = 1.25
"""Tokens per o200k token in which the price of a line was measured (frontier §1). What a line costs and what its read-back
costs grow alike with a model's own tokens, so the price must not."""


Candidate = tuple[float, int, int, int]
"""A piece that may come back, as it sorts: less its value per token, less the position of its block in the index, the piece,
and its tokens. Bare numbers, since a long session has thousands at every plan."""


def labels_within(units: Sequence[Unit], costs: Sequence[int], room: float) -> set[int]:
    """Positions of the units whose label fits, newest first; of several reads of one file only the newest has one."""
    labelled: set[int] = set()
    seen: set[str] = set()
    for at in range(len(units) - 1, -1, -1):
        subject = units[at].subject
        if subject in seen or costs[at] > room:
            continue
        if subject:
            seen.add(subject)
        labelled.add(at)
        room -= costs[at]
    return labelled


def candidates(
    index: LineIndex, hidden: Sequence[bool], ruler: Ruler, policy: Lines, focus: Collection[str]
) -> list[Candidate]:
    """Every piece worth its tokens, best first; ties go to the newer block, then to the earlier line."""
    values = line_values(index, hidden, focus)
    costs = _counted(index, values, ruler)
    found: list[Candidate] = []
    for place, worth in values.items():
        known = costs[place]
        for piece, value in worth.items():
            density = value / (known[piece] * PRICED_AT + policy.overhead)
            if density >= policy.price:
                found.append((-density, -place, piece, round(known[piece] * ruler.factor)))
    found.sort()
    return found


def choose(
    index: LineIndex,
    units: Sequence[Unit],
    labelled: Collection[int],
    costs: Sequence[int],
    ruler: Ruler,
    *,
    policy: Lines,
    room: int,
    shown: Mapping[str, str] = {},
    focus: Collection[str] = frozenset(),
) -> Selection:
    """The lines that fit `room` besides the `labelled`; a line of a unit without a label pays for that too.

    `shown` holds what of a unit's block stands in view already, by block id: its excerpt.
    """
    unit_of = {block.id: at for at, unit in enumerate(units) for block in unit.blocks if marks.is_clean(block.text)}
    hidden = [place.block.id in unit_of for place in index.places]
    speaking = set(labelled)
    lines: dict[str, list[Piece]] = {}
    spent: dict[str, int] = {}
    for _, at, number, tokens in candidates(index, hidden, ruler, policy, focus):
        if tokens > room:
            continue
        place = index.places[-at]
        name = place.block.id
        cost = tokens + (0 if unit_of[name] in speaking else costs[unit_of[name]])
        if cost > room:
            continue
        piece = place.scan.pieces[number]
        if name in shown and _stands(place.block, piece, shown):
            continue
        room -= cost
        speaking.add(unit_of[name])
        lines.setdefault(name, []).append(piece)
        spent[name] = spent.get(name, 0) + tokens
    whole = _whole(units, spent, ruler, policy, room)
    return Selection(frozenset(labelled), {name: found for name, found in lines.items() if name not in whole}, whole)


def _stands(block: Block, piece: Piece, shown: Mapping[str, str]) -> bool:
    return block.text[piece.start : piece.end].strip() in shown[block.id]


def _whole(units: Sequence[Unit], spent: Mapping[str, int], ruler: Ruler, policy: Lines, room: int) -> frozenset[str]:
    """Blocks that come back entirely: nearly all of them would, the rest fits, and no line of them reads like one of ours."""
    whole: set[str] = set()
    for block in (block for unit in units for block in unit.blocks if block.id in spent):
        rest = ruler.full(block) - spent[block.id]
        if rest <= (1 - policy.whole_block_at) * ruler.full(block) and rest <= room and marks.is_plain(block.text):
            room -= max(0, rest)
            whole.add(block.id)
    return frozenset(whole)


def _counted(index: LineIndex, wanted: Mapping[int, Collection[int]], ruler: Ruler) -> dict[int, "array[int]"]:
    """What pieces cost, by place; those that have never been counted are counted in one batch."""
    known = {place: index.costs_of(index.places[place]) for place in wanted}
    missing = [(place, piece) for place, pieces in wanted.items() for piece in pieces if known[place][piece] == UNCOUNTED]
    counts = ruler.count_many([_shown(index.places[place], piece) for place, piece in missing])
    for (place, piece), counted in zip(missing, counts, strict=True):
        known[place][piece] = counted
    return known


def _shown(place: Place, piece: int) -> str:
    return line_text(place.block, place.scan.pieces[piece]) + "\n"
