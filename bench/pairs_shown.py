"""Pairs as tables: one a window, its pooled pairs, our losses session by session, and what broke."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from bench.report import WIDTH
from bench.runs import Done

if TYPE_CHECKING:
    from bench.pairs import Pair, Side


def show(pairs: Sequence["Pair"], broken: Sequence[Done], done: Sequence[Done]) -> None:
    """Print everything."""
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    for window in dict.fromkeys(pair.window for pair in pairs):
        here = [pair for pair in pairs if pair.window == window]
        files = {pair.file for pair in here if pair.file}
        console.print(_table(f"window {window:,}: all Claude Code sessions longer than it", [p for p in here if not p.file]))
        for file in sorted(files):
            console.print(_table(f"window {window:,}: {file}", [pair for pair in here if pair.file == file]))
    for line in (*_losses(pairs), *_broken(broken, done)):
        console.print(line, markup=False, highlight=False)


def _table(title: str, pairs: Sequence["Pair"]) -> Table:
    made = Table("", "cost", "honest", "far", "line", "rules", "beside balanced", box=None, pad_edge=False, title=title)
    made.title_justify = "left"
    if pairs:
        made.add_row("balanced", *_cells(pairs[0].ours), "", style="bold")
    for pair in sorted(pairs, key=lambda one: one.theirs.cost):
        made.add_row(pair.preset, *_cells(pair.theirs), _verdict(pair))
    return made


def _cells(side: "Side") -> tuple[str, ...]:
    return tuple(map(_share, (side.cost, side.honest, side.far, side.line, side.rules)))


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _verdict(pair: "Pair") -> str:
    """What the pair comes to, in the order of what matters."""
    if pair.is_dominated:
        return "[bold red]cheaper, and finds more names[/]"
    if pair.is_outdone:
        return "[red]costs no more than 1.25 ×, and finds more[/]"
    ours, theirs = pair.ours, pair.theirs
    if theirs.cost < ours.cost:
        return "cheaper, and finds less"
    return (
        "dearer"
        if (theirs.far or 0) > (ours.far or 0) or (theirs.line or 0) > (ours.line or 0)
        else "dearer, and finds no more"
    )


def _losses(pairs: Sequence["Pair"]) -> Iterator[str]:
    lost = [pair for pair in pairs if pair.is_dominated or pair.is_outdone]
    yield f"{len(pairs)} pairs, {len(lost)} lost" + (":" if lost else "")
    for pair in lost:
        ours, theirs = pair.ours, pair.theirs
        kind = "dominated" if pair.is_dominated else "outdone"
        names = f"cost {ours.cost:.3f} against {theirs.cost:.3f}, far {_share(ours.far)} against {_share(theirs.far)}"
        lines = f"line {_share(ours.line)} against {_share(theirs.line)}"
        yield f"  {kind} by {pair.preset} at {pair.window:,} on {pair.file or 'all pooled'}: {names}, {lines}"


def _broken(broken: Sequence[Done], done: Sequence[Done]) -> Iterator[str]:
    yield f"{len(done)} runs, {len(broken)} broke the window or a rule" + (":" if broken else "")
    for one in broken:
        found = one.figures
        counts = (
            f"{found.overflows} overflows, {found.violations} violations, {found.altered_values} altered values, "
            f"constraint survival {_share(found.constraint_survival)}"
            if found
            else "no figures"
        )
        yield f"  {one.policy} at {one.window:,} on {one.file}: {counts}"
        yield from (f"    {fault[:200]}" for fault in one.faults)
