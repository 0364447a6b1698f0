"""The workspace as plain files: what has left a window, for clients that read it with a tool of their own.

<home>/workspace/<session>/artifacts/b173    the text of a block, secrets replaced, mode 0600 in folders of mode 0700
"""

import asyncio
import hashlib
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from pumice.domain.event import SessionKey
from pumice.errors import InvalidInput, StoreError
from pumice.store.failures import explain
from pumice.store.private import make_folder, open_new

ARTIFACTS = "artifacts"
_BLOCK = re.compile(r"b\d{1,18}")
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_DIGITS = 12
"""Hex digits of a key's hash that tell sessions of one spelling apart."""


class Folders:
    """See the `Shelf` protocol; without a root of its own there is only what a policy names."""

    def __init__(self, root: Path | None) -> None:
        self._root = root

    def folder(self, key: SessionKey, root: str = "") -> str:
        """Path of a session's folder; empty where there is none, or where a line of text could not hold it."""
        base = Path(root) if root else self._root
        path = str(base.absolute() / _named(key) / ARTIFACTS) if base is not None else ""
        return path if path.isprintable() else ""

    async def write(self, folder: str, texts: Mapping[str, str]) -> None:
        """Write each text once under its block's name. Raises InvalidInput for another name, StoreError."""
        wrong = next((name for name in texts if not _BLOCK.fullmatch(name)), None)
        if wrong is not None:
            raise InvalidInput(f"file name {wrong[:60]!r} given, expected the name of a block such as b173.")
        if texts:
            await asyncio.to_thread(_write, Path(folder), texts)

    def stamp(self, folder: str) -> int:
        """See the `Shelf` protocol: the time of the folder's last change, in nanoseconds."""
        try:
            return Path(folder).stat().st_mtime_ns
        except OSError:
            return 0

    async def forget(self, folder: str) -> int:
        """Remove a session's folder; returns how many files it had."""
        return await asyncio.to_thread(_remove, Path(folder)) if folder else 0


def _named(key: SessionKey) -> str:
    """A folder name of our own making: the session's where that is a plain word of the local tenant, else made of it."""
    is_plain = _SAFE.fullmatch(key.session) and (key.tenant, key.project, key.user) == ("local", "", "")
    if is_plain:
        return key.session
    told = "\x00".join((key.tenant, key.project, key.user, key.session))
    words = re.sub(r"[^A-Za-z0-9]+", "-", key.session).strip("-")[:40]
    return f"{words or 'session'}.{hashlib.sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()[:_DIGITS]}"


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    try:
        if _leads_elsewhere(folder):
            raise StoreError(f"{folder} leads elsewhere: a session's folder may be no link.", hint="Remove the link.")
        make_folder(folder)
        there = {path.name for path in folder.iterdir()}
        for name, text in texts.items():
            data = text.encode("utf-8", "surrogatepass")
            if name not in there or not _holds(folder / name, data):
                _write_one(folder, name, data)
    except OSError as error:
        raise explain(error, folder) from error


def _leads_elsewhere(folder: Path) -> bool:
    return folder.is_symlink() or folder.parent.is_symlink()


def _holds(path: Path, data: bytes) -> bool:
    """Whether a file is there as it should be: one of an older session of the same name is not."""
    is_own = path.is_file() and not path.is_symlink()
    return is_own and path.stat().st_size == len(data) and path.read_bytes() == data


def _write_one(folder: Path, name: str, data: bytes) -> None:
    part = folder / f".{name}.{os.getpid()}"
    try:
        with os.fdopen(_opened(part), "wb") as file:
            file.write(data)
        part.replace(folder / name)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _opened(part: Path) -> int:
    try:
        return open_new(part)
    except FileExistsError:
        part.unlink()  # what a killed process left, or a link somebody put there
        return open_new(part)


def _remove(folder: Path) -> int:
    if not folder.is_dir() or _leads_elsewhere(folder):
        return 0
    count = sum(1 for _ in folder.iterdir())
    shutil.rmtree(folder, ignore_errors=True)
    parent = folder.parent
    if not any(parent.iterdir()):
        parent.rmdir()
    return count
