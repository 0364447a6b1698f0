"""A sight: what can be read of a session in one view of it."""

from collections.abc import Iterable, Sequence

import msgspec

from pumice.compact.named import named
from pumice.compact.scan import in_word


class Sight(msgspec.Struct, frozen=True):
    text: str
    """The text of the view."""
    named: frozenset[str] = frozenset()
    """Blocks that a line of ours in it names."""

    @classmethod
    def of(cls, text: str, ours: Iterable[str], blocks: Sequence[str]) -> "Sight":
        """Of a view with the texts of ours in it; `blocks` are the names of all blocks, in order."""
        return cls(text, named(ours, blocks))

    def has(self, words: str, *, whole: bool = False) -> bool:
        """Whether words stand in the view; as a `whole`, `471` does not stand in `4711`."""
        at = self.text.find(words)
        while whole and at >= 0 and not self._is_whole(at, at + len(words)):
            at = self.text.find(words, at + 1)
        return at >= 0

    def _is_whole(self, start: int, end: int) -> bool:
        """Whether what stands between two places begins and ends there."""
        before, after = self.text[start - 1 : start] if start else "", self.text[end : end + 1]
        first, last = self.text[start : start + 1], self.text[end - 1 : end]
        return not (in_word(before) and in_word(first)) and not (in_word(after) and in_word(last))
