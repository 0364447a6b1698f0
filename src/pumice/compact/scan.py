"""Read a text once for its entities: each with the last line, or piece of a very long line, that holds it."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from sys import intern

import msgspec

from pumice.measure import entities
from pumice.measure.entities import Entity

PIECE_CHARS = 400
"""A very long line is kept in pieces that show half of this on either side of an entity (frontier §1, line recall)."""
PLACE = "place"
"""Kind of a number that stands for a line of a file."""
LONG_LINE = 600
"""Characters from which a line is cut into pieces (entities.md)."""


class Piece(msgspec.Struct, frozen=True, gc=False, order=True):
    """A line of a text, or a part of a very long one; the unit that is kept or left out."""

    line: int
    """From 1."""
    start: int
    end: int
    """Characters of the text."""


class Pieces:
    """Pieces in order, held as bare numbers: a long session has tens of thousands of them."""

    __slots__ = ("_numbers",)

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self._numbers = array("l", [number for piece in pieces for number in (piece.line, piece.start, piece.end)])

    def __getitem__(self, at: int) -> Piece:
        numbers, first = self._numbers, 3 * at
        return Piece(numbers[first], numbers[first + 1], numbers[first + 2])

    def __len__(self) -> int:
        return len(self._numbers) // 3

    def __iter__(self) -> Iterator[Piece]:
        return (self[at] for at in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pieces) and self._numbers == other._numbers

    __hash__ = None  # type: ignore[assignment]


class Scan(msgspec.Struct, frozen=True):
    """A function of the text alone, so it may be cached by the text's hash."""

    pieces: Pieces
    """Those that are the newest place, within the text, of at least one entity; in order."""
    names: dict[str, tuple[int, str]]
    """Entity → (index of its last piece, kind)."""


def scan(text: str) -> Scan:
    """The entities of a text with their last places; a piece that is no entity's last is worth nothing (frontier §5.3)."""
    pieces: list[Piece] = []
    names: dict[str, tuple[int, str]] = {}
    for piece, found in _pieces(text):
        before: Entity | None = None
        for entity in found:
            names[entity.text] = (len(pieces), PLACE if _is_place(text, before, entity) else entity.kind)
            before = entity
        pieces.append(piece)
    used = sorted({piece for piece, _ in names.values()})
    moved = {old: new for new, old in enumerate(used)}
    return Scan(
        Pieces(pieces[old] for old in used), {intern(name): _spot(moved[piece], kind) for name, (piece, kind) in names.items()}
    )


@lru_cache(maxsize=4096)
def _spot(piece: int, kind: str) -> tuple[int, str]:
    """One object for all entities of the same place and kind."""
    return piece, kind


def _is_place(text: str, before: Entity | None, entity: Entity) -> bool:
    """Whether a number says where in a file something stands, as in `src/app.py:120`: worth as much as the path itself."""
    follows = before is not None and before.kind in ("path", "dotted") and before.end == entity.start - 1
    return follows and entity.kind == "number" and text[entity.start - 1] == ":"


def _pieces(text: str) -> Iterator[tuple[Piece, Sequence[Entity]]]:
    """Every line with entities, or its pieces, each with the entities it is for."""
    line, begin, end = 1, 0, _line_end(text, 0)
    held: list[Entity] = []
    for entity in entities.find(text):
        if entity.start > end:
            if held:
                yield from _cut(text, Piece(line, begin, end), held)
                held = []
            line += text.count("\n", begin, entity.start)
            begin = text.rfind("\n", 0, entity.start) + 1
            end = _line_end(text, entity.start)
        held.append(entity)
    if held:
        yield from _cut(text, Piece(line, begin, end), held)


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _cut(text: str, line: Piece, found: list[Entity]) -> Iterator[tuple[Piece, Sequence[Entity]]]:
    """A line as it is, a long one in pieces around its entities."""
    if line.end - line.start <= LONG_LINE:
        yield line, found
        return
    first = 0
    for at in range(1, len(found) + 1):
        if at == len(found) or found[at].end - found[first].start > LONG_LINE - PIECE_CHARS:
            yield _around(text, line, found[first].start, found[at - 1].end), found[first:at]
            first = at


def _around(text: str, line: Piece, start: int, end: int) -> Piece:
    """What stands around a part of a line, no word or number cut in two."""
    low, high = max(line.start, start - PIECE_CHARS // 2), min(line.end, end + PIECE_CHARS // 2)
    while low > line.start and low > start - PIECE_CHARS and in_word(text[low - 1]):
        low -= 1
    while high < line.end and high < end + PIECE_CHARS and in_word(text[high]):
        high += 1
    return Piece(line.line, low, high)


def in_word(char: str) -> bool:
    """Whether a cut beside this character may part a word or a number."""
    return char.isascii() and (char.isalnum() or char == "_")
