"""Decisions: how a block is shown, sticky per lane and epoch, naming their bytes by hash."""

import hashlib
from enum import StrEnum

import msgspec

from pumice.domain.probe import Probed
from pumice.domain.resident import Resident
from pumice.domain.summary import Ask, Summary


class Outcome(StrEnum):
    KEEP = "keep"
    EXCERPT = "excerpt"
    FOLD = "fold"
    DROP = "drop"
    PLACED = "placed"


class Cause(StrEnum):
    """Why an epoch or a lane began."""

    OPEN = "open"
    CLIENT_HEAD = "client_head"
    CLIENT_EDIT = "client_edit"
    CLIENT_COMPACT = "client_compact"
    MODEL = "model"
    BUDGET = "budget"
    ADVISABLE = "advisable"
    COLD = "cold"
    REQUESTED = "requested"
    PHASE = "phase"
    REVOKED = "revoked"
    FAULT = "fault"


class Decision(msgspec.Struct, frozen=True):
    """The form of one block."""

    block: str
    outcome: Outcome
    level: str = ""
    """The level or stage that decided: first_sight, offload, recent, mechanical, …"""
    reason: str = ""
    text: str | None = None
    """What an excerpt shows in place of the block's text; None shows the block's own bytes."""
    hash: str = ""
    """sha256 hex of `text`."""
    pointer: str = ""


def shown_as(block: str, text: str, *, level: str, reason: str, pointer: str) -> Decision:
    """A text in place of a block's own, named by the hash of its bytes."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Decision(block, Outcome.EXCERPT, level, reason, text, digest, pointer)


class Economics(msgspec.Struct, frozen=True):
    """The figures a cut was decided by, tokens unless named."""

    before: int
    after: int
    growth: float
    """Mean growth per call."""
    calls: int
    fresh_price: float
    read_price: float
    """Prices relative to the input price of the model."""
    break_even_calls: float | None = None
    """Calls after which the cut has paid for itself; 0 on a cold cache, None when it never does."""
    stays: int = 0
    """Tokens the view begins with that the view before began with too: they are not written again."""
    saved: float = 0.0
    """What each later call costs less, in tokens of plain input."""
    lasts: float | None = None
    """Calls it does so for, where the view will have grown into a dearer price tier again by then; None: for good."""
    later: float = 0.0
    """What each call after those costs less."""

    def within(self, calls: float) -> float:
        """What so many calls cost less together, in tokens of plain input."""
        soon = calls if self.lasts is None else min(calls, self.lasts)
        return self.saved * soon + self.later * (calls - soon)

    def calls_for(self, tokens: float) -> float | None:
        """Calls that together cost less by so many tokens of plain input; None where they never do."""
        if self.saved <= 0:
            return None
        if self.lasts is None or tokens <= self.saved * self.lasts:
            return tokens / self.saved
        return self.lasts + (tokens - self.saved * self.lasts) / self.later if self.later > 0 else None


class Step(msgspec.Struct, frozen=True):
    """What one level did in a plan, or making the plan fit after them (`fitted`); sizes in calibrated tokens of messages."""

    level: str
    before: int
    after: int
    left: int = 0
    """Blocks that are folded, dropped or shortened by it once all have run."""
    asked: int = 0
    """Questions to a model it would like answered."""


class Cut(msgspec.Struct, frozen=True):
    """A planned compaction pass: everything an epoch needs, nothing committed yet."""

    cause: Cause
    necessary: bool
    decisions: tuple[Decision, ...]
    """One per block of the path at planning time; later blocks are new and keep their first-sight form."""
    preface: str
    """Text of the epoch's preface, marks included; empty for none."""
    until: int
    """Number of nodes of the path the plan covers."""
    tokens: int
    """Size of the planned view by the counter, messages only."""
    target: int = 0
    """Size it was to come down to."""
    economics: Economics | None = None
    warnings: tuple[str, ...] = ()
    placed: tuple[tuple[str, int, tuple[str, ...]], ...] = ()
    """(part of the preface, tokens, ids of its source blocks) for the manifest."""
    strips_reasoning: bool = False
    """All reasoning of kept groups but the last is left out (prefix-binding models)."""
    steps: tuple[Step, ...] = ()
    """The levels that ran, in order."""
    summary: Summary | None = None
    """What a summary in the preface consists of, for the next pass to build on."""
    asks: tuple[Ask, ...] = ()
    """Questions whose answers would make the next plan better; none is needed for this one."""
    refused: tuple[tuple[str, str], ...] = ()
    """(key of a question, why its answer could not be used)."""
    artifacts: tuple[tuple[str, str], ...] = ()
    """(address, block) of what is to be kept under a name other than the block's own, before the view is sent."""
    probes: tuple[Probed, ...] = ()
    """What the policy's probes have found in the view before and in this one."""


class Epoch(msgspec.Struct, frozen=True):
    """A committed cut, or the state a lane opened with (number 0, no cut)."""

    number: int
    cause: Cause
    cut: Cut | None = None
    resident: Resident | None = None
    """What pumice itself adds to the head as long as it lasts."""
