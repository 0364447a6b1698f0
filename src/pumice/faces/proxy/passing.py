"""Everything that is no model call: passed through untouched, both ways, piece by piece."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from starlette.types import Receive, Scope, Send

from pumice.faces.proxy import bodies, headers
from pumice.faces.proxy.journal import LEFT, Entry
from pumice.faces.proxy.outlet import Outlet
from pumice.faces.proxy.upstream import FAULTS, Unreachable, Upstreams


class Passing:
    """Relays requests whose bodies may be of any size: no more than a few pieces are held at a time."""

    def __init__(self, upstreams: Upstreams) -> None:
        self._upstreams = upstreams

    async def answer(self, scope: Scope, receive: Receive, send: Send, provider: str, entry: Entry) -> None:
        """One request from its first byte to its last."""
        outlet, inflow = Outlet(send, entry), _Inflow(scope, receive)
        work = asyncio.ensure_future(self._relay(scope, inflow, provider, outlet, entry))
        gone = asyncio.ensure_future(inflow.left())
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                entry.fault = LEFT
        finally:
            gone.cancel()
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError, bodies.ClientLeft):
                await work

    async def _relay(self, scope: Scope, inflow: "_Inflow", provider: str, outlet: Outlet, entry: Entry) -> None:
        sent, body = headers.forwarded(scope["headers"]), inflow.pieces() if inflow.has_body else None
        if inflow.length:
            sent["content-length"] = inflow.length
        try:
            answer = await self._upstreams.send(provider, scope["method"], headers.target(scope), sent, body)
        except Unreachable as error:
            entry.fault = error.kind
            await outlet.refuse(error.status, error.said)
            return
        with contextlib.closing(answer):
            await outlet.begin(answer.status, headers.relayed(answer.raw_headers, answer.status))
            try:
                async for chunk in answer.content.iter_any():
                    await outlet.write(chunk)
            except FAULTS:
                entry.fault = "broken"
                return
            await outlet.end()


class _Inflow:
    """A request's body on its way, and the client's leaving after it: both come from one source, one after the other."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        given = headers.read(scope["headers"])
        self.length = given.get("content-length", "")
        self.has_body = self.length not in ("", "0") or "transfer-encoding" in given
        self._receive, self._is_over = receive, asyncio.Event()
        if not self.has_body:
            self._is_over.set()

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body. Raises ClientLeft."""
        async for piece in bodies.pieces(self._receive):
            yield piece
        self._is_over.set()

    async def left(self) -> None:
        """Returns when the client has left."""
        await self._is_over.wait()
        await bodies.left(self._receive)
