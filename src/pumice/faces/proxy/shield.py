"""Between the server and a gate: whatever goes wrong in the engine, the client's own request goes through (K-P7)."""

import asyncio
from collections.abc import Awaitable
from pathlib import PurePath
from traceback import extract_tb
from typing import TypeVar

from pumice.faces.proxy.gate import Call, Gate, Prepared, Reply, Stage
from pumice.faces.proxy.journal import Journal, log

_T = TypeVar("_T")
_UNHARMED = (Exception,)
"""The engine must never be the reason a call fails (DESIGN §7); a cancelled call is no fault and passes."""


class Shield:
    """A gate that never raises and never takes longer than it may. A fault is counted and told by its kind and place."""

    def __init__(self, gate: Gate, journal: Journal, patience: float) -> None:
        self._gate, self._journal, self._patience = gate, journal, patience

    async def prepare(self, call: Call) -> Prepared:
        own = Prepared(call.body, stage=Stage.CLIENT)
        made = await self._tried("prepare", self._in_time(call), own)
        self._journal.counts.prepared(made)
        return made

    def feed(self, prepared: Prepared, chunk: bytes) -> None:
        try:
            self._gate.feed(prepared, chunk)
        except _UNHARMED as error:
            self._note("feed", error)

    async def answered(self, prepared: Prepared, reply: Reply | None) -> None:
        await self._tried("answered", self._gate.answered(prepared, reply), None)
        self._journal.counts.answered(prepared)

    async def broken(self, prepared: Prepared) -> None:
        await self._tried("broken", self._gate.broken(prepared), None)

    async def refused(self, call: Call, prepared: Prepared, reply: Reply) -> Prepared | None:
        return await self._tried("refused", self._gate.refused(call, prepared, reply), None)

    async def held(self, call: Call, prepared: Prepared, reply: Reply) -> Reply | Prepared:
        made = await self._tried("held", self._gate.held(call, prepared, reply), reply)
        self._journal.counts.answered(prepared)
        if isinstance(made, Prepared):
            self._journal.counts.prepared(made)
        return made

    async def close(self) -> None:
        await self._tried("close", self._gate.close(), None)

    async def _in_time(self, call: Call) -> Prepared:
        async with asyncio.timeout(self._patience):
            return await self._gate.prepare(call)

    async def _tried(self, step: str, work: Awaitable[_T], otherwise: _T) -> _T:
        try:
            return await work
        except _UNHARMED as error:
            self._note(step, error)
            return otherwise

    def _note(self, step: str, error: Exception) -> None:
        """No message: it may quote the request."""
        self._journal.shielded.add(step)
        frame = extract_tb(error.__traceback__)[-1]
        log.error("engine fault in %s: %s at %s:%s", step, type(error).__name__, PurePath(frame.filename).name, frame.lineno)
