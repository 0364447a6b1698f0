"""The recordings of agent clients on this machine, for `pumice replay --mine`: told, asked for, and only then opened."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pumice.errors import InvalidInput, PumiceError
from pumice.faces.cli import progress, recorded
from pumice.faces.clients import recordings
from pumice.faces.clients.recordings import Found
from pumice.recordings.files import open_recording

WHERE = "~/.claude/projects, ~/.codex/sessions, ~/.gemini/tmp and ~/.pi/agent/sessions"
MOST_BYTES = 200_000_000
"""Of recordings replayed at once: about ten minutes' work."""
MOST_REASONS = 5
Asked = Callable[[str], bool]


def chosen(most: int, *, is_agreed: bool, ask: Asked | None = None) -> list[Path]:
    """The newest readable recordings, at most so many; raises InvalidInput where there are none or nobody agrees.

    Until somebody does, no file is opened.
    """
    found = recordings.find(os.environ, Path.home())
    if not found:
        raise InvalidInput(f"no recorded sessions were found in {WHERE}.", hint="Name files instead.")
    for line in _listed(found):
        _say(line)
    newest = _bounded(found, most)
    if not is_agreed:
        _agree(newest, ask or _asked)
    readable = list(_readable(newest))
    if not readable:
        raise InvalidInput(f"none of the {len(newest)} newest sessions can be replayed.")
    return readable


def _bounded(found: Sequence[Found], most: int) -> list[Found]:
    """The newest, as many as are asked for and their sizes allow; one at least."""
    taken: list[Found] = []
    size = 0
    for one in found[:most]:
        size += one.size
        if taken and size > MOST_BYTES:
            break
        taken.append(one)
    return taken


def _listed(found: Sequence[Found]) -> Iterator[str]:
    for client in dict.fromkeys(sorted(one.client for one in found)):
        sizes = [one.size for one in found if one.client == client]
        yield f"{client:<12} {len(sizes):>6,} sessions {_size(sum(sizes)):>10}"


def _agree(newest: Sequence[Found], ask: Asked) -> None:
    size = _size(sum(one.size for one in newest))
    question = f"Read and replay the newest {len(newest)} of them ({size})? Nothing leaves this machine. [y/N] "
    if not ask(question):
        raise InvalidInput("nothing was read.", hint="Agree with y, or with --yes.")


def _asked(question: str) -> bool:
    """The answer of whoever sits there; nobody is no."""
    if not sys.stdin.isatty():
        return False
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _readable(newest: Sequence[Found]) -> Iterator[Path]:
    """Files that hold a session pumice reads; the others are named with the reason."""
    reasons: list[str] = []
    with progress.bar() as show:
        weights = recorded.Weights([one.path for one in newest], show)
        for one in newest:
            reason = _unreadable(one)
            if reason:
                reasons.append(f"{one.client}: {reason}")
            else:
                yield one.path
            weights.tick(one.path, 1.0)
    for reason in reasons[:MOST_REASONS]:
        _say(f"left out, {reason}")
    if len(reasons) > MOST_REASONS:
        _say(f"left out, {len(reasons) - MOST_REASONS} more")


def _unreadable(one: Found) -> str:
    """Why a file cannot be replayed; empty where it can."""
    try:
        is_session = any(recording.calls for recording in open_recording(one.path))
    except PumiceError as error:
        return str(error)
    return "" if is_session else f"{one.path}: holds no model call"


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 100_000 else f"{count / 1e3:,.1f} kB"


def _say(line: str) -> None:
    """Beside the figures, which go to standard output."""
    sys.stderr.write(f"{line}\n")
