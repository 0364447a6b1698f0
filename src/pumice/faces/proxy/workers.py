"""Threads that run engines: a cut of one conversation holds up no stream, and an engine that hangs is left behind.

Everything of a conversation runs on the same thread. Threads share the store; each has an engine and an event loop.
"""

import asyncio
import threading
import zlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Generic, TypeVar

from pumice.faces import serving

T = TypeVar("T")
S = TypeVar("S")
COUNT = 1
"""Threads: each counts tokens with tables of its own (17 MB), and of two only one computes at a time."""


class Worker(Generic[S]):
    """One thread with a state of its own, made there."""

    def __init__(self, make: Callable[[], S], number: int) -> None:
        self._loop = serving.new_event_loop()
        self._make = make
        self._state: S | None = None
        self._thread = threading.Thread(target=self._serve, name=f"pumice-engine-{number}", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    async def run(self, work: Callable[[S], Awaitable[T]], seconds: float) -> T:
        """What the work comes to. Raises TimeoutError when it does not, and whatever it raises."""
        future = asyncio.run_coroutine_threadsafe(self._begin(work), self._loop)
        return await asyncio.wait_for(asyncio.wrap_future(future), seconds)

    async def _begin(self, work: Callable[[S], Awaitable[T]]) -> T:
        if self._state is None:
            self._state = self._make()
        return await work(self._state)

    async def answers(self, seconds: float) -> bool:
        """Whether the thread is free within so many seconds."""
        try:
            await asyncio.wait_for(asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_nothing(), self._loop)), seconds)
        except TimeoutError:
            return False
        return True

    async def close(self, end: Callable[[S], Coroutine[Any, Any, None]], seconds: float) -> None:
        """Let the state go and stop; a thread that hangs is left as it is."""
        if await self.answers(seconds):
            if self._state is not None:
                await self.run(end, seconds)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(seconds)


class Workers(Generic[S]):
    """Some workers; whatever belongs together goes to the same."""

    def __init__(self, make: Callable[[], S], *, count: int = COUNT, patience: float = 0.05) -> None:
        self._make = make
        self._patience = patience
        self._workers = [Worker(make, number) for number in range(1, count + 1)]

    async def run(self, key: str, work: Callable[[S], Awaitable[T]], seconds: float) -> T:
        """Run on the worker of a key; where that hangs afterwards, another takes its place. Raises TimeoutError."""
        at = zlib.crc32(key.encode("utf-8", "surrogatepass")) % len(self._workers)
        worker = self._workers[at]
        try:
            return await worker.run(work, seconds)
        except TimeoutError:
            if not await worker.answers(self._patience) and self._workers[at] is worker:
                self._workers[at] = Worker(self._make, at + 1)
            raise

    async def close(self, end: Callable[[S], Coroutine[Any, Any, None]], seconds: float = 5.0) -> None:
        """Close every worker."""
        await asyncio.gather(*(worker.close(end, seconds) for worker in self._workers))


async def _nothing() -> None:
    return
