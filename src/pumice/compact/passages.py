"""Passages: stretches of the session's own blocks, found by the words of a query in any script, best first."""

import math
from collections.abc import Iterator, Sequence

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

    Blocks are ranked by BM25 first, their sizes in characters; the best are cut into passages and ranked again by terms.
    """
    wanted = [term for term in dict.fromkeys(terms(query)) if len(term) >= LEAST or not term.isascii()][:TERMS]
    index, known = Bm25(), dict[str, Passage]()
    for block in _best(blocks, wanted):
        for passage in cut(block):
            low = passage.text.lower()
            if any(map(low.__contains__, wanted)):
                name = f"{block.id} {passage.pieces[0].start}"
                known[name] = passage
                index.add(name, passage.text)
    ranked = [known[name] for name, _ in index.rank(" ".join(wanted), len(known))]
    texts = {passage.text.strip(): passage for passage in reversed(ranked)}
    best = tuple(passage for passage in ranked if texts[passage.text.strip()] is passage)
    return Found(best, len(best))


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


def _best(blocks: Sequence[Block], wanted: Sequence[str]) -> list[Block]:
    """The blocks in which the terms weigh most, in their order."""
    lows = [block.text.lower() for block in blocks]
    mean = sum(map(len, lows)) / max(1, len(lows))
    scores = [0.0] * len(lows)
    for term in wanted:
        holders = [at for at, low in enumerate(lows) if term in low]
        rarity = math.log(1 + (len(lows) - len(holders) + 0.5) / (len(holders) + 0.5))
        for at in holders:
            times = lows[at].count(term)
            scores[at] += rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * len(lows[at]) / mean))
    best = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: (-scores[at], -at))[:BLOCKS]
    return [blocks[at] for at in sorted(best)]
