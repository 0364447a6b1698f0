"""The outbox: entries of one step, appended to the ledger all or nothing against the tips last seen."""

from collections.abc import Sequence

from pumice.domain.event import Event
from pumice.engine import journal
from pumice.engine.context import Context
from pumice.engine.journal import Entry


class Outbox:
    """Collects the entries of a step and flushes them as one append."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._waiting: list[Entry] = []
        self._tips: dict[str, int] = {}
        self.seq = 0

    def put(self, entry: Entry) -> None:
        self._waiting.append(entry)

    async def load(self) -> list[Entry]:
        """All entries of the session, in order."""
        events = await self._context.store.ledger.load(self._context.key)
        self._waiting.clear()
        self._tips.clear()
        self._seen(events)
        return [journal.read(event) for event in events]

    def _seen(self, events: Sequence[Event]) -> None:
        for event in events:
            self._tips[event.branch] = self.seq = event.seq

    async def flush(self, at: float) -> None:
        """Make everything put so far durable. Raises Conflict when another writer was first, StoreError when it fails."""
        if not self._waiting:
            return
        events = [journal.write(entry, at) for entry in self._waiting]
        tips = {entry.branch: self._tips.get(entry.branch, 0) for entry in self._waiting}
        self._context.ports.fault("engine:before-append")
        last = await self._context.store.ledger.append(self._context.key, events, tips=tips)
        self._context.ports.fault("engine:after-append")
        first = last - len(events) + 1
        for at_, entry in enumerate(self._waiting):
            self._tips[entry.branch] = first + at_
        self.seq = last
        self._waiting = []
