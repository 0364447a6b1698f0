"""Phrases: what a query asks of a line, and which of the lines that hold it answer best."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from pumice.measure.terms import K1, B, pieces, scripts

_WORDS = re.compile(r'"([^"]+)"|(\S+)')


class Query(msgspec.Struct, frozen=True):
    """Pieces in a row, a space between them; a line holds a phrase when it has them in that order side by side."""

    every: tuple[str, ...]
    """One phrase for each word, one for words in double quotes; all must stand in a line. Empty when pieces cannot tell."""
    some: tuple[str, ...]
    """The same with runs of CJK letters, which hold more than one word, in pieces: any of them may do."""


class Line(msgspec.Struct, frozen=True):
    """A line of a block as its pieces, a space between them."""

    block: str
    number: int
    """From 1."""
    pieces: str


class Corpus(msgspec.Struct, frozen=True):
    """What a line is measured against."""

    lines: int
    pieces: int
    holders: Mapping[str, int]
    """Phrase → number of lines that hold it."""


def read(query: str) -> Query:
    """The phrases of a query: `"push to main" src/app.py:173` has two.

    A single CJK letter stands in pieces with its neighbours: no phrase tells where it stands, and `every` is empty.
    """
    every, some = [], []
    for quoted, word in _WORDS.findall(query):
        every.append(spelled(quoted or word))
        some += [every[-1]] if quoted else _apart(word)
    is_vague = any(is_cjk and len(run) == 1 for run, is_cjk in scripts(query))
    return Query(() if is_vague else _distinct(every), _distinct(some))


def _apart(word: str) -> list[str]:
    return [phrase for run, is_cjk in scripts(word) for phrase in (pieces(run) if is_cjk else [spelled(run)])]


def _distinct(phrases: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, phrases)))


def spelled(text: str) -> str:
    """A text as its pieces."""
    return " ".join(pieces(text))


def is_in(phrase: str, line: str) -> bool:
    """Whether a line, spelled in pieces, holds a phrase."""
    return f" {phrase} " in f" {line} "


def best(lines: Iterable[Line], corpus: Corpus, limit: int) -> list[Line]:
    """The lines that answer a query best by BM25 over its phrases; of equal ones those of the newest block, in order.

    Block names count up: of two the longer, or the later in the alphabet, is newer.
    """
    average = corpus.pieces / corpus.lines if corpus.lines else 1.0
    rarity = [(_spaced(phrase), _rarity(holders, corpus.lines)) for phrase, holders in corpus.holders.items()]
    scored = [(_score(_spaced(line.pieces), rarity, average), line) for line in lines]
    scored.sort(key=lambda found: found[1].number)
    scored.sort(key=lambda found: (found[0], len(found[1].block), found[1].block), reverse=True)
    return [line for _, line in scored[:limit]]


def _rarity(holders: int, lines: int) -> float:
    return math.log(1 + (lines - holders + 0.5) / (holders + 0.5))


def _spaced(pieces: str) -> str:
    """Pieces with two spaces between them, so that a phrase that follows itself is counted twice."""
    return f" {pieces.replace(' ', '  ')} "


def _score(line: str, rarity: Sequence[tuple[str, float]], average: float) -> float:
    least = K1 * (1 - B + B * (line.count("  ") + 1) / average)
    score = 0.0
    for phrase, weight in rarity:
        times = line.count(phrase)
        if times:
            score += weight * times * (K1 + 1) / (times + least)
    return score
