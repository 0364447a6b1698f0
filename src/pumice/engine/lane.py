"""A lane: one branch as one upstream cache sees it, with its epochs and what was last sent."""

from typing import Any

import msgspec

from pumice.compact.breaker import Breaker
from pumice.compact.economics import Pulse
from pumice.compile.assemble import Piece
from pumice.domain.book import Size
from pumice.domain.decision import Cause, Cut, Epoch
from pumice.domain.diet import Diet
from pumice.domain.note import Note
from pumice.domain.redeem import POINTERS, Redeem
from pumice.domain.resident import Resident
from pumice.engine import journal
from pumice.engine.branch import Branch
from pumice.engine.checked import Checked
from pumice.engine.shown import Shown
from pumice.measure.calibration import Calibration
from pumice.wire.dialect import Dialect

_GOES_ON = (Cause.CLIENT_EDIT, Cause.CLIENT_HEAD)
"""Causes of a lane whose beginning is the parent's: notes there stay where they are."""


class Sent(msgspec.Struct, frozen=True):
    """What the lane's newest view was, for the next one to extend."""

    pieces: tuple[Piece, ...] = ()
    epoch: int = -1
    nodes: int = 0
    """How many nodes of the branch it covered."""
    rules: Checked = Checked()
    size: Size = Size(0, 0)
    """Of all pieces, before calibration."""


class Report(msgspec.Struct, frozen=True):
    """The newest call a provider has reported on, for growth between reports."""

    call: journal.CallEvent
    reported: int


