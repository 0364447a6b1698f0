"""The dump: every view of a replay in a file of its own, so that anyone can judge it with their own tools."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from pumice.errors import StoreError
from pumice.evaluate.judge import Seen


class Record(msgspec.Struct, frozen=True):
    """One file of a dump."""

    call: int
    response_id: str | None
    dialect: str
    body: msgspec.Raw
    manifest: msgspec.Raw | None
    """None where the product compiled nothing."""
    tokens: int
    epoch: int


class Dump:
    """Writes the calls of one policy on one session into a folder. Raises StoreError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _failed(folder, error) from error

    def __call__(self, seen: Seen) -> None:
        """Write a call to `<call, 5 digits>.json`."""
        path = self._folder / f"{seen.call:05}.json"
        manifest = None if seen.manifest is None else msgspec.Raw(msgspec.json.encode(seen.manifest))
        record = Record(seen.call, seen.response_id, seen.dialect, msgspec.Raw(seen.body), manifest, seen.tokens, seen.epoch)
        try:
            path.write_bytes(msgspec.json.encode(record))
        except OSError as error:
            raise _failed(path, error) from error


def _failed(path: Path, error: OSError) -> StoreError:
    return StoreError(f"{path} cannot be written ({error.strerror}).", hint="Name a folder you may write to with --dump.")


def stems(paths: Sequence[Path]) -> list[str]:
    """A name for each file, its stem; equal ones get `-2`, `-3`, …"""
    return distinct([path.stem for path in paths])


def distinct(names: Sequence[str]) -> list[str]:
    """The names, each once: the second of a kind gets `-2`, or the next number that is free."""
    taken: set[str] = set()
    found = []
    for name in names:
        number, free = 1, name
        while free in taken or (number > 1 and free in names):
            number += 1
            free = f"{name}-{number}"
        taken.add(free)
        found.append(free)
    return found
