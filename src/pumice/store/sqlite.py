"""The ledger on SQLite."""

import sqlite3
from collections.abc import Callable, Sequence

import zstandard

from pumice.domain.event import Event, SessionInfo, SessionKey
from pumice.errors import StoreError
from pumice.store.database import Database, drop_if_empty, new_session, purge_due, session_id
from pumice.store.promises import check_tip

_PACK_ABOVE = 1024
"""Bytes from which compressing an event pays."""
_Pack = Callable[[bytes], bytes]


class SqliteLedger:
    """Events of all sessions in one file; see the `Ledger` protocol."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pack = zstandard.ZstdCompressor(level=3).compress  # only the thread that writes calls it

    async def load(self, key: SessionKey, after: int = 0) -> list[Event]:
        return await self._database.read(lambda connection: _load(connection, key, after))

    async def append(self, key: SessionKey, events: Sequence[Event], *, tips: dict[str, int]) -> int:
        kept, seen = tuple(events), dict(tips)
        return await self._database.write("append", lambda connection: _append(connection, key, kept, seen, self._pack))

    async def sessions(self, tenant: str) -> list[SessionInfo]:
        return await self._database.read(lambda connection: _sessions(connection, tenant))

    async def forget(self, key: SessionKey) -> int:
        """Remove a session's events for good: also from free pages and the log."""
        removed = await self._database.write("forget", lambda connection: _forget(connection, key))
        await self._database.purge()
        return removed

    async def close(self) -> None:
        await self._database.close()


def _load(connection: sqlite3.Connection, key: SessionKey, after: int) -> list[Event]:
    rows = connection.execute(
        "SELECT kind, data, branch, at, seq, packed FROM events"
        " WHERE session = (SELECT id FROM sessions WHERE tenant = ? AND project = ? AND user = ? AND name = ?)"
        " AND seq > ? ORDER BY seq",
        (key.tenant, key.project, key.user, key.session, after),
    ).fetchall()
    unpack = zstandard.ZstdDecompressor().decompress
    try:
        return [Event(kind, unpack(data) if packed else data, *rest) for kind, data, *rest, packed in rows]
    except zstandard.ZstdError as error:
        raise StoreError(
            f"An event of session {key.session!r} is damaged: {error}.", hint="Restore the store from a backup."
        ) from error


def _append(
    connection: sqlite3.Connection,
    key: SessionKey,
    events: Sequence[Event],
    tips: dict[str, int],
    pack: _Pack,
) -> int:
    session = session_id(connection, key)
    last = _last_seq(connection, session)
    _check_tips(connection, session, key, tips)
    if not events:
        return last
    if session is None:
        session = new_session(connection, key)
    rows = [_row(session, seq, event, pack) for seq, event in enumerate(events, last + 1)]
    connection.executemany(
        "INSERT INTO events (session, seq, branch, kind, at, packed, data) VALUES (?, ?, ?, ?, ?, ?, ?)", rows
    )
    newest = {branch: seq for _, seq, branch, *_ in rows}
    connection.executemany(
        "INSERT INTO tips (session, branch, seq) VALUES (?, ?, ?)"
        " ON CONFLICT (session, branch) DO UPDATE SET seq = excluded.seq",
        [(session, branch, seq) for branch, seq in newest.items()],
    )
    connection.execute(
        "UPDATE sessions SET last_seq = ?2, first_at = CASE last_seq WHEN 0 THEN ?3 ELSE first_at END,"
        " last_at = ?4, bytes = bytes + ?5 WHERE id = ?1",
        (session, last + len(events), events[0].at, events[-1].at, sum(len(event.data) for event in events)),
    )
    return last + len(events)


def _row(session: int, seq: int, event: Event, pack: _Pack) -> tuple[int, int, str, str, float, bool, bytes]:
    packed = len(event.data) >= _PACK_ABOVE
    return session, seq, event.branch, event.kind, event.at, packed, pack(event.data) if packed else event.data


def _last_seq(connection: sqlite3.Connection, session: int | None) -> int:
    row = connection.execute("SELECT last_seq FROM sessions WHERE id = ?", (session,)).fetchone()
    return row[0] if row else 0


def _check_tips(connection: sqlite3.Connection, session: int | None, key: SessionKey, tips: dict[str, int]) -> None:
    for branch, seen in tips.items():
        row = connection.execute("SELECT seq FROM tips WHERE session = ? AND branch = ?", (session, branch)).fetchone()
        check_tip(key, branch, seen, row[0] if row else 0)


def _sessions(connection: sqlite3.Connection, tenant: str) -> list[SessionInfo]:
    rows = connection.execute(
        "SELECT name, project, user, last_seq, first_at, last_at, bytes FROM sessions"
        " WHERE tenant = ? AND last_seq > 0 ORDER BY last_at DESC, name, project, user",
        (tenant,),
    ).fetchall()
    return [SessionInfo(SessionKey(tenant, name, project, user), *numbers) for name, project, user, *numbers in rows]


def _forget(connection: sqlite3.Connection, key: SessionKey) -> int:
    session = session_id(connection, key)
    if session is None:
        return 0
    removed = connection.execute("DELETE FROM events WHERE session = ?", (session,)).rowcount
    connection.execute("DELETE FROM tips WHERE session = ?", (session,))
    connection.execute("UPDATE sessions SET last_seq = 0, first_at = 0, last_at = 0, bytes = 0 WHERE id = ?", (session,))
    drop_if_empty(connection, session)
    purge_due(connection)
    return removed
