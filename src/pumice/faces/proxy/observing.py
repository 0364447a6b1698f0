"""`pumice serve --observe`: every call goes through as it came, and on record is what the engine would have sent (F-H10)."""

import asyncio
import contextlib
import time

import msgspec

from pumice.domain.message import Request
from pumice.errors import BadRequest
from pumice.faces.proxy import identity, turn
from pumice.faces.proxy.ask import Ask
from pumice.faces.proxy.engine_gate import EngineGate, key_of
from pumice.faces.proxy.gate import Call, Prepared, Reply, Stage
from pumice.faces.proxy.identity import Named
from pumice.faces.proxy.turn import Turn
from pumice.store.known_secrets import show

MARK = "observed-"
"""Begins the names of sessions whose views nobody was sent: a session that is compiled later does not go on from them."""


class ObserveGate(EngineGate):
    """The engine works beside the call, which it neither changes nor delays; its faults are on no call."""

    async def prepare(self, call: Call) -> Prepared:
        try:
            ask = self._read(call)
        except BadRequest:
            return turn.passed(call, Stage.PASSED)
        if not isinstance(ask, Ask):
            return ask
        made = turn.passed(call, Stage.OBSERVED, ask.request)
        made.key, made.at = key_of(ask), time.time()
        if call.is_stream:
            made.recorder = turn.recorder(call)
        made.watched = asyncio.ensure_future(self._compiled(ask))
        made.watched.add_done_callback(_heard)
        return made

    def _named(self, call: Call, request: Request) -> Named:
        found = super()._named(call, request)
        if found.session:
            return msgspec.structs.replace(found, session=f"{MARK}{found.session}")
        return msgspec.structs.replace(found, group=f"{MARK}{found.group}")

    async def answered(self, prepared: Prepared, reply: Reply | None) -> None:
        if not isinstance(prepared, Turn) or prepared.watched is None:
            return
        show(identity.credentials(prepared.call))
        response = turn.answer(prepared, reply)
        seen = await prepared.watched
        if response is not None and seen.view is not None:
            seen.at = prepared.at
            await self._workers.run(prepared.key, lambda desk: desk.watched(seen, response), self._seconds)
            prepared.seen, prepared.row = seen.seen, seen.row

    async def broken(self, prepared: Prepared) -> None:
        if isinstance(prepared, Turn) and prepared.watched is not None:
            prepared.watched.cancel()


def _heard(task: "asyncio.Task[Turn]") -> None:
    """A fault beside the call is told by `answered`; where that never comes, nobody waits for it."""
    with contextlib.suppress(asyncio.CancelledError):
        task.exception()
