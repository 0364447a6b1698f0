"""Entity retention: which of all names seen so far still stand in the view?"""

from collections.abc import Iterable, Sequence

from pumice.evaluate.share import Share
from pumice.evaluate.view import Shown, View
from pumice.measure import entities

GRAM = 4
FEW = 100
"""Names that are searched for one by one; more are worth a table of the text's pieces."""


class Retention:
    """Follows one session under one policy; between cuts only what is new is looked at."""

    def __init__(self) -> None:
        self._standing: set[str] = set()
        self._missing: set[str] = set()
        self._names: dict[bytes, frozenset[str]] = {}

    def see(self, fresh: Iterable[str], view: View) -> Share:
        """Distinct entities of everything before the call that stand in the view."""
        if not view.extends:
            self._missing |= self._standing
            self._standing = set()
            self._look(self._missing, view.messages, view.text)
        else:
            added = view.messages[view.shared_messages :]
            self._look(self._missing, added, "\n".join(shown.text for shown in added))
        new = set(fresh)
        self._missing |= new
        self._look(new, view.messages, view.text)
        return Share(len(self._standing), len(self._standing) + len(self._missing))

    def _look(self, names: set[str], messages: Sequence[Shown], text: str) -> None:
        """Move names that stand: those the ruler finds there as such, then those it finds inside other words."""
        named = frozenset().union(*map(self._named, messages)) & names
        found = named | holding(text, names - named)
        self._standing |= found
        self._missing -= found

    def _named(self, shown: Shown) -> frozenset[str]:
        known = self._names.get(shown.raw)
        if known is None:
            known = self._names[shown.raw] = entities.names(shown.text)
        return known


def holding(text: str, names: set[str]) -> set[str]:
    """The names a text holds as substrings; names hold no white space, so its distinct words are enough."""
    if not names:
        return set()
    words = "\n".join(set(text.split()))
    if len(names) <= FEW:
        return {name for name in names if name in words}
    pieces = {words[at : at + GRAM] for at in range(len(words) - GRAM + 1)}
    return {name for name in names if _may_hold(pieces, name) and name in words}


def _may_hold(pieces: set[str], name: str) -> bool:
    """Most names that do not occur are told by their ends and their middle."""
    last = len(name) - GRAM
    return last < 0 or all(name[at : at + GRAM] in pieces for at in (0, last, last // 2))
