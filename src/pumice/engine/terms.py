"""On what terms a call is compiled: how much the engine may do, and what was sent without it."""

from enum import StrEnum

import msgspec

from pumice.domain.edits import Edit


class Rung(StrEnum):
    """How a call is compiled, safest last (DESIGN §7)."""

    WHOLE = "whole"
    HELD = "held"
    """What was decided stays decided; what is new goes as it came. Nothing is cut, excerpted or added."""
    FLOOR = "floor"
    """A cut to the floor, made without a plan."""
    LEAST = "least"
    """The same, also where even that is over the budget."""


class Terms(msgspec.Struct, frozen=True):
    """What a face knows of a call besides its body."""

    rung: Rung = Rung.WHOLE
    sent: int = 0
    """So many of the request's first messages the upstream has seen in a call the engine had no part in."""
    is_torn: bool = False
    """What it saw there did not go on from the lane's last view: an epoch begins, and reasoning may be bound elsewhere."""
    answers: bool = False
    """Calls of the read-back tool are answered before the client sees them (`offload.read_back.mode: tool`)."""
    is_here: bool | None = None
    """Whether the client runs on this machine; None where nobody knows."""
    edits: tuple[Edit, ...] = ()
    """What the client asks a provider to clear of its history, done here in place of one that would not."""


USUAL = Terms()
