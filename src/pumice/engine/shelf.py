"""What has left the window of a session, read back by its pointer and searched."""

from collections.abc import Mapping

import msgspec

from pumice.domain import pointer as pointers
from pumice.domain.block import Block
from pumice.domain.pointer import Slice
from pumice.engine import journal, readback
from pumice.engine.context import Context
from pumice.engine.journal import Entry
from pumice.engine.searching import Finder, Hits, match
from pumice.engine.steps import Steps
from pumice.store.memory import MemorySearch


class Shelf(Steps):
    """Reads what a session's ledger and artifacts hold, as often as the policy allows per model response."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.reads = readback.Allowance(context.policy.offload.read_back.max_per_round)
        self.finder = Finder(context.store.search, context.key)
        self.read_back: set[str] = set()
        """Blocks that were read back since the last cut."""
        self._sections: list[pointers.Section] = []
        """What was read back by this process, in order."""
        self.laid_out: dict[str, tuple[int, set[str]]] = {}
        """By folder, the blocks whose files, of what has left the window, this process has written or seen."""
        self.hid: tuple[str, int, int] | None = None
        """Lane, epoch and number of forms when it was last looked for blocks to be laid out."""

    def renew(self, context: Context) -> None:
        """See `Steps.renew`."""
        super().renew(context)
        self.reads.limit = context.policy.offload.read_back.max_per_round

    async def read_range(self, pointer: str, offset: int = 1, limit: int = 200, unit: str = "lines") -> Slice:
        """A slice of something outside the window, an image with the first; at most two per model response.

        Raises NotAddressable for a pointer that names nothing, TooManyReads past the limit.
        """
        found, text, held = await self._opened(pointer)
        piece = readback.read(text, found, offset=offset, limit=limit, unit=unit, redactions=text.count("[secret:"))
        if block := self.tree.addresses.get(readback.address(found), held.id if held else ""):
            await self._read_again(readback.section(block, piece, text))
        return msgspec.structs.replace(piece, media=readback.media(held if offset == 1 else None))

    async def _read_again(self, section: pointers.Section) -> None:
        """Count the reads of a section; one that is needed again and again stays in view from the next epoch on."""
        self._sections.append(section)
        times = sum(map(section.is_about, self._sections))
        if times >= self.context.policy.offload.repin_after_reads and section not in self.tree.reread:
            await self._attempt(lambda: self._keep(section))

    async def _keep(self, section: pointers.Section) -> None:
        self.write(Entry(self.tree.first, journal.RereadEvent(section)))
        await self.outbox.flush(self.context.ports.clock())

    async def tail(self, pointer: str, limit: int = 40) -> Slice:
        """The last lines of something outside the window; counts and raises as `read_range` does."""
        _, text, _ = await self._opened(pointer)
        return readback.ends(text, limit=limit, redactions=text.count("[secret:"))

    async def _opened(self, pointer: str) -> tuple[pointers.Pointer, str, Block | None]:
        """What a pointer or a label of several blocks names, its text, and the block where it is one."""
        several = readback.RANGE.fullmatch(pointer)
        found = pointers.parse(several[1] if several else pointer)
        await self._attempt(self._nothing)
        blocks = self.blocks()
        text = readback.run(blocks, several[1], several[2]) if several else await self._text(blocks, found)
        self.reads.take()
        return found, text, None if several or found.area != "artifacts" else blocks.get(found.name)

    async def _text(self, blocks: Mapping[str, Block], pointer: pointers.Pointer) -> str:
        """The text a pointer names: a block's, or what was kept under a name of its own."""
        named = pointers.kept_as(pointer)
        if pointer.area != "artifacts" and readback.address(pointer) not in self.tree.addresses:
            data = await self.context.store.artifacts.get(self.context.key, named)
            return data.decode("utf-8", "surrogatepass")
        block = readback.find(blocks, pointer, self.tree.addresses)
        self.read_back.add(block.id)
        return block.text

    async def search(self, query: str, *, pointer: str | None = None, regex: bool = False, limit: int = 10) -> Hits:
        """Lines of the session, or of one block, that hold a query, best first, and how many more there are.

        A regular expression is looked for line by line, newest block first. Raises InvalidInput, NotAddressable.
        """
        await self._attempt(self._nothing)
        blocks = self.blocks()
        finder = self.finder
        if pointer:
            block = readback.find(blocks, pointers.parse(pointer), self.tree.addresses)
            blocks, finder = {block.id: block}, Finder(MemorySearch(), self.context.key)
        return await (match(blocks.values(), query, limit) if regex else finder.find(blocks, query, limit))
