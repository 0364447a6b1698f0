"""The full-text index on SQLite: FTS5 says which lines hold a phrase, BM25 over the session's own lines which come first."""

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
import zstandard

from pumice.domain.event import SessionKey
from pumice.domain.ports import Found, Passage
from pumice.measure.phrases import Corpus, Line, best, spelled
from pumice.store.database import Database, drop_if_empty, purge_due, session_id

_SPAN = 1 << 32
"""Rowids of a session: FTS5 skips what lies outside, so a query reads nothing of another session."""
_BATCH = 200_000
"""Characters indexed in one transaction (about 10 ms), so that a call that commits never waits long for the index."""


class _Spelled(msgspec.Struct, frozen=True):
    """A passage ready to be indexed: made outside the transaction."""

    block: str
    hash: str
    lines: tuple[str, ...]


class SqliteSearch:
    """Indexes of all sessions in the ledger's file; see the `Search` protocol."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def index(self, key: SessionKey, passages: Sequence[Passage]) -> None:
        """A session the ledger does not know is not indexed: what was forgotten does not come back."""
        known = await self._database.read(lambda connection: _known(connection, key))
        for batch in _batches([passage for passage in passages if known.get(passage.block) != passage.hash]):
            ready = await asyncio.to_thread(_spell, batch)
            await self._database.write("index", partial(_index, key=key, passages=ready))

    async def query(self, key: SessionKey, phrases: Sequence[str], limit: int, *, every: bool = True) -> Found:
        asked = tuple(phrases)
        return await self._database.read(lambda connection: _query(connection, key, asked, limit, every))

    async def forget(self, key: SessionKey) -> int:
        """Remove a session's index for good: also from merged segments, free pages and the log."""
        removed = await self._database.write("forget", lambda connection: _forget(connection, key))
        if removed:
            await self._database.purge()
        return removed


def _batches(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    batch: list[Passage] = []
    size = 0
    for passage in passages:
        batch.append(passage)
        size += len(passage.text)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _spell(passages: Sequence[Passage]) -> list[_Spelled]:
    return [_Spelled(one.block, one.hash, tuple(map(spelled, one.text.split("\n")))) for one in passages]


def _known(connection: sqlite3.Connection, key: SessionKey) -> dict[str, str]:
    rows = connection.execute("SELECT block, hash FROM search_blocks WHERE session = ?", (session_id(connection, key),))
    return dict(rows.fetchall())


def _index(connection: sqlite3.Connection, key: SessionKey, passages: Sequence[_Spelled]) -> None:
    session = session_id(connection, key)
    if session is None:
        return
    known = _known(connection, key)
    for passage in passages:
        if known.get(passage.block) == passage.hash:
            continue
        if passage.block in known:
            _take_out(connection, "session = ? AND block = ?", (session, passage.block))
        _put_in(connection, session, passage)


def _put_in(connection: sqlite3.Connection, session: int, passage: _Spelled) -> None:
    (end,) = connection.execute("SELECT max(first + lines) FROM search_blocks WHERE session = ?", (session,)).fetchone()
    first = end or session * _SPAN
    rows = ((row, line) for row, line in enumerate(passage.lines, first) if line)
    connection.executemany("INSERT INTO search_lines (rowid, pieces) VALUES (?, ?)", rows)
    size = sum(line.count(" ") + 1 for line in passage.lines if line)
    packed = zstandard.ZstdCompressor(level=3).compress("\n".join(passage.lines).encode())
    connection.execute(
        "INSERT INTO search_blocks (session, first, lines, pieces, block, hash, packed) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (session, first, len(passage.lines), size, passage.block, passage.hash, packed),
    )


def _take_out(connection: sqlite3.Connection, where: str, values: tuple[int | str, ...]) -> int:
    chosen = connection.execute(f"SELECT first, packed FROM search_blocks WHERE {where}", values).fetchall()  # noqa: S608 - ours
    for first, packed in chosen:
        rows = ((row, line) for row, line in enumerate(_lines(packed), first) if line)
        connection.executemany("INSERT INTO search_lines (search_lines, rowid, pieces) VALUES ('delete', ?, ?)", rows)
    connection.execute(f"DELETE FROM search_blocks WHERE {where}", values)  # noqa: S608 - ours
    return len(chosen)


def _lines(packed: bytes) -> list[str]:
    return zstandard.ZstdDecompressor().decompress(packed).decode().split("\n")


def _query(connection: sqlite3.Connection, key: SessionKey, phrases: Sequence[str], limit: int, every: bool) -> Found:
    session = session_id(connection, key)
    if session is None or not phrases:
        return Found((), 0)
    holders = {phrase: _holders(connection, session, phrase) for phrase in phrases}
    rows = set[int].intersection(*holders.values()) if every else set[int]().union(*holders.values())
    lines, pieces = connection.execute(
        "SELECT sum(lines), sum(pieces) FROM search_blocks WHERE session = ?", (session,)
    ).fetchone()
    corpus = Corpus(lines or 0, pieces or 0, {phrase: len(held) for phrase, held in holders.items()})
    ranked = best(_of_rows(connection, session, rows), corpus, limit)
    return Found(tuple((line.block, line.number) for line in ranked), len(rows))


def _holders(connection: sqlite3.Connection, session: int, phrase: str) -> set[int]:
    # Pieces are letters and digits: no phrase can end the quotes.
    rows = connection.execute(
        "SELECT rowid FROM search_lines WHERE search_lines MATCH ? AND rowid BETWEEN ? AND ?",
        (f'"{phrase}"', session * _SPAN, (session + 1) * _SPAN - 1),
    )
    return {row for (row,) in rows.fetchall()}


def _of_rows(connection: sqlite3.Connection, session: int, rows: set[int]) -> Iterator[Line]:
    """The lines of rowids, unpacked block by block."""
    left = sorted(rows, reverse=True)
    blocks = connection.execute(
        "SELECT block, first, lines, packed FROM search_blocks WHERE session = ? ORDER BY first", (session,)
    )
    for block, first, count, packed in blocks:
        if left and left[-1] < first + count:
            lines = _lines(packed)
            while left and left[-1] < first + count:
                at = left.pop() - first
                yield Line(block, at + 1, lines[at])


def _forget(connection: sqlite3.Connection, key: SessionKey) -> int:
    session = session_id(connection, key)
    removed = _take_out(connection, "session = ?", (session,)) if session is not None else 0
    if session is not None and removed:
        # Merges all segments into one: what was taken out is then in none.
        connection.execute("INSERT INTO search_lines (search_lines) VALUES ('optimize')")
        drop_if_empty(connection, session)
        purge_due(connection)
    return removed
