"""The outbox: entries of one step, appended to the ledger all or nothing against the tips last seen, then its artifacts."""

from collections.abc import Mapping, Sequence

from pumice.domain.block import Block
from pumice.domain.event import Event
from pumice.engine import journal
from pumice.engine.context import Context
from pumice.engine.journal import Entry


class Outbox:
    """Collects the entries of a step and flushes them as one append."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._waiting: list[Entry] = []
        self._leaving: dict[str, Block] = {}
        """By the name each is written out under."""
        self._tips: dict[str, int] = {}
        self.seq = 0

    def put(self, entry: Entry) -> None:
        self._waiting.append(entry)

    def keep(self, block: Block, name: str = "") -> None:
        """Write a block out under its id, or another name, with the next flush: only then is the name this block's for good."""
        self._leaving[name or block.id] = block

    async def load(self) -> list[Entry]:
        """All entries of the session, in order."""
        events = await self._context.store.ledger.load(self._context.key)
        self._waiting.clear()
        self._leaving.clear()
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
        await self._write_out(self._leaving)
        self._leaving = {}

    async def heal(self, blocks: Mapping[str, Block]) -> None:
        """Write out what a process that ended between the two has left."""
        kept = set(await self._context.store.artifacts.names(self._context.key)) if blocks else set()
        await self._write_out({name: block for name, block in blocks.items() if name not in kept})

    async def _write_out(self, blocks: Mapping[str, Block]) -> None:
        for name, block in blocks.items():
            data = block.text.encode("utf-8", "surrogatepass")
            await self._context.store.artifacts.put(self._context.key, name, data)
