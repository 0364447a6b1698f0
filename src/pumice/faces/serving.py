"""Serve an ASGI app on this machine: as the process's one task, or inside a program that does other things."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import FrameType
from typing import Any, cast

import uvicorn

from pumice.errors import InvalidInput

KEEP_ALIVE = 75
"""Seconds an idle client connection stays open: longer than clients keep theirs, so that none writes into a closing one."""

LAST_PORT = 65_535


class _Embedded(uvicorn.Server):
    """A server that leaves the signals to the program it is in, and says when it is ready."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready, self._over = asyncio.Event(), asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        """Until told to stop; the base class looks ten times a second."""
        await self.on_tick(0)
        await self._over.wait()

    def stop(self) -> None:
        self.should_exit = True
        self._over.set()


def configured(app: Any, *, grace: float = 10.0) -> uvicorn.Config:
    """How every app of pumice is served: no header, log line or timeout of the server's own."""
    return uvicorn.Config(
        app,
        http="httptools" if find_spec("httptools") else "h11",
        loop="uvloop" if find_spec("uvloop") else "asyncio",
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=int(grace),
    )


def new_event_loop() -> asyncio.AbstractEventLoop:
    """The fastest loop that is installed."""
    made = import_module("uvloop").new_event_loop() if find_spec("uvloop") else asyncio.new_event_loop()
    return cast("asyncio.AbstractEventLoop", made)


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 picks a free one. Raises InvalidInput."""
    if not 0 <= port <= LAST_PORT:
        raise InvalidInput(f"port {port} given, expected 0 to {LAST_PORT}.", hint="0 picks a free one.")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server((str(address[0]), port), family=family, backlog=2048)
    except OSError as error:
        # What the standard library adds to the reason of a failed bind is the address, which is said already.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
        raise InvalidInput(f"{host}:{port} cannot be listened on ({reason}).", hint="Name another host or port.") from error


def url(bound: socket.socket) -> str:
    """The address a client is pointed at."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@asynccontextmanager
async def serving(app: Any, *, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[str]:
    """An app served in this event loop while the block runs; gives its base URL."""
    bound = bind(host, port)
    server = _Embedded(configured(app, grace=1))
    task = await _started(server, bound)
    try:
        yield url(bound)
    finally:
        server.stop()
        await task


def run(app: Any, bound: socket.socket, *, ready: Callable[[], None], grace: float) -> None:
    """Serve an app until the process is told to stop; `grace` seconds for what is under way, none at the second telling."""
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(_until_told(_Embedded(configured(app, grace=grace)), bound, ready))


async def _until_told(server: _Embedded, bound: socket.socket, ready: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()

    def told(_number: int, _frame: FrameType | None) -> None:
        server.force_exit = server.should_exit
        loop.call_soon_threadsafe(server.stop)

    before = {number: signal.signal(number, told) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        task = await _started(server, bound)
        ready()
        await task
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _started(server: _Embedded, bound: socket.socket) -> "asyncio.Task[None]":
    """The task of a server that answers; it raises what kept it from that."""
    task = asyncio.ensure_future(server.serve([bound]))
    ready = asyncio.ensure_future(server.ready.wait())
    await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
    ready.cancel()
    if task.done():
        await task
    return task
