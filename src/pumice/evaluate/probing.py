"""What could be read of a session before each cut and can after: probes asked of recorded sessions under policies (F-D6)."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from pumice import wire
from pumice.compact import probes
from pumice.compact.probes import ProbeSet, Sight
from pumice.domain.probe import Probed
from pumice.evaluate.follow import follow
from pumice.evaluate.judge import Seen
from pumice.evaluate.known import Knowledge
from pumice.evaluate.metrics.continuation import ours
from pumice.evaluate.metrics.validity import block_rows
from pumice.evaluate.replay import Plan, Tick, no_tick
from pumice.evaluate.share import Share
from pumice.evaluate.view import Reader, View
from pumice.recordings.recording import Recording


class CutProbes(msgspec.Struct, frozen=True):
    """What the probes found at one cut."""

    call: int
    """The first call that shows it."""
    epoch: int
    cause: str
    continuation: Share
    """Questions its view answers in full."""
    probes: tuple[Probed, ...]

    @property
    def lost(self) -> int:
        return sum(len(one.lost) for one in self.probes)

    @property
    def has_failed(self) -> bool:
        return any(one.has_failed for one in self.probes)


class SessionProbes(msgspec.Struct, frozen=True):
    """One session's cuts, under each policy."""

    file: str
    format: str
    calls: int
    policies: dict[str, tuple[CutProbes, ...]]


def measure(file: Path, plan: Plan, sets: Sequence[ProbeSet], tick: Tick = no_tick) -> list[SessionProbes]:
    """Every cut of every session of a file under the plan's policies, held against the probes of some sets.

    Before: the view before, and what came since. Probes that a model answers are left out. Raises BadRecording,
    CannotFit, UnknownDialect, StoreError.
    """
    return [
        SessionProbes(
            file=recording.file,
            format=recording.format,
            calls=runs.calls,
            policies={name: tuple(one.track.cuts) for name, one in runs.policies.items()},
        )
        for recording, runs in follow(file, plan, partial(Watch, sets=sets), tick)
    ]


class Watch:
    """Follows one policy through one session."""

    def __init__(self, recording: Recording, *, sets: Sequence[ProbeSet]) -> None:
        self.cuts: list[CutProbes] = []
        self._sets = sets
        self._reader = Reader(wire.get(recording.dialect), recording.model)
        self._upto = {call.number: call.upto for call in recording.calls}
        self._knowledge = Knowledge(recording)
        self._epochs: set[tuple[str, int]] = set()
        self._before: View | None = None

    def add(self, seen: Seen) -> None:
        """Take a view in. Raises CannotFit when not even the first fits: nothing could be cut, and nothing asked."""
        if seen.problem is not None and self._before is None:
            raise seen.problem
        fresh = self._learn(seen)
        view, before = self._reader.read(seen.body), self._before
        epoch = (seen.lane, seen.epoch)
        if before is not None and seen.epoch > 0 and epoch not in self._epochs:
            self.cuts.append(self._cut(seen, before, fresh, view))
        self._epochs.add(epoch)
        self._before = view

    def _learn(self, seen: Seen) -> list[str]:
        """Take in what came since the view before; returns its texts. Blocks are called what the manifest calls them."""
        names = [row.id for row in block_rows(seen.manifest)] if seen.manifest is not None else []
        return self._knowledge.learn(self._upto[seen.call], names)

    def _cut(self, seen: Seen, before: View, fresh: Sequence[str], after: View) -> CutProbes:
        known = self._knowledge.known
        names = [block.id for block in known.blocks]
        old = Sight.of("\n".join((before.text, *fresh)), ours(before), names)
        new = Sight.of(after.text, ours(after), names)
        asked = probes.questions(self._sets, known)
        share = Share(*probes.continuation(asked, new))
        return CutProbes(seen.call, seen.epoch, seen.cause, share, probes.compare(asked, old, new))
