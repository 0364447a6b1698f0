"""What others wrote, as opposed to pumice: the blocks of the history up to a call."""

from collections.abc import Sequence

from pumice.evaluate.sources import Source
from pumice.evaluate.view import Shown, unit_key


class Theirs:
    """Follows one session."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._all = sources
        self._keys: set[str] = set()
        self.sources: Sequence[Source] = ()
        """The blocks known so far."""

    def learn(self, upto: int) -> None:
        """Know the first `upto` blocks."""
        self._keys.update(unit_key(source.block) for source in self._all[len(self.sources) : upto])
        self.sources = self._all[:upto]

    def has(self, key: str) -> bool:
        """Whether a unit of a view is a block of the history as it came."""
        return key in self._keys

    def wrote(self, shown: Shown) -> bool:
        """Whether all of a message is theirs."""
        return all(map(self.has, shown.keys))