class Lane:
    """Mutable: the session moves it on call by call."""

    def __init__(self, name: str, agent: str, dialect: Dialect, model: str, branch: Branch, cause: Cause) -> None:
        self.name = name
        self.agent = agent
        self.dialect = dialect
        self.model = model
        self.branch = branch
        self.cause = cause
        self.epochs: list[Epoch] = [Epoch(0, cause)]
        self.shown = Shown(branch, dialect, None)
        self.calibration = Calibration.start(model)
        self.pulse = Pulse()
        self.breaker = Breaker()
        self.harder: journal.PolicyEvent | None = None
        """The step of a harder policy its epoch began with."""
        self.harder_next: journal.PolicyEvent | None = None
        self.dropped: tuple[str, ...] = ()
        """Why cuts that were planned since the newest call did not prove."""
        self.focus = ""
        """What the last compaction by hand was asked to keep in mind."""
        self.ended = ""
        """Name of a phase that has ended since the last cut was planned."""
        self.sent = Sent()
        self.asked = Checked()
        """The client's own messages, checked where the view breaks a rule."""
        self.pins_version = 0
        """Which hand-made pins the newest cut placed."""
        self.head_key = b""
        self.head_raw = b""
        self.head_size: tuple[Any, Any] | None = None
        """What the newest head was counted by, and its size."""
        self.whole_head: tuple[bytes, Any] | None = None
        """The same of the client's own head, where tools of it wait."""
        self.head_parts: tuple[Any, ...] = ()
        """Parts of the newest head, what pumice adds among them."""
        self.notes: dict[int, list[Note]] = {}
        """Notes in the order they were placed, by epoch."""
        self.coming: Resident | None = None
        """What its next epoch adds to the head."""
        self.before: Resident | None = None
        """What the lane it continues added."""
        self.diet: Diet | None = None
        """How its tools leave, once its first call has decided that."""
        self.redeem: Redeem | None = None
        """How its client fetches what has left the window, once its first call has decided that."""
        self.inherited: Diet | None = None
        """The diet of the lane it continues, where the model is the same."""
        self.references: dict[str, frozenset[str]] = {}
        """Deferred tools that a block of the branch loads, by block."""
        self.searched = 0
        """Nodes of the branch that have been looked through for such blocks."""
        self.calls = 0
        self._answered = 0
        """Nodes of the longest request so far."""
        self.opened_at: float | None = None
        """When its first call was compiled."""
        self.last_at: float | None = None
        self.newest_call = 0
        """Number of the newest call; 0 before the first."""
        self.gap = 0.0
        """Seconds between it and the one before."""
        self.has_hit = False
        """The provider has reported cache reads."""
        self.is_torn = False
        """A call of it went upstream without the engine: reasoning of the conversation may be bound to another prefix."""
        self.head_before: tuple[Any, ...] = ()
        """Parts of the head of the lane it continues, where that is known."""
        self.error_pct: float | None = None
        self._report: Report | None = None

    @property
    def epoch(self) -> Epoch:
        return self.epochs[-1]

    @property
    def cut(self) -> Cut | None:
        return self.epoch.cut

    @property
    def resident(self) -> Resident | None:
        return self.epoch.resident

    def take_resident(self, event: journal.ResidentEvent) -> None:
        """What the head has from now on, or from the next epoch on."""
        self.coming = event.resident
        if event.now:
            epoch = self.epochs[-1] = msgspec.structs.replace(self.epoch, resident=event.resident)
            self.shown = Shown(self.branch, self.dialect, epoch.cut, epoch.resident)
            for note in self.notes.get(epoch.number, ()):
                self.shown.place(note)

    @property
    def how(self) -> Redeem:
        """How what has left the window is fetched; by address where nothing else is known."""
        return self.redeem or POINTERS

    def take_redeem(self, redeem: Redeem) -> None:
        """How the client fetches what has left the window; calls that open its files are known from here on."""
        self.redeem = redeem
        if redeem.folder:
            self.branch.known = msgspec.structs.replace(self.branch.known, folder=redeem.folder)

    def note(self, note: Note) -> None:
        """Show a note until the epoch ends."""
        self.notes.setdefault(self.epoch.number, []).append(note)
        self.shown.place(note)

    def epoch_of(self, number: int) -> Epoch:
        return next(epoch for epoch in self.epochs if epoch.number == number)

    def begin(self, epoch: Epoch, shown: Shown | None = None) -> None:
        """Enter an epoch: everything shown before may change once."""
        if shown is self.shown:
            self.notes[epoch.number] = list(self.notes.get(self.epoch.number, ()))
        self.epochs.append(epoch)
        self.shown = shown or Shown(self.branch, self.dialect, epoch.cut, epoch.resident)

    def inherit(self, parent: "Lane", *, keeps_cut: bool) -> None:
        """Continue another lane: its cut stands as this lane's epoch 0, its pulse and calibration as a start."""
        cut = parent.cut if keeps_cut else None
        # An edit leaves the head as it is: what the provider's cache holds of it is worth keeping.
        resident = parent.resident if self.cause is Cause.CLIENT_EDIT else parent.coming
        self.before, self.coming = parent.resident, parent.coming
        self.epochs = [Epoch(0, self.cause, cut, resident)]
        self.shown = Shown(self.branch, self.dialect, cut, resident)
        for note in parent.notes.get(parent.epoch.number, []) if self.cause in _GOES_ON else ():
            if note.at < len(self.branch.nodes):
                self.note(note)
        self.pulse = parent.pulse if keeps_cut else Pulse(at=parent.pulse.at, cost_usd=parent.pulse.cost_usd)
        self.breaker, self.harder, self.harder_next = parent.breaker, parent.harder, parent.harder_next
        self.opened_at, self.last_at, self.calls = parent.opened_at, parent.last_at, parent.calls
        self.ended, self.has_hit, self.is_torn = parent.ended, parent.has_hit, parent.is_torn
        self.head_before = parent.head_parts
        self._answered = min(parent._answered, len(self.branch.nodes))
        if self.model == parent.model:
            self.calibration, self.error_pct, self.inherited = parent.calibration, parent.error_pct, parent.diet

    def count_call(self, at: float, nodes: int, call: int) -> None:
        """A call of this lane was compiled; one without news is a retry of the one before."""
        self.calls += nodes > self._answered
        self._answered = max(nodes, self._answered)
        self.gap = 0.0 if self.last_at is None else at - self.last_at
        self.last_at, self.newest_call, self.dropped = at, call, ()
        self.opened_at = at if self.opened_at is None else self.opened_at

    def is_repeated(self) -> bool:
        """Whether the request has nothing new over what was sent last: the same view is due."""
        return self.sent.nodes == len(self.branch.nodes) and self.sent.epoch == self.epoch.number

    @property
    def responses(self) -> int:
        """Calls this conversation has had so far, those before its adoption included."""
        return max(self.calls, self.branch.responses)

    def mean_growth(self) -> float:
        """Mean growth of the full history per call, calibrated tokens."""
        return self.branch.counted * self.calibration.factor / max(1, self.responses)

    def unexplained(self) -> int:
        """Tokens the newest reported view of this epoch was billed beyond its count, where no factor can learn them."""
        last = self._report
        if last is None or last.call.epoch != self.epoch.number or not self.calibration.is_exceeded:
            return 0
        return max(0, last.reported - Size(last.call.counted, last.call.fixed).tokens(self.calibration.factor))

    def calibrate(self, call: journal.CallEvent, reported: int) -> None:
        """Move the factor by the growth since the last report on the same prefix (DESIGN §5, counting)."""
        self.error_pct = round(100 * (call.tokens - reported) / reported, 2) if reported else None
        last, self._report = self._report, Report(call, reported)
        if last is None or last.call.epoch != call.epoch:
            return
        growth = call.counted - last.call.counted
        self.calibration = self.calibration.grown(reported - last.reported, growth, fixed=call.fixed - last.call.fixed)
