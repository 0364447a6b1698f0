"""Files and folders only their owner may read."""

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


def create_once(path: Path, data: bytes) -> None:
    """Create a file of mode 0600 with its whole content, unless it exists.

    Of two processes or threads that start together one wins, and neither reads half of it.
    """
    draft = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}")
    with os.fdopen(open_to_write(draft), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    finally:
        draft.unlink()


def touch(path: Path) -> None:
    """Create a file of mode 0600 unless it exists."""
    make_folder(path.parent)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
