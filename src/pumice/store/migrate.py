"""Bring a database to the schema of this version: numbered, tiny, append-only migrations."""

import sqlite3
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

from pumice.errors import StoreError


@cache
def shipped() -> dict[str, str]:
    """Name → SQL of the migrations in this package, in order."""
    folder = resources.files("pumice.store") / "migrations"
    files = (entry for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return {entry.name.removesuffix(".sql"): entry.read_text("utf-8") for entry in sorted(files, key=lambda entry: entry.name)}


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Apply what is missing in one transaction; raises StoreError when a newer pumice has written the file."""
    if _applied(connection) == set(shipped()):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        _apply(connection, path)
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _apply(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) WITHOUT ROWID")
    applied = _applied(connection)
    if unknown := sorted(applied - set(shipped())):
        raise StoreError(
            f"The store {str(path)!r} was written by a newer pumice (it has {', '.join(unknown)}).",
            hint="Upgrade pumice, or point PUMICE_HOME elsewhere.",
        )
    for name, sql in shipped().items():
        if name not in applied:
            for statement in _statements(sql):
                connection.execute(statement)
            connection.execute("INSERT INTO migrations (name) VALUES (?)", (name,))


def _applied(connection: sqlite3.Connection) -> set[str]:
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").fetchone()
    return {name for (name,) in connection.execute("SELECT name FROM migrations")} if known else set()


def _statements(sql: str) -> Iterator[str]:
    # `executescript` would commit first, and a migration must be all or nothing.
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
