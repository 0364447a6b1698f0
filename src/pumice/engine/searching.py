"""Search what left the window: lines of the session that hold a query."""

import re
from collections.abc import Iterable, Mapping
from typing import Self

import msgspec

from pumice.compact import numbering
from pumice.domain.block import Block
from pumice.domain.event import SessionKey
from pumice.domain.pointer import artifact
from pumice.domain.ports import Found, Passage, Search
from pumice.engine.matching import matched
from pumice.engine.readback import MAX_CHARS
from pumice.errors import InvalidInput
from pumice.measure import phrases

_SHOWN = 400
"""Characters of a line that a hit shows."""
_BEFORE = 80
"""Of them before the first word it was found by, where the line is longer."""
BEST, NEWEST = "best first (BM25)", "newest first"


class Hit(msgspec.Struct, frozen=True):
    """A line that matches a search."""

    pointer: str
    line: int
    """As `read_range` counts: by the number a client printed before it, where a file was read from its middle."""
    text: str
    """The line as it stands, of a long one 400 characters around what was found."""


class Hits(list[Hit]):
    """What a search shows, and how much more there is."""

    total: int = 0
    """Lines in all."""
    holding: str = ""
    """What they hold: `every word`, `the query letter for letter`, `any of the words` or `the pattern`."""
    order: str = ""

    @classmethod
    def of(cls, hits: Iterable[Hit], total: int, holding: str, order: str) -> Self:
        made = cls(hits)
        made.total, made.holding, made.order = total, holding, order
        return made

    @property
    def note(self) -> str:
        """How many of how many are shown, in which order, and how to see more."""
        if not self.total:
            return f"no line holds {self.holding}"
        shown = f"{len(self)} of {self.total} lines that hold {self.holding}, {self.order}"
        return f"{shown}; ask for more with limit={self.total}" if len(self) < self.total else shown


class Finder:
    """Searches one session. The index is filled by the first search and brought up by each later one, never by a call."""

    def __init__(self, search: Search, key: SessionKey) -> None:
        self._search = search
        self._key = key
        self._indexed: dict[str, str] = {}

    async def find(self, blocks: Mapping[str, Block], query: str, limit: int) -> Hits:
        """Lines with every word or quoted phrase of a query; where there is none, with the query letter for letter; where
        there is none of these either, with any of the words."""
        _check(query, limit)
        await self._fill(blocks)
        asked = phrases.read(query)
        if asked.every:
            found = await self._search.query(self._key, asked.every, limit)
            if found.total:
                return _shown(blocks, found, "every word", asked.every)
        literal = scan(blocks.values(), query, limit)
        if literal or not asked.some or asked.some == asked.every[:1]:
            return literal
        found = await self._search.query(self._key, asked.some, limit, every=False)
        return _shown(blocks, found, "any of the words", asked.some)

    async def _fill(self, blocks: Mapping[str, Block]) -> None:
        fresh = {block.id: block for block in blocks.values() if block.text and self._indexed.get(block.id) != block.hash}
        if fresh:
            await self._search.index(self._key, [Passage(block.id, block.hash, block.text) for block in fresh.values()])
            self._indexed.update((name, block.hash) for name, block in fresh.items())


def scan(blocks: Iterable[Block], query: str, limit: int) -> Hits:
    """Lines that hold a text in any case, newest block first; blocks come oldest first."""
    _check(query, limit)
    pattern = re.compile(re.escape(query), re.IGNORECASE)
    hits: list[Hit] = []
    total = 0
    for block in reversed(list(blocks)):
        for number, line in enumerate(block.text.split("\n"), 1):
            found = pattern.search(line[:MAX_CHARS])
            if found:
                total += 1
                if len(hits) < limit:
                    hits.append(_hit(block, number, line, found.start()))
    return Hits.of(hits, total, "the query letter for letter", NEWEST)


async def match(blocks: Iterable[Block], pattern: str, limit: int) -> Hits:
    """Lines that match a regular expression, in the same order. Raises InvalidInput for one that is none, or takes too long."""
    _check(pattern, limit)
    newest = list(blocks)[::-1]
    total, found = await matched(pattern, [block.text for block in newest], longest=MAX_CHARS, most=limit)
    lines = [(newest[at], number, start) for at, number, start in found]
    hits = [_hit(one, number, one.text.split("\n")[number - 1], start) for one, number, start in lines]
    return Hits.of(hits, total, "the pattern", NEWEST)


def _check(query: str, limit: int) -> None:
    if not query or limit < 1:
        raise InvalidInput(f"query {query!r}, limit {limit}: expected a text to look for and a limit from 1.")


def _shown(blocks: Mapping[str, Block], found: Found, holding: str, asked: Iterable[str]) -> Hits:
    words = re.compile("|".join(re.escape(phrase.partition(" ")[0]) for phrase in asked), re.IGNORECASE)
    hits = []
    for name, number in found.places:
        # Another process may have indexed what this one has not read yet.
        for line in blocks[name].text.split("\n")[number - 1 : number] if name in blocks else ():
            first = words.search(line)
            hits.append(_hit(blocks[name], number, line, first.start() if first else 0))
    return Hits.of(hits, found.total, holding, BEST)


def _hit(block: Block, place: int, line: str, at: int) -> Hit:
    return Hit(artifact(block.id), place + numbering.ahead(block.text), _around(line, at))


def _around(line: str, at: int) -> str:
    """The line, or of a long one what stands around a place in it."""
    start = max(0, min(at - _BEFORE, len(line) - _SHOWN))
    return line[start : start + _SHOWN]
