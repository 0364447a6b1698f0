"""Files and folders only their owner may read."""

import contextlib
import os
import threading
from pathlib import Path


def make_folder(path: Path) -> None:
    """Create a folder and what is missing above it, each mode 0700."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)


def open_to_write(path: Path) -> int:
    """A descriptor of a new or emptied file, mode 0600."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)


def open_new(path: Path) -> int:
    """A descriptor of a file that was not there, mode 0600. Raises FileExistsError."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def create_once(path: Path, data: bytes) -> None:
    """Create a file of mode 0600 with its whole content, unless it exists.

    Of two processes or threads that start together one wins, and neither reads half of it.
    """
    draft = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}")
    try:
        with os.fdopen(open_to_write(draft), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        return
    finally:
        draft.unlink(missing_ok=True)


def touch(path: Path) -> None:
    """Create an empty file of mode 0600 unless it exists.

    One that exists is not opened: closing it would give up every lock this process holds on it, and with SQLite's gone
    another process takes the log away from under a store at work (sqlite.org/howtocorrupt.html §2.2).
    """
    make_folder(path.parent)
    if not path.exists():
        create_once(path, b"")


def keep_private(*paths: Path) -> None:
    """Files of ours that others may read, as after a restore, made 0600; what is missing or another user's stays."""
    for path in paths:
        with contextlib.suppress(FileNotFoundError, PermissionError):
            if path.stat().st_mode & 0o077:
                path.chmod(0o600)
