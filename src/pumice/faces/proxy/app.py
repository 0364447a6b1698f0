"""The proxy as an ASGI app: own routes, model calls, and everything else passed through."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pumice.faces.proxy import headers, routes, status
from pumice.faces.proxy.config import Config
from pumice.faces.proxy.emulate.setting import Emulation
from pumice.faces.proxy.exchange import Exchange
from pumice.faces.proxy.gate import Gate
from pumice.faces.proxy.journal import Entry, Journal
from pumice.faces.proxy.outlet import Outlet
from pumice.faces.proxy.passing import Passing
from pumice.faces.proxy.security import Door
from pumice.faces.proxy.shield import Shield
from pumice.faces.proxy.upstream import Upstreams


def create(config: Config, gate: Gate, beside: Starlette | None = None) -> Starlette:
    """The app that answers for `gate`; closes it when the server stops. Its metrics are at `app.state.journal`.

    The routes of another app may be served besides, behind the same door.
    """
    journal, upstreams = Journal(), Upstreams(config)
    shield = Shield(gate, journal, config.limits.prepare)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await upstreams.open()
        try:
            async with nullcontext() if beside is None else beside.router.lifespan_context(beside):
                yield
        finally:
            await shield.close()
            await upstreams.close()

    desk = Desk(Exchange(config, shield, upstreams, journal), Passing(upstreams), journal, config.emulation)
    app = Starlette(
        routes=[*status.ROUTES, *(beside.routes if beside is not None else ()), *status.NO_MCP, Route("/{path:path}", desk)],
        middleware=[Middleware(Door, config=config, journal=journal)],
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.journal = journal
    return app


class Desk:
    """Sends each request where it belongs, and closes the journal's entry however that ends."""

    def __init__(self, exchange: Exchange, passing: Passing, journal: Journal, emulation: Emulation) -> None:
        self._exchange, self._passing, self._journal, self._emulation = exchange, passing, journal, emulation

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = headers.read(scope["headers"])
        route = routes.find(scope["method"], scope["path"], given)
        dialect = self._emulation.takes(scope["method"], scope["path"])
        route = routes.Route(route.provider, dialect) if dialect else route
        entry = Entry(scope["method"], headers.target(scope).partition("?")[0], route.named, bool(route.dialect))
        self._journal.under_way.add()
        try:
            if given.get("upgrade", "").lower() == "websocket":
                # Codex falls back to HTTPS on this status (provider-contracts §9.4).
                await Outlet(send, entry).refuse(426, "WebSocket is not spoken here: use HTTPS and server-sent events.")
            elif route.dialect:
                await self._exchange.answer(scope, receive, send, route, entry)
            else:
                await self._passing.answer(scope, receive, send, route.provider, entry)
        finally:
            self._journal.end(entry)
