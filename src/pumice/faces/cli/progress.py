"""A progress bar on standard error, shown only once the work has taken a while."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

PATIENCE = 2.0
"""Seconds of work before the bar appears."""

Report = Callable[[float, str], None]
"""Told how much is done, 0 to 1, and at what."""


@contextmanager
def bar(*, clock: Callable[[], float] = time.monotonic) -> Iterator[Report]:
    """A function that moves the bar; on anything but a terminal it shows nothing."""
    console = Console(stderr=True)
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    task = progress.add_task("", total=1.0)
    start = clock()

    def report(done: float, what: str) -> None:
        if console.is_terminal and clock() - start > PATIENCE:
            progress.start()
        progress.update(task, completed=done, description=what)

    try:
        yield report
    finally:
        if progress.live.is_started:
            progress.stop()
