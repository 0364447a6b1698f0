"""The manifest of a call: one row per candidate, sent or not."""

from typing import Any

import msgspec

from pumice.domain.probe import Probed


class Row(msgspec.Struct, frozen=True):
    id: str
    partition: str
    zone: str
    source: str
    scope: str
    version: str
    trust: str
    authority: str
    permission_basis: str
    outcome: str
    level: str
    reason: str
    tokens: int
    counted: str
    transform: str
    content_hash: str
    sources: tuple[str, ...] = ()
    pointer: str = ""


class Share(msgspec.Struct, frozen=True):
    """What a partition takes of a call, in tokens."""

    partition: str
    tokens: int
    share: int
    """Of usable, by the policy."""
    borrows: int
    """What it takes beyond that."""


class Usable(msgspec.Struct, frozen=True):
    """Usable window = window − output reserve − safety margin (F-A2), in tokens."""

    window: int
    reserve_output: int
    safety: int
    source: str
    """Where the window came from: argument, policy, model table, default, provider error."""
    warnings: tuple[str, ...] = ()
    input_limit: int | None = None
    """Tokens the model takes as input at most, where that is less than window − output reserve."""

    @property
    def tokens(self) -> int:
        room = self.window - self.reserve_output
        return (room if self.input_limit is None else min(room, self.input_limit)) - self.safety


class Manifest(msgspec.Struct, frozen=True):
    call: int
    lane: str
    epoch: int
    cause: str
    policy: str
    usable: Usable
    factor: float
    repairs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    redactions: int = 0
    economics: Any = None
    shares: tuple[Share, ...] = ()
    rows: tuple[Row, ...] = ()
    probes: tuple[Probed, ...] = ()
    """What the policy's probes found at the cut this epoch began with."""
