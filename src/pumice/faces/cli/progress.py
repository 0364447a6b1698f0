"""A progress bar on standard error, shown only once the work has taken a while."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

PATIENCE = 2.0
"""Seconds of work before the bar appears."""

Report = Callable[[float, str], None]
"""Told how much is done, 0 to 1, and at what."""


@contextmanager
def bar(*, patience: float = PATIENCE) -> Iterator[Report]:
    """A function that moves the bar, which appears by itself, moved or not; on anything but a terminal it shows nothing."""
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
    waiting = Timer(patience, progress.start)
    waiting.daemon = True

    def report(done: float, what: str) -> None:
        progress.update(task, completed=done, description=what)

    if console.is_terminal:
        waiting.start()
    try:
        yield report
    finally:
        waiting.cancel()
        if waiting.ident is not None:
            waiting.join()
        if progress.live.is_started:
            progress.stop()
