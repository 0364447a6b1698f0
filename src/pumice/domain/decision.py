"""Decisions: how a block is shown, sticky per lane and epoch, naming their bytes by hash."""

from enum import StrEnum

import msgspec


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
    """Calls after which the cut has paid for itself."""


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
    economics: Economics | None = None
    warnings: tuple[str, ...] = ()
    placed: tuple[tuple[str, int, tuple[str, ...]], ...] = ()
    """(part of the preface, tokens, ids of its source blocks) for the manifest."""
    strips_reasoning: bool = False
    """All reasoning of kept groups but the last is left out (prefix-binding models)."""


class Epoch(msgspec.Struct, frozen=True):
    """A committed cut, or the state a lane opened with (number 0, no cut)."""

    number: int
    cause: Cause
    cut: Cut | None = None
