"""Recorded sessions of agent clients on this machine, found by name and size alone: nothing is opened here."""

import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from pumice.faces.clients.known import claude_folder, codex_folder


class Found(msgspec.Struct, frozen=True):
    """A file of a client's sessions."""

    client: str
    path: Path
    size: int
    """Bytes."""
    at: float
    """When it was last written, seconds since 1970."""


def find(environment: Mapping[str, str], home: Path) -> list[Found]:
    """Everything there is, newest first."""
    return sorted(_all(environment, home), key=lambda found: (-found.at, str(found.path)))


def _all(environment: Mapping[str, str], home: Path) -> Iterator[Found]:
    places = {
        "claude-code": (claude_folder(environment, home) / "projects", "**/*.jsonl"),
        "codex": (codex_folder(environment, home) / "sessions", "**/rollout-*.jsonl"),
        "gemini-cli": (home / ".gemini" / "tmp", "*/chats/**/*.json*"),
        "pi": (home / ".pi" / "agent" / "sessions", "**/*.jsonl"),
    }
    for client, (folder, pattern) in places.items():
        for path in folder.glob(pattern):
            found = _looked_at(client, path)
            if found is not None:
                yield found


def _looked_at(client: str, path: Path) -> Found | None:
    """A file as the folder lists it; None for what is no file, empty, or gone meanwhile."""
    try:
        seen = path.stat()
    except OSError:
        return None
    is_session = stat.S_ISREG(seen.st_mode) and seen.st_size > 0
    return Found(client, path, seen.st_size, seen.st_mtime) if is_session else None
