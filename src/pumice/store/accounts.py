"""The accounts of calls on SQLite."""

import sqlite3
from collections.abc import Iterable
from typing import Any

import msgspec

from pumice.domain.account import Account
from pumice.domain.event import SessionKey
from pumice.store.database import Database, drop_if_empty, new_session, purge_due, session_id

_COLUMNS = tuple(name for name in Account.__struct_fields__ if name != "key")
_NAMED = ", ".join(f'accounts."{name}"' for name in _COLUMNS)
_INSERT = (
    f"INSERT INTO accounts (session, {', '.join(f'{chr(34)}{name}{chr(34)}' for name in _COLUMNS)})"  # noqa: S608 - names of ours
    f" VALUES (?{', ?' * len(_COLUMNS)})"
)


class SqliteAccounts:
    """Rows of all sessions in the ledger's file; see the `Accounts` protocol."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, row: Account) -> None:
        await self._database.write("account", lambda connection: _add(connection, row))

    async def of_session(self, key: SessionKey) -> list[Account]:
        return await self._database.read(lambda connection: _of_session(connection, key))

    async def since(self, tenant: str, at: float = 0.0) -> list[Account]:
        return await self._database.read(lambda connection: _since(connection, tenant, at))

    async def forget(self, key: SessionKey) -> int:
        """Remove a session's rows for good: also from free pages and the log."""
        removed = await self._database.write("forget", lambda connection: _forget(connection, key))
        if removed:
            await self._database.purge()
        return removed


def _add(connection: sqlite3.Connection, row: Account) -> None:
    session = session_id(connection, row.key)
    if session is None:
        session = new_session(connection, row.key)
    connection.execute(_INSERT, (session, *(getattr(row, name) for name in _COLUMNS)))


def _of_session(connection: sqlite3.Connection, key: SessionKey) -> list[Account]:
    rows = connection.execute(
        f"SELECT {_NAMED} FROM accounts WHERE session = ? ORDER BY at, rowid",  # noqa: S608 - names of ours
        (session_id(connection, key),),
    )
    return [_read(key, row) for row in rows]


def _since(connection: sqlite3.Connection, tenant: str, at: float) -> list[Account]:
    rows: Iterable[Any] = connection.execute(
        f"SELECT name, project, user, {_NAMED} FROM accounts JOIN sessions ON sessions.id = accounts.session"  # noqa: S608 - ours
        " WHERE tenant = ? AND at >= ? ORDER BY at, accounts.rowid",
        (tenant, at),
    )
    return [_read(SessionKey(tenant, name, project, user), row) for name, project, user, *row in rows]


def _read(key: SessionKey, row: Iterable[Any]) -> Account:
    # SQLite knows no truth values.
    return msgspec.convert({"key": key, **dict(zip(_COLUMNS, row, strict=True))}, Account, strict=False)


def _forget(connection: sqlite3.Connection, key: SessionKey) -> int:
    session = session_id(connection, key)
    if session is None:
        return 0
    removed = connection.execute("DELETE FROM accounts WHERE session = ?", (session,)).rowcount
    drop_if_empty(connection, session)
    if removed:
        purge_due(connection)
    return removed
