"""What commands over recorded sessions share: the files meant, the policies meant, and how far the work is."""

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from rich import box
from rich.console import Console
from rich.table import Table

from pumice.domain.policy import Policy
from pumice.errors import BadRecording, InvalidInput, PumiceError
from pumice.evaluate.dump import distinct
from pumice.faces import settings
from pumice.faces.cli import progress
from pumice.recordings.sniff import sniff

T = TypeVar("T")
RECORDED = "recorded"
PLAIN_WIDTH = 110
"""Columns where standard output is no terminal."""


def console() -> Console:
    """Where tables and charts go."""
    return Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)


def table(*names: str) -> Table:
    """A plain table: words to the left, figures to the right."""
    found = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="dim")
    for place, name in enumerate(names):
        found.add_column(name, justify="right" if place else "left", no_wrap=True)
    return found


def files(given: Sequence[Path], *, command: str) -> list[Path]:
    """Files as given; a folder stands for the recordings in it, sorted. Raises InvalidInput, BadRecording."""
    if not given:
        raise InvalidInput(
            "no files given; expected recorded sessions or folders of them.", hint=f"See pumice {command} --help."
        )
    paths: list[Path] = []
    for path in given:
        paths += _inside(path) if path.is_dir() else [path]
    return paths


def policies(names: Iterable[str]) -> dict[str, Policy | None]:
    """By the name each is reported under: a preset's own, a file's stem; equal ones get `-2`. `recorded` is None."""
    listed = list(dict.fromkeys(names))
    labels = distinct([name if name == RECORDED or name in settings.preset_names() else Path(name).stem for name in listed])
    return {label: None if name == RECORDED else settings.policy(name) for label, name in zip(labels, listed, strict=True)}


def steps(chosen: Iterable[Policy | None]) -> dict[str, Policy]:
    """What policies step down to when a session has cost too much, by name."""
    names = {name for policy in chosen if policy is not None for name in policy.triggers.degrade}
    return {name: settings.policy(name) for name in sorted(names)}


def at_least(name: str, value: float | None, least: float) -> None:
    """Refuse a number below what makes sense; raises InvalidInput."""
    if value is not None and value < least:
        raise InvalidInput(f"{name} {value:g} given, expected {least:g} or more.")


class Weights:
    """How much of several files is done: a file weighs what it has in bytes."""

    def __init__(self, paths: Sequence[Path], show: progress.Report) -> None:
        self._weights = {path: path.stat().st_size if path.is_file() else 0 for path in paths}
        self._whole = sum(self._weights.values()) or 1
        self._done: dict[Path, float] = {}
        self._show = show

    def tick(self, path: Path, share: float) -> None:
        """Tell that a share of a file is done."""
        self._done[path] = share * self._weights[path]
        self._show(sum(self._done.values()) / self._whole, path.stem)


def each(paths: Sequence[Path], work: Callable[[Path, Callable[[float], None]], Iterable[T]]) -> list[T]:
    """What the work gives for every file, in order, under a progress bar."""
    with progress.bar() as show:
        weights = Weights(paths, show)
        return [found for path in paths for found in work(path, partial(weights.tick, path))]


def _inside(folder: Path) -> list[Path]:
    found = [path for path in sorted(folder.iterdir()) if path.is_file() and _is_recording(path)]
    if not found:
        raise BadRecording(f"{folder}: holds no recorded session.", hint="Name the files, or another folder.")
    return found


def _is_recording(path: Path) -> bool:
    try:
        sniff(path.read_bytes(), str(path))
    except (PumiceError, OSError):
        return False
    return True
