"""A sight: what can be read of a session in one view of it."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import msgspec

from pumice.compact.named import named
from pumice.measure import entities


class Sight(msgspec.Struct, frozen=True, dict=True):
    text: str
    """The text of the view."""
    named: frozenset[str] = frozenset()
    """Blocks that a line of ours in it names."""

    @classmethod
    def of(cls, text: str, ours: Iterable[str], blocks: Sequence[str]) -> "Sight":
        """Of a view with the texts of ours in it; `blocks` are the names of all blocks, in order."""
        return cls(text, named(ours, blocks))

    @cached_property
    def names(self) -> frozenset[str]:
        """Names, paths and numbers as wholes: `471` does not stand in `4711`."""
        return entities.names(self.text)
