"""What went wrong in SQLite or the file system, said so that a person knows what to do."""

import errno
import sqlite3
from pathlib import Path

from pumice.errors import PumiceError, StoreError

_FREE = "Free space; what was acknowledged is safe."
_CLOSE = "Close what holds it, or try again."
_MOVE = "Check that it exists and this user may write it, or move the store (PUMICE_HOME)."
_BACKUP = "Restore it from a backup, or move it away to begin anew."

_SQLITE = {
    sqlite3.SQLITE_BUSY: ("is locked by another process", _CLOSE),
    sqlite3.SQLITE_LOCKED: ("is locked by another process", _CLOSE),
    sqlite3.SQLITE_READONLY: ("is read-only", _MOVE),
    sqlite3.SQLITE_PERM: ("may not be opened", _MOVE),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened", _MOVE),
    sqlite3.SQLITE_FULL: ("has no room: the disk is full", _FREE),
    sqlite3.SQLITE_IOERR: ("cannot be read or written", f"Check the disk. {_FREE}"),
    sqlite3.SQLITE_CORRUPT: ("is damaged", _BACKUP),
    sqlite3.SQLITE_NOTADB: ("is no pumice database", "Move it away, or point PUMICE_HOME elsewhere."),
}
_OS = {
    errno.ENOSPC: ("has no room: the disk is full", _FREE),
    errno.EDQUOT: ("has no room: the quota is used up", _FREE),
    errno.EFBIG: ("has no room: the file size limit is reached", _FREE),
    errno.EROFS: ("is read-only", _MOVE),
    errno.ENOENT: ("cannot be made there", _MOVE),
    errno.ENOTDIR: ("cannot be made there: a file is in the way", _MOVE),
    errno.EEXIST: ("cannot be made there: a file is in the way", _MOVE),
    errno.EACCES: ("may not be opened", _MOVE),
    errno.EPERM: ("may not be opened", _MOVE),
}


def explain(error: Exception, path: Path) -> Exception:
    """The StoreError that says what happened to the store at `path`; errors of another kind come back as they are."""
    if isinstance(error, PumiceError):
        return error
    if isinstance(error, sqlite3.Error):
        what, hint = _SQLITE.get(_code(error), (f"failed: {error}", ""))
        return StoreError(f"The store {str(path)!r} {what}.", hint=hint)
    if isinstance(error, OSError):
        what, hint = _OS.get(error.errno or 0, (f"failed: {error.strerror or error}", ""))
        return StoreError(f"The store {str(path)!r} {what}.", hint=hint)
    return error


def is_locked(error: sqlite3.Error) -> bool:
    """Whether another process or connection holds what was asked for."""
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _code(error: sqlite3.Error) -> int:
    # The low byte is the primary code; the rest only says where inside SQLite it arose.
    return (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
