"""What prose lays down: rows of decision tables and cards, word for word, those of a person before those of a model."""

from collections.abc import Iterable, Sequence

import msgspec

from pumice.commit import cards, tables
from pumice.compact.ruler import Ruler
from pumice.compact.section import Section
from pumice.domain import marks
from pumice.domain.block import Block, Kind, Origin

RULES, FACTS = "rules of the user", "named by the user"
TOLD_RULES, TOLD_FACTS = "rules stated by the assistant, advisory", "named by the assistant, advisory"
PARTS = (RULES, FACTS, TOLD_RULES, TOLD_FACTS)
"""The most binding first. What a tool printed lays nothing down."""


class Piece(msgspec.Struct, frozen=True):
    part: str
    block: str
    text: str
    key: str
    """What it is about: a later piece of the same part and key takes its place."""


def find(blocks: Iterable[Block], standing: str) -> list[Piece]:
    """The pieces of some texts, oldest first, but for those whose words stand in view anyway; of each key the newest."""
    found: dict[tuple[str, str], Piece] = {}
    for block in blocks:
        for piece in _of(block):
            if piece.text not in standing and marks.is_plain(piece.text):
                found.pop((piece.part, piece.key), None)
                found[piece.part, piece.key] = piece
    return list(found.values())


def section(pieces: Sequence[Piece], more: str, room: int, ruler: Ruler) -> Section:
    """The pieces that fit `room` tokens, the most binding and then the newest first, and a line that says where more is."""
    chosen: list[Piece] = []
    room -= sum(ruler.inline([more] if more else []))
    for part in PARTS:
        room -= _fill(chosen, [piece for piece in pieces if piece.part == part], room, ruler)
    lines: list[str] = []
    for part in PARTS:
        shown = [piece for piece in pieces if piece.part == part and piece in chosen]
        lines += [marks.gap(part), *(_lines(piece) for piece in shown)] if shown else []
    text = "\n".join((*lines, more) if more else lines)
    return Section("rules", text, tuple(dict.fromkeys(piece.block for piece in chosen)))


def is_told(block: Block) -> bool:
    """Whether a block is narrative: what a person or a model said."""
    return block.kind is Kind.TEXT and block.origin in (Origin.PERSON, Origin.MODEL) and bool(block.text.strip())


def _of(block: Block) -> list[Piece]:
    is_persons = block.origin is Origin.PERSON
    rules, facts = (RULES, FACTS) if is_persons else (TOLD_RULES, TOLD_FACTS)
    rows = [Piece(rules, block.id, row.text, row.text) for row in tables.find(block.text)]
    return rows + [Piece(facts, block.id, card.text, card.name.lower()) for card in cards.find(block.text)]


def _fill(chosen: list[Piece], pieces: Sequence[Piece], room: int, ruler: Ruler) -> int:
    """Add the newest pieces of a part that fit; returns what they cost, their title with the first."""
    costs = ruler.inline([_lines(piece) for piece in pieces])
    title = sum(ruler.inline([marks.gap(piece.part) for piece in pieces[:1]]))
    spent = 0
    for piece, cost in zip(reversed(pieces), reversed(costs), strict=True):
        cost += 0 if spent else title
        if spent + cost > room:
            break
        spent += cost
        chosen.append(piece)
    return spent


def _lines(piece: Piece) -> str:
    return f"{marks.gap(piece.block)}\n{piece.text}"
