"""What could be read of a session before each cut and can after: probes asked of recorded sessions under policies (F-D6)."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from pumice import wire
from pumice.compact import probes
from pumice.compact.probes import Known, ProbeSet, Sight
from pumice.domain import marks
from pumice.domain.decision import Cause, Epoch
from pumice.domain.probe import Probed
from pumice.engine.branch import Arrival, Branch
from pumice.evaluate.follow import follow
from pumice.evaluate.judge import Seen
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


class SessionProbes(msgspec.Struct, frozen=True):
    """One session's cuts, under each policy."""

    file: str
    format: str
    calls: int
    policies: dict[str, tuple[CutProbes, ...]]


def measure(file: Path, plan: Plan, sets: Sequence[ProbeSet], tick: Tick = no_tick) -> list[SessionProbes]:
    """Every cut of every session of a file under the plan's policies, held against the probes of some sets.

    Before: the view before, and what came since. Probes that a model answers are left out. Raises BadRecording,
    UnknownDialect, StoreError.
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
        self._recording = recording
        self._sets = sets
        self._dialect = wire.get(recording.dialect)
        self._reader = Reader(self._dialect, recording.model)
        self._upto = {call.number: call.upto for call in recording.calls}
        self._branch = Branch("probed")
        self._epochs: set[tuple[str, int]] = set()
        self._before: View | None = None

    def add(self, seen: Seen) -> None:
        """Take a view in."""
        fresh = self._learn(seen)
        view, before = self._reader.read(seen.body), self._before
        epoch = (seen.lane, seen.epoch)
        if before is not None and seen.epoch > 0 and epoch not in self._epochs:
            self.cuts.append(self._cut(seen, before, fresh, view))
        self._epochs.add(epoch)
        self._before = view

    def _learn(self, seen: Seen) -> list[str]:
        """Take in what came since the view before; returns its texts. Blocks are called what the manifest calls them."""
        held = len(self._branch.nodes)
        raws = self._recording.messages[held : self._upto[seen.call]]
        names = [row.id for row in block_rows(seen.manifest)] if seen.manifest is not None else []
        names = names[sum(len(node.blocks) for node in self._branch.nodes) :]
        arrivals: list[Arrival] = []
        for raw in raws:
            message = self._dialect.read_message(raw)
            own, names = names[: len(message.blocks)], names[len(message.blocks) :]
            arrivals.append(Arrival(message, raw, ids=tuple(own) if len(own) == len(message.blocks) else ()))
        self._branch.append(arrivals)
        return [block.text for node in self._branch.nodes[held:] for block in node.blocks]

    def _cut(self, seen: Seen, before: View, fresh: Sequence[str], after: View) -> CutProbes:
        book = self._branch.book(Epoch(0, Cause.OPEN))
        known = Known(book.state, book.groups, book.uses)
        names = [block.id for block in known.blocks]
        old = Sight.of("\n".join((before.text, *fresh)), _ours(before), names)
        new = Sight.of(after.text, _ours(after), names)
        asked = probes.questions(self._sets, known)
        share = Share(*probes.continuation(asked, new))
        return CutProbes(seen.call, seen.epoch, seen.cause, share, probes.compare(asked, old, new))


def _ours(view: View) -> Iterator[str]:
    """Texts that hold marks of ours."""
    return (block.text for shown in view.messages for block in shown.message.blocks if marks.OPEN in block.text)
