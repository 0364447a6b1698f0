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
        self._leaving: dict[str, str] = {}
        """Texts by the name each is written out under."""
        self._tips: dict[str, int] = {}
        self.seq = 0

    def put(self, entry: Entry) -> None:
        self._waiting.append(entry)

    def keep(self, block: Block, name: str = "") -> None:
        """Write a block out under its id, or another name, with the next flush: only then is the name this block's for good."""
        self.keep_text(block.text, name or block.id)

    def keep_text(self, text: str, name: str) -> None:
        """Write a text out under a name of its own with the next flush."""
        self._leaving[name] = text

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

    async def heal(self, texts: Mapping[str, str]) -> None:
        """Write out what a process that ended between the two has left."""
        kept = set(await self._context.store.artifacts.names(self._context.key)) if texts else set()
        await self._write_out({name: text for name, text in texts.items() if name not in kept})

    async def _write_out(self, texts: Mapping[str, str]) -> None:
        for name, text in texts.items():
            data = text.encode("utf-8", "surrogatepass")
            await self._context.store.artifacts.put(self._context.key, name, data)
