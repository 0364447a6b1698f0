"""Run what blocks on a thread of its own that nothing waits for: not the event loop, and not the end of the process."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar

T = TypeVar("T")
G = TypeVar("G")


async def unheld(call: Callable[[G], T], given: G) -> T:
    """What a blocking callable returns or raises; one that never comes back holds up nobody but its own thread."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def run() -> None:
        try:
            settle = partial(future.set_result, context.run(call, given))
        except BaseException as error:  # noqa: BLE001 - whoever awaits it gets it, whatever it is
            settle = partial(future.set_exception, _carried(error))
        if not loop.is_closed():
            loop.call_soon_threadsafe(_tell, future, settle)

    threading.Thread(target=run, name="pumice-model", daemon=True).start()
    return await future


def _tell(future: "asyncio.Future[T]", settle: Callable[[], None]) -> None:
    """Settle a future unless whoever awaited it has been cancelled."""
    if not future.done():
        settle()


def _carried(error: BaseException) -> BaseException:
    """An error a future can hold: StopIteration would end the coroutine that awaits it."""
    return RuntimeError(f"StopIteration: {error}") if isinstance(error, StopIteration) else error
