"""`pumice demo`: a long session through the proxy in one command, without a key or a network."""

import asyncio
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from pumice import extras
from pumice.evaluate.table import percent
from pumice.faces.cli import chart, recorded
from pumice.measure.savings import Savings

if TYPE_CHECKING:
    from pumice.faces.demo.outcome import Outcome
    from pumice.faces.demo.play import Moment

HEIGHT = 8
LARGEST = 5
"""Blocks that have left the window told one by one."""
BAR = 30


def demo(*, json: bool = False) -> int:
    """Show what pumice does, in a few seconds: an agent repairs a service over a long session, a second one reviews it.

    The proxy runs on a free port, before an upstream that plays a script; the agents use the official SDKs of Anthropic and
    OpenAI and resend their whole history at every call. Nothing leaves this machine, and nothing stays on it.

    Example: pumice demo

    Parameters
    ----------
    json
        Print {"seconds", "window", "sessions": [{"session", "client", "model", "totals", "epochs", "largest_full",
        "largest_sent", "offloaded", "read_backs", "curve"}]}.
    """
    try:
        from pumice.faces.demo import outcome, play
    except ModuleNotFoundError as error:
        raise extras.missing("pumice demo", "demo", error) from error
    start = time.monotonic()
    console = recorded.console()
    with tempfile.TemporaryDirectory(prefix="pumice-demo-") as folder:
        home = Path(folder) / "store"
        with _Progress(console, is_shown=console.is_terminal and not json) as progress:
            played = asyncio.run(play.play(home, progress.tell))
        found = asyncio.run(outcome.outcomes(home, played))
    seconds = round(time.monotonic() - start, 1)
    if json:
        told = {"seconds": seconds, "window": play.WINDOW, "sessions": [_plain(one) for one in found]}
        sys.stdout.write(msgspec.json.encode(told).decode() + "\n")
    else:
        console.print(*_lines(found, play.WINDOW, seconds, console.width), sep="\n", highlight=False)
    return 0


class _Progress:
    """A line for each session, moved on at every call."""

    def __init__(self, console: Console, *, is_shown: bool) -> None:
        self._live = Live(console=console, transient=True, auto_refresh=False) if is_shown else None
        self._lines: dict[str, Moment] = {}

    def __enter__(self) -> "_Progress":
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._live is not None:
            self._live.stop()

    def tell(self, moment: "Moment") -> None:
        """A call has been answered."""
        self._lines[moment.session] = moment
        if self._live is not None:
            self._live.update(Group(*(_moving(one) for one in self._lines.values())), refresh=True)


def _moving(moment: "Moment") -> Text:
    done = BAR * moment.call // moment.of
    row = moment.newest
    sizes = f"{row.full or 0:>9,} → {row.sent or 0:>7,} tokens, epoch {row.epoch}" if row is not None else ""
    saved = moment.so_far.saved_usd or 0.0
    return Text.assemble(
        (f"{moment.session:<8}", "bold"), f"{moment.kind:<10}", ("━" * done, "green"), ("━" * (BAR - done), "dim"),
        f" {moment.call:>3}/{moment.of} {sizes}", (f"  ${saved:.2f} saved\n", "green"), (f"  {moment.said}", "dim"),
    )  # fmt: skip


def _plain(found: "Outcome") -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(found)
    plain["totals"]["saved_usd"] = found.totals.saved_usd
    return plain


def _lines(found: Sequence["Outcome"], window: int, seconds: float, width: int) -> Iterator[Text | Table]:
    yield _table(found)
    for one in found:
        yield Text()
        yield Text.assemble((one.session, "bold"), f": tokens of each call; {one.client} SDK, {one.model}, window {window:,}")
        yield from _curves(one, width)
        yield from (Text(line) for line in _told(one))
    yield Text(f"\n{seconds:.0f} s, no key, no network; nothing was kept. Your own sessions: pumice replay --mine", style="dim")


def _table(found: Sequence["Outcome"]) -> Table:
    names = ("calls", "full tokens", "sent", "% less", "cached", "largest", "was", "cost $", "without $", "% less")
    table = recorded.table("session", *names)
    for one in found:
        sizes = (f"{one.largest_sent:,}", f"{one.largest_full:,}")
        table.add_row(Text(one.session, style="bold"), *_cells(one.totals, sizes))
    return table


def _cells(totals: Savings, sizes: tuple[str, str]) -> Iterator[str]:
    yield f"{totals.calls:,}"
    yield f"{totals.full_tokens:,}"
    yield f"{totals.sent_tokens:,}"
    yield percent(1 - totals.sent_tokens / totals.full_tokens) if totals.full_tokens else "–"
    yield percent(totals.read_tokens / totals.sent_tokens) if totals.sent_tokens else "–"
    yield from sizes
    yield "–" if totals.cost_usd is None else f"{totals.cost_usd:.2f}"
    yield "–" if totals.full_cost_usd is None else f"{totals.full_cost_usd:.2f}"
    yield percent(totals.saved_usd / totals.full_cost_usd) if totals.saved_usd is not None and totals.full_cost_usd else "–"


def _curves(one: "Outcome", width: int) -> Iterator[Text]:
    full, sent = ([float(sizes[place]) for sizes in one.curve] for place in (0, 1))
    top = max(full, default=0.0)
    for place, line in enumerate(chart.curves({"full history": full, "sent": sent}, width=max(10, width - 12), height=HEIGHT)):
        label = {0: f"{top:,.0f}", HEIGHT - 1: "0"}.get(place, "")
        yield Text.assemble((f"{label:>9} ", "dim"), line)
    yield Text.assemble(" " * 10, f"call 1 to {len(one.curve)}   ", chart.legend(["full history", "sent"]))


def _told(one: "Outcome") -> Iterator[str]:
    hidden = sum(block.tokens - min(block.tokens, block.shown) for block in one.offloaded)
    cuts = f"{one.epochs} compaction{'s' if one.epochs != 1 else ''}"
    yield f"{cuts}; {len(one.offloaded)} blocks, {hidden:,} tokens, are outside the newest view, each a file away:"
    for block in one.offloaded[:LARGEST]:
        yield f"  {block.block:<5} {block.what[:50]:<50} {block.lines:>6,} lines {block.tokens:>8,} → {block.shown:,} tokens"
    for back in one.read_backs:
        lines = back.printed.split("\n")
        yield f"read back: {_short(back.command)}, {len(lines)} line{'s' if len(lines) != 1 else ''}"
    if one.read_backs:
        fetched = max(one.read_backs[-1].printed.split("\n"), key=lambda line: "requeued" in line)
        yield f"  {' '.join(fetched.split())}"


def _short(command: str) -> str:
    """A command without the folders of the throw-away store."""
    return re.sub(r"/\S*?/workspace/", "…/workspace/", command)
