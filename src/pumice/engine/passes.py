"""Events of compaction passes: cuts begun, made, dropped and taken back, the questions they ask, and what failure leads to."""

import msgspec

from pumice.compact.breaker import Breaker
from pumice.compact.economics import Pulse
from pumice.domain.decision import Cut
from pumice.domain.message import Usage


class CutStart(msgspec.Struct, frozen=True, tag="cut_start"):
    """A cut that must be made or was asked for begins; without a cut after it, it counts as aborted."""

    lane: str
    cause: str
    reason: str = ""
    focus: str = ""


class CutEvent(msgspec.Struct, frozen=True, tag="cut"):
    lane: str
    epoch: int
    cut: Cut
    pulse: Pulse | None = None
    """What the lane remembers of it; None knows its size alone."""
    breaker: Breaker = Breaker()


class CutDropped(msgspec.Struct, frozen=True, tag="cut_dropped"):
    """A planned cut that did not prove, and what the lane's breaker makes of it."""

    lane: str
    reason: str
    breaker: Breaker = Breaker()


class CutDeclined(msgspec.Struct, frozen=True, tag="cut_declined"):
    """A planned cut that would not have paid, and when to ask again."""

    lane: str
    pulse: Pulse


class AnswerEvent(msgspec.Struct, frozen=True, tag="answer"):
    """What a model has answered; plans read it from here, so a stored session never asks again."""

    key: str
    text: str
    purpose: str
    lane: str
    epoch: int
    """Whose cut asked."""
    model: str = ""
    usage: Usage | None = None
    flaw: str = ""
    """Why it may not stand, whatever it says; a reminder says so."""


class AskFailed(msgspec.Struct, frozen=True, tag="ask_failed"):
    """A question without a usable answer: it is not asked again, and counts for the lane's breaker."""

    lane: str
    epoch: int
    """Whose cut asked: of several that fail for one, only the first counts."""
    key: str
    reason: str
    breaker: Breaker = Breaker()
    purpose: str = ""
    """Empty where it has been answered: that event says."""
    model: str = ""
    usage: Usage | None = None
    """Of an answer that is not kept, where nothing else has it on record."""


class ReviewEvent(msgspec.Struct, frozen=True, tag="review"):
    """The breaker has opened, and the policy wants a person to look."""

    lane: str
    reason: str


class RollbackEvent(msgspec.Struct, frozen=True, tag="rollback"):
    lane: str
    to: int
    epoch: int


class PolicyEvent(msgspec.Struct, frozen=True, tag="policy"):
    """From the lane's next epoch on, the session's policy is a step harder."""

    lane: str
    base: str
    """Name of the session's own policy."""
    step: int
    """From 1: which of the policies it names."""
    reason: str
