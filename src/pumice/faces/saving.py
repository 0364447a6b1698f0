"""Save a file of the user's: whole or not at all, and known to be possible before long work begins."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pumice.errors import StoreError


def prepare(path: Path) -> None:
    """Find out before long work, not after it, that its file could not be written. Raises StoreError."""
    with saving(path) as half:
        half.touch()
        half.unlink()


def write(path: Path, text: str) -> None:
    """Write a text file. Raises StoreError."""
    with saving(path) as half:
        half.write_text(text, "utf-8")
        half.replace(path)


@contextmanager
def saving(path: Path) -> Iterator[Path]:
    """The file that becomes the one at a path once it is whole; the folder is made. Raises StoreError."""
    half = path.with_name(path.name + ".part")
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        path.parent.mkdir(parents=True, exist_ok=True)
        yield half
    except OSError as error:
        with suppress(OSError):
            half.unlink()
        reason = error.strerror or str(error)
        raise StoreError(f"{path}: cannot be written ({reason}).", hint="Name a file in a folder you may write to.") from error
