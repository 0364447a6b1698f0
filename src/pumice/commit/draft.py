"""A task state while a group is folded into it: items are added, closed and superseded, and kept within bounds."""

from collections.abc import Callable, Iterable

import msgspec

from pumice.domain.state import Entry, Item, Pin, TaskState

OPEN, ACTIVE, DONE, FAILED = "open", "active", "done", "failed"
SUPERSEDED, ADVISORY, REJECTED, UNKNOWN, SAID = "superseded", "advisory", "rejected", "unknown", "said"
"""Words of `Item.status`."""
_CAPS = {
    Entry.GOAL: 5, Entry.PLAN: 80, Entry.DECISION: 40, Entry.CORRECTION: 60, Entry.OPEN: 20, Entry.NEXT: 1, Entry.APPROVAL: 40,
    Entry.SIDE_EFFECT: 80, Entry.FACT: 160, Entry.FILE: 160, Entry.ERROR: 40, Entry.FAILED: 30, Entry.CHILD: 40,
}  # fmt: skip
"""Items kept per entry; rules have no bound, since nothing may push them out."""


class Draft:
    def __init__(self, state: TaskState) -> None:
        self.items = list(state.items)
        self.pins = state.pins

    def add(self, entry: Entry, text: str, sources: tuple[str, ...], *, key: str = "", status: str = "") -> None:
        """One more item; an older one of the same entry and key is superseded by it."""
        if key:
            self.supersede(entry, key, by=sources[0])
        self.items.append(Item(entry, text, sources, key, status))

    def supersede(self, entry: Entry, key: str, *, by: str) -> None:
        self.close(entry, lambda item: item.key == key, by=by, status=SUPERSEDED)

    def put(self, entry: Entry, text: str, sources: tuple[str, ...], *, key: str, status: str = "") -> None:
        """One item in place of the older one of the same key: of a file only the newest use matters."""
        self.drop(entry, lambda item: item.key == key)
        self.items.append(Item(entry, text, sources, key, status))

    def close(self, entry: Entry, wanted: Callable[[Item], bool], *, by: str, status: str = DONE) -> list[Item]:
        """Give the items that are still in force a last status; returns them as they were."""
        closed = []
        for at, item in enumerate(self.items):
            if item.entry is entry and item.status not in (DONE, SUPERSEDED) and wanted(item):
                closed.append(item)
                self.items[at] = msgspec.structs.replace(item, status=status, by=by)
        return closed

    def rename(self, entry: Entry, wanted: Callable[[Item], bool], key: str) -> None:
        """Give items another key, each in its place."""
        for at, item in enumerate(self.items):
            if item.entry is entry and wanted(item):
                self.items[at] = msgspec.structs.replace(item, key=key)

    def drop(self, entry: Entry, wanted: Callable[[Item], bool]) -> None:
        self.items = [item for item in self.items if not (item.entry is entry and wanted(item))]

    def of(self, entry: Entry) -> list[Item]:
        """Items of an entry, oldest first."""
        return [item for item in self.items if item.entry is entry]

    def pin(self, old: Iterable[Pin], new: Iterable[Pin]) -> None:
        self.pins = (*old, *new)

    def built(self) -> TaskState:
        """The state; over the bound of an entry, what is over goes first, then what is oldest."""
        gone: set[int] = set()
        for entry, cap in _CAPS.items():
            held = [at for at, item in enumerate(self.items) if item.entry is entry]
            held.sort(key=lambda at: (self.items[at].status not in (DONE, SUPERSEDED), at))
            gone.update(held[: max(0, len(held) - cap)])
        return TaskState(tuple(item for at, item in enumerate(self.items) if at not in gone), self.pins)
