"""A lane: one branch as one upstream cache sees it, with its epochs and what was last sent."""

from typing import Any

import msgspec

from pumice.compact.breaker import Breaker
from pumice.compact.economics import Pulse
from pumice.compile.assemble import Piece
from pumice.domain.decision import Cause, Cut, Epoch
from pumice.engine.branch import Branch
from pumice.engine.shown import Shown
from pumice.measure.calibration import Calibration
from pumice.wire.dialect import Dialect


class Sent(msgspec.Struct, frozen=True):
    """What the lane's newest view was, for the next one to extend."""

    pieces: tuple[Piece, ...] = ()
    head_key: bytes = b""
    epoch: int = -1
    rules: tuple[Any, ...] = ()
    """State of the rule automaton after each piece."""


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
        self.calibration = Calibration.start(model)
        self.pulse = Pulse()
        self.breaker = Breaker()
        self.sent = Sent()
        self.head_key = b""
        self.calls = 0
        self.last_at = 0.0
        self.history = 0
        """Size of the full history at the newest call, calibrated tokens: the base of growth per call."""
        self.growth: list[int] = []
        self.shown = Shown(branch, dialect, None)

    @property
    def epoch(self) -> Epoch:
        return self.epochs[-1]

    @property
    def cut(self) -> Cut | None:
        return self.epoch.cut

    def begin(self, epoch: Epoch, shown: Shown | None = None) -> None:
        """Enter an epoch: everything shown before may change once."""
        self.epochs.append(epoch)
        self.shown = shown or Shown(self.branch, self.dialect, epoch.cut)

    def inherit(self, parent: "Lane") -> None:
        """Continue another lane: its cut stands as this lane's epoch 0, its pulse and calibration as a start."""
        self.epochs = [Epoch(0, self.cause, parent.cut)]
        self.shown = Shown(self.branch, self.dialect, parent.cut)
        self.pulse, self.growth, self.last_at, self.calls = parent.pulse, parent.growth, parent.last_at, parent.calls
        if self.model == parent.model:
            self.calibration = parent.calibration
