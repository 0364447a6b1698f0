"""The SQLite file of a store: one connection that writes, one that reads, in a thread each."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal, TypeVar

from pumice.domain.event import SessionKey
from pumice.domain.ports import Fault, no_fault
from pumice.errors import StoreError
from pumice.store.failures import explain, is_locked
from pumice.store.migrate import migrate
from pumice.store.private import keep_private, touch
from pumice.store.writer import Writer

T = TypeVar("T")
Durability = Literal["process", "full"]
"""What a commit survives: the death of the process, or a loss of power too."""


class Database:
    """An opened store file; everything in it is async and runs off the event loop."""

    def __init__(self, path: Path, *, durability: Durability = "process", busy: float = 5.0, fault: Fault = no_fault) -> None:
        """Create or open the file; `busy` is how long to wait for another process, in seconds.

        Raises StoreError when it cannot be opened or was written by a newer pumice.
        """
        self.path = path
        self.durability = durability
        self._busy = busy
        try:
            # SQLite gives its log the permissions of the file it belongs to.
            touch(path)
            with contextlib.ExitStack() as opened:
                writing = opened.enter_context(contextlib.closing(self._connect()))
                migrate(writing, path)
                keep_private(path, *(path.with_name(f"{path.name}-{log}") for log in ("wal", "shm")))
                _finish_purge(writing)
                self._reading = self._connect()
                opened.pop_all()
        except (sqlite3.Error, OSError) as error:
            raise explain(error, path) from error
        self._writer = Writer(writing, path, fault=fault)
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="pumice-reader")

    async def write(self, name: str, run: Callable[[sqlite3.Connection], T]) -> T:
        """Commit a change, together with whatever else is waiting; see `Job` for what `run` may do."""
        return await asyncio.wrap_future(self._writer.submit(name, run))

    async def read(self, run: Callable[[sqlite3.Connection], T]) -> T:
        """Answer a question from what is committed; never waits for a writer."""
        try:
            return await asyncio.wrap_future(self._reader.submit(run, self._reading))
        except (sqlite3.Error, OSError) as error:
            raise explain(error, self.path) from error
        except RuntimeError as error:
            raise StoreError(f"The store {str(self.path)!r} is closed.", hint="Open it again.") from error

    def soon(self, name: str, run: Callable[[sqlite3.Connection], object]) -> None:
        """Commit a change nobody waits for: housekeeping that the next open does again if it fails."""
        self._writer.submit(name, run)

    async def purge(self) -> None:
        """Make sure nothing deleted is left in the file or its log; raises StoreError when another process holds it back."""
        await asyncio.wrap_future(self._writer.submit("purge", self._purge, alone=True))

    async def close(self) -> None:
        """Finish what is queued and close both connections; a second call does nothing."""
        await asyncio.to_thread(self._close)

    def _connect(self) -> sqlite3.Connection:
        with contextlib.ExitStack() as opened:
            connection = sqlite3.connect(self.path, timeout=self._busy, isolation_level=None, check_same_thread=False)
            opened.enter_context(contextlib.closing(connection))
            self._configure(connection)
            opened.pop_all()
        return connection

    def _configure(self, connection: sqlite3.Connection) -> None:
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise StoreError(
                f"The store {str(self.path)!r} cannot keep a write-ahead log (mode {mode!r}).",
                hint="Put it on a local disk (PUMICE_HOME).",
            )
        # NORMAL leaves a commit to the operating system, which outlives the process; FULL waits for the disk.
        connection.execute(f"PRAGMA synchronous = {'FULL' if self.durability == 'full' else 'NORMAL'}")
        # Deleted cells are overwritten with zeros; `purge` does the rest.
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA foreign_keys = ON")
        # Sorting and VACUUM must not spill a session's text outside the store's folder.
        connection.execute("PRAGMA temp_store = MEMORY")

    def _purge(self, connection: sqlite3.Connection) -> None:
        if not _purge(connection, wait=self._busy):
            raise StoreError(
                f"What was forgotten is deleted, but its bytes may still stand in the log of {str(self.path)!r}: "
                "another process is reading it.",
                hint="Close the other process and forget again.",
            )

    def _close(self) -> None:
        self._writer.close()
        self._reader.shutdown()
        self._reading.close()


def session_id(connection: sqlite3.Connection, key: SessionKey) -> int | None:
    """The row of a session, or None when nothing is kept of it."""
    row = connection.execute(
        "SELECT id FROM sessions WHERE tenant = ? AND project = ? AND user = ? AND name = ?",
        (key.tenant, key.project, key.user, key.session),
    ).fetchone()
    return row[0] if row else None


def new_session(connection: sqlite3.Connection, key: SessionKey) -> int:
    """Make the row of a session that has none."""
    made = connection.execute(
        "INSERT INTO sessions (tenant, project, user, name) VALUES (?, ?, ?, ?) RETURNING id",
        (key.tenant, key.project, key.user, key.session),
    ).fetchone()
    return int(made[0])


def drop_if_empty(connection: sqlite3.Connection, session: int) -> None:
    """Remove a session's row once neither events nor artifacts nor an index nor accounts stand behind it."""
    connection.execute(
        "DELETE FROM sessions WHERE id = ?1 AND last_seq = 0 AND NOT EXISTS (SELECT 1 FROM artifacts WHERE session = ?1)"
        " AND NOT EXISTS (SELECT 1 FROM search_blocks WHERE session = ?1)"
        " AND NOT EXISTS (SELECT 1 FROM accounts WHERE session = ?1)",
        (session,),
    )


def purge_due(connection: sqlite3.Connection) -> None:
    """Note, in the transaction that deletes, that bytes are still to be wiped; a killed purge is finished by the next open."""
    connection.execute("PRAGMA user_version = 1")


def _finish_purge(connection: sqlite3.Connection) -> None:
    (due,) = connection.execute("PRAGMA user_version").fetchone()
    if not due:
        return
    try:
        _purge(connection, wait=0)
    except sqlite3.OperationalError as error:
        # Another process is at work; the note stays, and opening must not fail for housekeeping.
        if not is_locked(error):
            raise


def _purge(connection: sqlite3.Connection, *, wait: float) -> bool:
    """Wipe what is deleted from file and log, waiting at most so many seconds for readers of other processes."""
    (before,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {int(wait * 1000)}")
    try:
        # A page that was once split may hold a stale copy in its gap, which zeros do not reach: every page is written anew.
        connection.execute("VACUUM")
        (held, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not held:
            connection.execute("PRAGMA user_version = 0")
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(before)}")
    return not held
