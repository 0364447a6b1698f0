"""A session as those see it who do not make its calls: what is stored, read back, searched and added to from outside."""

from collections.abc import Mapping

from pumice.commit import notes
from pumice.domain.manifest import Manifest, Row
from pumice.domain.pointer import Slice
from pumice.domain.state import Pin, TaskState
from pumice.engine import audit
from pumice.engine.searching import Hits
from pumice.engine.session import Session


class Archive:
    """A desk over a stored session that another process may be moving on: every step first sees what that has written.

    The limit of read-backs counts per model response where responses are seen to come; a session that stands still has none.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._is_live = False

    @property
    def name(self) -> str:
        return self._session.id

    async def _fresh(self) -> Session:
        is_known = bool(self._session.tree.branches)
        has_moved = await self._session.catch_up()
        self._is_live = self._is_live or (is_known and has_moved)
        if has_moved or not self._is_live:
            self._session.reads.reset()
        return self._session

    async def read_range(self, pointer: str, offset: int = 1, limit: int = 200, unit: str = "lines") -> Slice:
        """See `Session.read_range`."""
        return await (await self._fresh()).read_range(pointer, offset, limit, unit)

    async def tail(self, pointer: str, limit: int = 40) -> Slice:
        """See `Session.tail`."""
        return await (await self._fresh()).tail(pointer, limit)

    async def search(self, query: str, *, pointer: str | None = None, regex: bool = False, limit: int = 10) -> Hits:
        """See `Session.search`."""
        return await (await self._fresh()).search(query, pointer=pointer, regex=regex, limit=limit)

    async def end_phase(self, name: str, *, agent: str = "main") -> None:
        """See `Session.end_phase`."""
        await (await self._fresh()).end_phase(name, agent=agent)

    async def notes(self) -> dict[str, str]:
        """Notes by topic, those of the conversation and those given by hand, oldest first."""
        return notes.by_topic(notes.over(await self._state(), self._session.tree.jots))

    async def note(self, given: Mapping[str, str]) -> None:
        """See `Session.note`."""
        await (await self._fresh()).note(given)

    async def pins(self) -> tuple[Pin, ...]:
        """Words that stand in every view: found ones in force, and those made by hand."""
        found = (pin for pin in (await self._state()).pins if not pin.superseded_by)
        return (*found, *self._session.tree.pins.values())

    async def pin(self, text: str) -> Pin:
        """See `Session.pin`."""
        return await (await self._fresh()).pin(text)

    async def manifest(self, call: int | None = None) -> Manifest:
        """The manifest of a past call, the newest without one. Raises InvalidInput."""
        await (await self._fresh()).loaded()
        return audit.manifest_of(self._session, call)

    async def explain(self, block_id: str, call: int | None = None) -> Row:
        """See `Session.explain`."""
        return await (await self._fresh()).explain(block_id, call)

    async def _state(self) -> TaskState:
        """Task state where the newest call was made."""
        tree = await (await self._fresh()).loaded()
        if not tree.calls:
            return TaskState()
        branch = tree.lanes[audit.event_of(tree, None).lane].branch
        branch.settle()
        return branch.state
