"""A planned cut with the text it leads to: what every proof looks at."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from pumice.compact import words
from pumice.compact.named import named
from pumice.domain.block import Block
from pumice.domain.book import Book
from pumice.domain.decision import Cut, Decision, Outcome

SHOWN = (Outcome.KEEP, Outcome.EXCERPT)


class Finding(msgspec.Struct, frozen=True):
    """Why a cut may not be sent."""

    check: str
    message: str


class Case(msgspec.Struct, frozen=True, dict=True):
    """A cut and what came of it."""

    book: Book
    cut: Cut
    text: str
    """The text of the compiled view."""
    tokens: int
    """The complete request."""
    usable: int
    never: tuple[str, ...] = ()
    """Kinds of state that stand whole besides those that always do."""

    @cached_property
    def blocks(self) -> Mapping[str, Block]:
        """The blocks of this path, and of what the client has replaced by its own summary, by id."""
        return {block.id: block for group in (*self.book.before, *self.book.groups) for block in group.blocks}

    @cached_property
    def decisions(self) -> Mapping[str, Decision]:
        return {decision.block: decision for decision in self.cut.decisions}

    @cached_property
    def named(self) -> frozenset[str]:
        """Blocks that a line of ours in view names, those inside a range too: what can be read back by what the model sees."""
        ours = [self.cut.preface, *(one.text or "" for one in self.cut.decisions if one.outcome is Outcome.EXCERPT)]
        return named(ours, list(self.blocks))

    @cached_property
    def said(self) -> frozenset[str]:
        """Blocks of a person whose words stand whole in view."""
        typed = words.typed((*self.book.before, *self.book.groups))
        return frozenset(block.id for block in typed if self.stands(words.shown(block)))

    def is_hidden(self, name: str) -> bool:
        """Whether a block can be read nowhere in view, not even in part."""
        decision = self.decisions.get(name)
        return name not in self.said and (decision is None or decision.outcome not in SHOWN)

    def stands(self, text: str) -> bool:
        """Whether words can be read in the view."""
        return text in self.text


Proof = Callable[[Case], Iterator[str]]
"""What is wrong with a case, in words; nothing when it may stand."""


def blocks_of(case: Case) -> Sequence[Block]:
    return [block for group in case.book.groups for block in group.blocks]
