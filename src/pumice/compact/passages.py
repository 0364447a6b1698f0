"""Passages: stretches of the session's own blocks, found by the words of a query in any script, best first."""

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pumice.compact.scan import LONG_LINE, PIECE_CHARS, Piece, in_word
from pumice.domain.block import Block
from pumice.measure.terms import K1, B, Bm25, terms

LINES, CHARS = 8, 500
"""A passage ends with its eighth line, or the one that makes it longer than this."""
TERMS = 80
"""First terms of a query that are looked for."""
BLOCKS = 30
"""Best blocks that are read passage by passage."""
READ = 80
"""Best passages that are read term by term."""
LEAST = 2
"""Characters of a term, but for those of scripts without spaces."""


class Passage(msgspec.Struct, frozen=True):
    block: Block
    pieces: tuple[Piece, ...]
    """Its lines, parts of very long ones by themselves."""

    @property
    def text(self) -> str:
        return self.block.text[self.pieces[0].start : self.pieces[-1].end]


class Found(msgspec.Struct, frozen=True):
    best: tuple[Passage, ...]
    total: int
    """Passages that hold a word of the query."""


def find(blocks: Sequence[Block], query: str) -> Found:
    """The passages of some blocks that answer a query, best first, each text once; `blocks` are oldest first.

    Told quickly first, by which rare words of the query a block and then a passage holds; the best are ranked by BM25.
    """
    wanted = [term for term in dict.fromkeys(terms(query)) if len(term) >= LEAST or not term.isascii()][:TERMS]
    lows = [block.text.lower() for block in blocks]
    worth = {term: _rarity(sum(term in low for low in lows), len(lows)) for term in wanted}
    holding = [(_worth(one.text, worth), one) for at in _best(lows, worth) for one in cut(blocks[at])]
    holding = [(value, one) for value, one in holding if value > 0]
    read = sorted(range(len(holding)), key=lambda at: (-holding[at][0], -at))[:READ]
    index, known = Bm25(), {str(at): holding[at][1] for at in sorted(read)}
    for name, passage in known.items():
        index.add(name, passage.text)
    ranked = [known[name] for name, _ in index.rank(" ".join(wanted), READ)]
    texts = {passage.text.strip(): passage for passage in reversed(ranked)}
    return Found(tuple(one for one in ranked if texts[one.text.strip()] is one), len({one.text.strip() for _, one in holding}))


def cut(block: Block) -> Iterator[Passage]:
    """A block as passages, in order; lines of white space belong to none."""
    held: list[Piece] = []
    for piece in _pieces(block.text):
        held.append(piece)
        if len(held) == LINES or piece.end - held[0].start > CHARS:
            yield Passage(block, tuple(held))
            held = []
    if held:
        yield Passage(block, tuple(held))


def _pieces(text: str) -> Iterator[Piece]:
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONG_LINE:
            yield from (Piece(number, start + at, start + end) for at, end in _parts(line))
        elif line.strip():
            yield Piece(number, start, start + len(line))
        start += len(line) + 1


def _parts(line: str) -> Iterator[tuple[int, int]]:
    """A very long line in parts, no word or number cut in two but for endless ones."""
    at = 0
    while at < len(line):
        end = min(at + PIECE_CHARS, len(line))
        while end < min(at + LONG_LINE, len(line)) and in_word(line[end - 1]) and in_word(line[end]):
            end += 1
        yield at, end
        at = end


def _rarity(holders: int, total: int) -> float:
    return math.log(1 + (total - holders + 0.5) / (holders + 0.5))


def _worth(text: str, worth: Mapping[str, float]) -> float:
    low = text.lower()
    return sum(rarity for term, rarity in worth.items() if term in low)


def _best(lows: Sequence[str], worth: Mapping[str, float]) -> list[int]:
    """Positions of the blocks in which the terms weigh most, in order; BM25, sizes in characters."""
    mean = sum(map(len, lows)) / max(1, len(lows))
    scores = [0.0] * len(lows)
    for term, rarity in worth.items():
        for at, low in enumerate(lows):
            if times := low.count(term):
                scores[at] += rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * len(low) / mean))
    return sorted(sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: (-scores[at], -at))[:BLOCKS])
