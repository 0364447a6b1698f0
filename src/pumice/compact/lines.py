"""The line index: for every entity its newest line and how often the model used it, grown group by group."""

from array import array
from collections.abc import Iterable, Mapping

import msgspec

from pumice.compact.scan import Scan, scan
from pumice.domain.block import Block, Kind, Origin
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group

UNCOUNTED = -1


class Entry(msgspec.Struct, gc=False):
    """What is known of one entity."""

    place: int
    """Position of its newest block in `LineIndex.places`."""
    piece: int
    """Position of its newest line in that block's scan."""
    kind: str
    uses: int = 0
    """Responses of the model that held it."""
    used_in: int = -1
    """Newest group whose response held it."""


class Place(msgspec.Struct, frozen=True):
    """An indexed block."""

    block: Block
    group: int
    scan: Scan
    is_listing: bool
    """Shell, search or listing output."""


class LineIndex:
    """Entity → newest line and uses. `add` costs only what is new; a rewind is rebuilt from scans, reading nothing twice."""

    def __init__(self, scans: dict[str, Scan] | None = None) -> None:
        self.entries: dict[str, Entry] = {}
        self.places: list[Place] = []
        self.costs: dict[str, array[int]] = {}
        """o200k tokens of pieces as a digest shows them, by block hash and position in its scan; filled as they are asked."""
        self._scans: dict[str, Scan] = {} if scans is None else scans

    def add(self, group: Group, uses: Mapping[str, ToolUse]) -> None:
        """Take in the newest group: its entities move to its lines, and what its model wrote counts as one use of each."""
        said: set[str] = set()
        for block in group.blocks:
            if not block.text:
                continue
            found = self._scan(block)
            use = uses.get(block.id)
            is_listing = block.kind is Kind.RESULT and use is not None and use.is_listing
            self._move(found, len(self.places))
            self.places.append(Place(block, group.index, found, is_listing))
            if block.origin is Origin.MODEL:
                said.update(found.names)
        for name in said:
            entry = self.entries[name]
            entry.uses += 1
            entry.used_in = group.index

    def costs_of(self, place: Place) -> "array[int]":
        """The tokens of a block's pieces, each `UNCOUNTED` until it is written here."""
        found = self.costs.get(place.block.hash)
        if found is None:
            found = self.costs[place.block.hash] = array("l", [UNCOUNTED]) * len(place.scan.pieces)
        return found

    def sibling(self) -> "LineIndex":
        """An empty index for another branch of the session, which reads no text twice."""
        other = LineIndex(self._scans)
        other.costs = self.costs
        return other

    def rebuilt(self, groups: Iterable[Group], uses: Mapping[str, ToolUse]) -> "LineIndex":
        """The index of another branch of the session."""
        other = self.sibling()
        for group in groups:
            other.add(group, uses)
        return other

    def _scan(self, block: Block) -> Scan:
        found = self._scans.get(block.hash)
        if found is None:
            found = self._scans[block.hash] = scan(block.text)
        return found

    def _move(self, found: Scan, place: int) -> None:
        entries = self.entries
        for name, (piece, kind) in found.names.items():
            entry = entries.get(name)
            if entry is None:
                entries[name] = Entry(place, piece, kind)
            else:
                entry.place, entry.piece = place, piece
