"""What a level is asked and what it answers."""

from collections.abc import Mapping
from typing import Protocol

import msgspec

from pumice.compact.ruler import Ruler
from pumice.compact.section import Section
from pumice.domain.book import Book, Room
from pumice.domain.decision import Decision
from pumice.domain.policy import Policy


class Brief(msgspec.Struct, frozen=True):
    """What a level works with; sizes in calibrated tokens of messages, the head left out."""

    book: Book
    policy: Policy
    ruler: Ruler
    room: Room
    target: int
    """What the cut should go down to."""
    limit: int
    """What it must not exceed."""
    at_turn: bool = False
    """The kept tail should begin with a turn when one begins near."""


class Layout(msgspec.Struct, frozen=True):
    """How a path is shown after a cut; what is named nowhere here folds."""

    level: str
    first_whole: int
    """Position of the first group that stays whole."""
    pairs: Mapping[str, str] = {}
    """Blocks of older groups that stay at their own place: id → why."""
    forms: Mapping[str, Decision] = {}
    """Other forms for blocks that stay."""
    sections: tuple[Section, ...] = ()
    """The preface."""
    reasons: Mapping[str, str] = {}
    """What is shown of a folded block: id → words."""
    warnings: tuple[str, ...] = ()


class Level(Protocol):
    """One way to make room."""

    def __call__(self, brief: Brief) -> Layout: ...
