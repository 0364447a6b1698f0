"""Run the MCP server over standard input and output, or over HTTP on this machine."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from mcp.server.stdio import stdio_server
from starlette.applications import Starlette

from pumice.engine.engine import AsyncEngine
from pumice.faces import library, serving
from pumice.faces.mcp.chosen import Chosen
from pumice.faces.mcp.server import serve

PATH = "/mcp"


def run(*, session: str = "", scope: str = "", http: tuple[str, int] | None = None) -> None:
    """Serve until the client leaves, or until interrupted."""
    asyncio.run(_run(session, scope, http))


async def _run(session: str, scope: str, http: tuple[str, int] | None) -> None:
    async with library.open_async() as engine:
        chosen = Chosen(engine, scope=scope, session=session)
        await (over_stdio(chosen) if http is None else _over_http(chosen, *http))


async def over_stdio(chosen: Chosen) -> None:
    """Serve one client; nothing but the protocol is written to standard output."""
    server = serve(chosen)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def app(engine: AsyncEngine, *, scope: str = "", session: str = "", path: str = PATH) -> Starlette:
    """A Starlette application with the server at `path`; its lifespan has to run. Only loopback host names are answered."""
    return serve(Chosen(engine, scope=scope, session=session)).streamable_http_app(
        streamable_http_path=path, json_response=True, stateless_http=True
    )


def mounted(engine: AsyncEngine | None = None) -> Starlette:
    """The same over the store in force, to be served beside something else; its lifespan lets the store go."""
    held = engine or library.open_async()
    inner = app(held)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with held, inner.router.lifespan_context(inner):
            yield

    return Starlette(routes=inner.routes, lifespan=lifespan)


async def _over_http(chosen: Chosen, host: str, port: int) -> None:
    bound = serving.bind(host, port)
    made = serve(chosen).streamable_http_app(streamable_http_path=PATH, json_response=True, stateless_http=True)
    sys.stderr.write(f"pumice mcp: {serving.url(bound)}{PATH}\n")
    await uvicorn.Server(uvicorn.Config(made, log_level="warning")).serve([bound])
