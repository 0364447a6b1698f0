"""Replay the sessions of a file with someone who looks at every view: for what a replay's own figures do not tell."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Protocol

import msgspec

from pumice import recordings
from pumice.evaluate.judge import Seen
from pumice.evaluate.replay import Plan, SessionRuns, Tick, no_tick, replay_session
from pumice.recordings.recording import Recording


class Watcher(Protocol):
    """Looks at the calls of one session under one policy."""

    def add(self, seen: Seen) -> None: ...


def follow(
    file: Path, plan: Plan, watcher: Callable[[Recording], Watcher], tick: Tick = no_tick
) -> Iterator[tuple[Recording, SessionRuns]]:
    """Each session of a file with its runs; a run's `track` is the watcher that was made for it.

    Raises BadRecording, UnknownDialect, StoreError.
    """
    found = recordings.open(file, dialect=plan.dialect, last=plan.last)
    total = max(1, sum(len(recording.calls) for recording in found) * len(plan.policies))
    done = count(1)
    for recording in found:
        watched = msgspec.structs.replace(plan, tracker=partial(watcher, recording))
        yield recording, replay_session(recording, watched, recording.stem, lambda: tick(next(done) / total))
