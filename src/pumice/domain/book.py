"""The Book: what the pure core needs in one hand, each part kept up by its own module."""

from collections.abc import Mapping
from typing import Any

import msgspec

from pumice.domain.decision import Decision, Epoch
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group
from pumice.domain.pointer import Section
from pumice.domain.redeem import POINTERS, Redeem
from pumice.domain.state import TaskState

BLOCK_OVERHEAD = 8
"""Tokens every block costs besides its text (DESIGN §5, counting)."""


class Size(msgspec.Struct, frozen=True):
    """A block's size before calibration."""

    text: int
    """o200k tokens of its text."""
    fixed: int = BLOCK_OVERHEAD
    """Tokens no factor applies to: the overhead, media by formula."""

    def tokens(self, factor: float) -> int:
        return round(self.text * factor) + self.fixed


class MediaLimits(msgspec.Struct, frozen=True):
    """What a provider takes of images and documents in one request, besides their tokens."""

    count: int
    """Images and pages of documents together."""
    side: int
    """Pixels of an image's longer side."""
    many: int
    """Images above which the smaller side below holds for each."""
    side_of_many: int
    base64: int
    """Bytes of one medium as base64."""
    body: int
    """Bytes of the whole request."""


class Tier(msgspec.Struct, frozen=True):
    """What input costs once a request is above a size, as multiples of the model's plain input price."""

    above: int
    """Tokens of the complete request."""
    fresh: float
    read: float


class Room(msgspec.Struct, frozen=True):
    """What a plan has to fit into and what tokens cost; all sizes in calibrated tokens."""

    window: int
    usable: int
    head: int
    """Size of system, tools and overhead: comes off `usable`."""
    factor: float
    """Calibrated tokens per o200k token."""
    fresh_price: float = 1.25
    read_price: float = 0.1
    """Relative to the model's input price."""
    tiers: tuple[Tier, ...] = ()
    """Dearer prices of larger requests, lowest limit first."""
    growth: float = 1000.0
    """Mean growth of the full history per call."""
    calls: int = 0
    binds_reasoning: bool = False
    """The model signs reasoning over its prefix (K-A35)."""
    opens_with_reasoning: bool = False
    """A turn that results continue must begin with reasoning (K-A31)."""
    view: int = 0
    """Size of the view as it stands, messages only."""
    is_cold: bool = False
    """The cache holds nothing of it: all of the next request is written, whatever it is."""
    reached: int = 0
    """Size the lane's last cut was to come down to, or has come down to if that is more; 0 before the first."""
    input_limit: int | None = None
    """Tokens the model takes as input at most, where that is less than what the window leaves."""
    media: MediaLimits | None = None
    """None where no limit is known, or nothing is held to one."""


class Book(msgspec.Struct, frozen=True):
    groups: tuple[Group, ...]
    """The branch, oldest first, without system messages in front: they are the head."""
    uses: Mapping[str, ToolUse]
    """By id of the call block and by id of its result block."""
    sizes: Mapping[str, Size]
    """By block id, of the block's own full form."""
    lines: Any
    """The line index (`compact.lines.LineIndex`): entity → newest line, uses."""
    state: TaskState
    forms: Mapping[str, Decision]
    """First-sight forms by block id; a block without one stands in its own bytes."""
    epoch: Epoch
    """The lane's current epoch; its cut's decisions hold for the nodes it covers."""
    before: tuple[Group, ...] = ()
    """Groups the client has replaced by its own summary: a person's words in them still stand."""
    answers: Mapping[str, str] = {}
    """What models have answered in this session, by the key of the question."""
    flaws: Mapping[str, str] = {}
    """Of them, those that may not stand whatever they say, and why."""
    live: str = ""
    """Identity of the view as it stands, at whose end a model may be asked (K-E8); empty: none may."""
    has_model: bool = True
    """Whether there is a model to ask where the policy names none."""
    review: bool = False
    """A person is asked to look at the session: making room has failed too often."""
    addresses: Mapping[str, str] = {}
    """Addresses of the session that are taken, other than blocks' own: address → block; empty where it is not known."""
    focus: frozenset[str] = frozenset()
    """Entities a compaction by hand was asked to keep in mind."""
    redeem: Redeem = POINTERS
    """How the client fetches what has left the view."""
    reread: tuple[Section, ...] = ()
    """Sections that were read back so often that they stay in view, oldest first (F-E3)."""
    children: Mapping[str, tuple[str, str]] = {}
    """First and last block of the lanes of other agents of the session, by the agent's name."""
