"""Invalid input made valid on the wire: calls and results paired, what cannot be paired left out, each change said."""

from collections import Counter
from collections.abc import Sequence

import msgspec

MAX_ID = 64
"""Longest call id providers take."""
FILLER = "(What stood here could not be sent and was left out.)"
"""Keeps a list from beginning or ending with the assistant because its user message was left out."""


class Repaired(msgspec.Struct, frozen=True):
    """Wire messages that keep the pairing rules; the very same ones when nothing was wrong."""

    messages: tuple[bytes, ...]
    sentences: tuple[str, ...] = ()
    """One per change, for the manifest; indices are those of the list as it came."""


class Pairing(msgspec.Struct, frozen=True):
    """Which call each result answers, by occurrence: the second result of an id belongs to its second call."""

    ids: tuple[str, ...]
    """Ids to send the calls under, each once."""
    targets: tuple[int | None, ...]
    """Per result the call it answers; None for one that answers none."""

    @property
    def missing(self) -> list[int]:
        return [place for place in range(len(self.ids)) if place not in self.targets]


def pair(calls: Sequence[str], results: Sequence[str]) -> Pairing:
    """Pair the calls of one assistant message with the results that follow it."""
    places: dict[str, list[int]] = {}
    for place, ident in enumerate(calls):
        places.setdefault(ident, []).append(place)
    seen: Counter[str] = Counter()
    targets: list[int | None] = []
    for ident in results:
        candidates = places.get(ident, [])
        targets.append(candidates[seen[ident]] if seen[ident] < len(candidates) else None)
        seen[ident] += 1
    return Pairing(tuple(_unique(calls)), tuple(targets))


def _unique(ids: Sequence[str]) -> list[str]:
    """The first keeps its id, later ones get a counted suffix that no other call has."""
    used = set(ids)
    seen: Counter[str] = Counter()
    found: list[str] = []
    for ident in ids:
        seen[ident] += 1
        new = ident
        while seen[ident] > 1 and new in used:
            suffix = f"-{seen[ident]}"
            new = ident[: MAX_ID - len(suffix)] + suffix
            seen[ident] += new in used
        used.add(new)
        found.append(new)
    return found


def renamed(index: int, old: str, new: str, field: str = "messages") -> str:
    return f"{field}[{index}]: the call id {old!r} stands more than once; a later one is sent as {new!r}"


def aborted(index: int, ident: str, tool: str, field: str = "messages") -> str:
    return f"{field}[{index}]: the call {ident!r} ({tool}) has no result; it is sent with an aborted one"


def orphaned(index: int, ident: str, field: str = "messages") -> str:
    return f"{field}[{index}]: a result for {ident!r} answers no call before it, or one that is answered; it is left out"


def moved(index: int, field: str = "messages") -> str:
    return f"{field}[{index}]: results did not stand directly behind their calls; they are sent there"


def emptied(index: int, field: str = "messages") -> str:
    return f"{field}[{index}]: an empty text is left out"


def filled(place: str) -> str:
    return f"the {place} message was left out; a short user message stands in its place"
