"""What a cut is planned with, and the layout of a view it leads to."""

from collections.abc import Mapping

import msgspec

from pumice.compact.ruler import Ruler
from pumice.compact.section import Section
from pumice.domain.book import Book, Room
from pumice.domain.decision import Decision
from pumice.domain.group import Group
from pumice.domain.policy import Policy
from pumice.domain.summary import Ask, Summary


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
    """How a path is shown after a cut, level by level; whole and untouched to begin with."""

    level: str = ""
    """The newest level at work: what it folds is decided in its name."""
    head: int = 0
    """Oldest groups that stay."""
    first_whole: int = 0
    """Position of the first group of the tail that stays. What lies between head and tail folds."""
    pairs: Mapping[str, str] = {}
    """Blocks of folded groups that stay at their own place: id → why."""
    forms: Mapping[str, Decision] = {}
    """Other forms for blocks of groups that stay, and for pairs; a call and its result fold or drop together."""
    standing: tuple[Section, ...] | None = None
    """What stands in the preface whatever a level does; None leaves it to the planner."""
    sections: tuple[Section, ...] = ()
    """What levels add to the preface."""
    reasons: Mapping[str, str] = {}
    """What is shown of a folded block: id → words."""
    is_enough: bool = False
    """As small as it should be, though what must stay keeps it above the target: later levels are for what does not fit."""
    warnings: tuple[str, ...] = ()
    summary: Summary | None = None
    asks: tuple[Ask, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    """(key of a question, why its answer could not be used): counted against the breaker, never asked again."""
    artifacts: tuple[tuple[str, str], ...] = ()
    """(address, block) to be kept under a name of its own."""

    def folds(self, position: int) -> bool:
        """Whether the group at a position folds, but for its pairs."""
        return self.head <= position < self.first_whole

    def old(self, groups: tuple[Group, ...]) -> tuple[Group, ...]:
        """The groups that fold."""
        return groups[self.head : self.first_whole]

    def kept(self, groups: tuple[Group, ...]) -> tuple[Group, ...]:
        """The groups that stay."""
        return (*groups[: min(self.head, self.first_whole)], *groups[self.first_whole :])
