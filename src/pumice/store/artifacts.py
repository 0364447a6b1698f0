"""Artifacts as files named by their content, and the names a session gives them."""

import hashlib
import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path

import zstandard

from pumice.domain.event import SessionKey
from pumice.domain.ports import Fault, no_fault
from pumice.errors import StoreError
from pumice.store.database import Database, drop_if_empty, new_session, purge_due, session_id
from pumice.store.failures import explain
from pumice.store.private import make_folder, open_to_write
from pumice.store.promises import check_name, check_unused, not_kept

_HALF_WRITTEN = ".part"


class FileArtifacts:
    """Write-once files `ab/cd/<sha256>.zst` below a folder; see the `Artifacts` protocol.

    Files change only while the database's write lock is held, so no process removes what another is about to name.
    """

    def __init__(self, folder: Path, database: Database, *, fault: Fault = no_fault) -> None:
        self._folder = folder
        self._database = database
        self._fault = fault
        database.soon("unlink", self._finish_forgetting)

    async def put(self, key: SessionKey, name: str, data: bytes) -> str:
        check_name(name)
        digest = hashlib.sha256(data).hexdigest()

        def keep(connection: sqlite3.Connection) -> str:
            session = session_id(connection, key)
            check_unused(key, name, _digest(connection, session, name), digest)
            self._write(digest, data)
            session = new_session(connection, key) if session is None else session
            connection.execute(
                "INSERT INTO artifacts (session, name, sha256, size) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (session, name, digest, len(data)),
            )
            return digest

        return await self._database.write("artifact", keep)

    async def get(self, key: SessionKey, name: str) -> bytes:
        check_name(name)

        def fetch(connection: sqlite3.Connection) -> bytes:
            digest = _digest(connection, session_id(connection, key), name)
            if digest is None:
                raise not_kept(key, name)
            return self._read(digest, name)

        return await self._database.read(fetch)

    async def names(self, key: SessionKey) -> list[str]:
        def listed(connection: sqlite3.Connection) -> list[str]:
            session = session_id(connection, key)
            rows = connection.execute("SELECT name FROM artifacts WHERE session = ? ORDER BY name", (session,)).fetchall()
            return [name for (name,) in rows]

        return await self._database.read(listed)

    async def forget(self, key: SessionKey) -> int:
        """Remove a session's names for good, and the files no other name stands for."""
        removed = await self._database.write("forget", lambda connection: _unname(connection, key))
        await self._database.write("unlink", self._finish_forgetting)
        await self._database.purge()
        return removed

    async def collect(self) -> int:
        """Remove files no name stands for, half-written ones included; returns how many."""

        def sweep(connection: sqlite3.Connection) -> int:
            named = _named(connection)
            files = (path for path in self._folder.glob("??/??/*") if path.name.partition(".")[0] not in named)
            halves = self._folder.glob(f"??/??/*{_HALF_WRITTEN}")
            return self._remove({*files, *halves})

        return await self._database.write("collect", sweep)

    def _finish_forgetting(self, connection: sqlite3.Connection) -> None:
        """Remove the files of forgotten names; also of a forget that was cut short before."""
        leaving = {digest for (digest,) in connection.execute("SELECT sha256 FROM leaving").fetchall()}
        if leaving:
            self._remove(self._path(digest) for digest in leaving - _named(connection))
            connection.execute("DELETE FROM leaving")

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest[2:4] / f"{digest}.zst"

    def _write(self, digest: str, data: bytes) -> None:
        path = self._path(digest)
        if path.exists():
            return
        part = path.with_suffix(_HALF_WRITTEN)
        try:
            make_folder(path.parent)
            self._write_part(part, zstandard.ZstdCompressor(level=3).compress(data))
            self._fault("artifact:before-rename")
            part.replace(path)
            self._settle(path.parent)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise explain(error, self._folder) from error

    def _write_part(self, part: Path, packed: bytes) -> None:
        with os.fdopen(open_to_write(part), "wb") as file:
            file.write(packed)
            if self._database.durability == "full":
                file.flush()
                os.fsync(file.fileno())

    def _settle(self, folder: Path) -> None:
        # A rename survives a loss of power only once its folder is on disk.
        if self._database.durability != "full":
            return
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def _read(self, digest: str, name: str) -> bytes:
        try:
            data = zstandard.ZstdDecompressor().decompress(self._path(digest).read_bytes())
        except (zstandard.ZstdError, FileNotFoundError) as error:
            raise _damaged(name, digest, str(error)) from error
        if hashlib.sha256(data).hexdigest() != digest:
            raise _damaged(name, digest, "its content has another hash")
        return data

    def _remove(self, paths: Iterable[Path]) -> int:
        removed = 0
        for path in paths:
            removed += path.exists()
            path.unlink(missing_ok=True)
        return removed


def _digest(connection: sqlite3.Connection, session: int | None, name: str) -> str | None:
    row = connection.execute("SELECT sha256 FROM artifacts WHERE session = ? AND name = ?", (session, name)).fetchone()
    return row[0] if row else None


def _named(connection: sqlite3.Connection) -> set[str]:
    return {digest for (digest,) in connection.execute("SELECT DISTINCT sha256 FROM artifacts").fetchall()}


def _unname(connection: sqlite3.Connection, key: SessionKey) -> int:
    session = session_id(connection, key)
    if session is None:
        return 0
    connection.execute("INSERT OR IGNORE INTO leaving SELECT sha256 FROM artifacts WHERE session = ?", (session,))
    removed = connection.execute("DELETE FROM artifacts WHERE session = ?", (session,)).rowcount
    drop_if_empty(connection, session)
    purge_due(connection)
    return removed


def _damaged(name: str, digest: str, why: str) -> StoreError:
    return StoreError(f"Artifact {name!r} (sha256 {digest[:12]}…) is damaged: {why}.", hint="Restore the store from a backup.")
