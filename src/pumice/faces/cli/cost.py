"""`pumice cost`: what sessions cost by part, with and without management, and how resending adds up."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pumice.evaluate import costs
from pumice.evaluate.costs import SessionCost
from pumice.evaluate.options import Options
from pumice.evaluate.replay import Plan
from pumice.evaluate.table import percent
from pumice.faces.cli import chart, recorded

HEIGHT = 8
MOST_MISSES = 5
"""Cache misses told one by one; the others are in the JSON."""


def cost(
    *files: Path,
    policy: Annotated[tuple[str, ...], Parameter(name=["--policy", "-p"], negative=())] = ("balanced",),
    window: int | None = None,
    model: str | None = None,
    ttl: float | None = None,
    dialect: str | None = None,
    json: bool = False,
) -> int:
    """What recorded sessions cost: by kind of token, by partition, with and without management, and as resending adds up.

    Example: pumice cost session.jsonl --policy recorded --policy balanced --window 60000

    Parameters
    ----------
    files
        Recorded sessions; a folder stands for the recordings in it.
    policy
        A preset, a YAML file, or `recorded` for what the client really sent; once or more often; balanced without it.
    window
        Tokens of the model's window; the policy's or the model's own without it.
    model
        Model whose prices, window and token factor apply instead of the recorded one's.
    ttl
        Seconds after which an unused cache is cold, by the recorded times; never without it.
    dialect
        anthropic, openai-chat, openai-responses or gemini, when a file does not tell.
    json
        Print {"sessions": [{"file", "model", "calls", "full", "policies": {P: {"input_tokens", "read_tokens", "usd",
        "share", "by_partition", "so_far"}}, "cache"}]}.
    """
    paths = recorded.files(files, command="cost")
    for name, value, least in (("--window", window, 1), ("--ttl", ttl, 0)):
        recorded.at_least(name, value, least)
    policies = recorded.policies(policy)
    options = Options(window, model, ttl, steps=recorded.steps(policies.values()))
    plan = Plan(policies=policies, options=options, dialect=dialect)
    sessions = recorded.each(paths, lambda path, tick: costs.measure(path, plan, tick))
    if json:
        sys.stdout.write(msgspec.json.encode({"sessions": sessions}).decode() + "\n")
        return 0
    console = recorded.console()
    for session in sessions:
        _print(console, session)
    return 0


def _print(console: Console, session: SessionCost) -> None:
    named = session.model or "unknown model"
    console.print(Text.assemble((PurePath(session.file).name, "bold"), f", {session.calls} calls, {named}"))
    if not session.full:
        console.print("prices of this model are not known; name another with --model")
        return
    console.print(_table(session))
    console.print(*_curves(session, console.width), sep="\n")
    for line in _misses(session):
        console.print(line, style="dim", highlight=False)


def _table(session: SessionCost) -> Table:
    table = recorded.table("USD of the input", "total", "% of full", "read", "written", "no cache", "by partition")
    table.columns[-1].justify = "left"
    last = session.full[-1]
    table.add_row(Text("full history", style="dim"), f"{last.cached:.4f}", "100", "", "", f"{last.uncached:.4f}", "")
    for name, found in session.policies.items():
        usd = found.usd
        if usd is not None:
            paid = (f"{value:.4f}" for value in (usd.read, usd.written, usd.without_cache))
            table.add_row(
                Text(name, style="bold"), f"{usd.total:.4f}", percent(found.share), *paid, _shares(found.by_partition)
            )
    return table


def _shares(parts: Mapping[str, float] | None) -> str:
    """Partitions by what they cost, dearest first."""
    whole = sum(parts.values()) if parts else 0
    return ", ".join(f"{name} {100 * usd / whole:.0f}%" for name, usd in parts.items()) if parts and whole else "–"


def _curves(session: SessionCost, width: int) -> Iterator[Text]:
    """USD so far, call by call; the full history without a cache is told in words, for it would dwarf the rest."""
    series: dict[str, Sequence[float]] = {"full history, cached": [point.cached for point in session.full]}
    series |= {name: found.so_far for name, found in session.policies.items() if found.so_far}
    top = max(values[-1] for values in series.values())
    room = max(10, width - 12)
    for place, line in enumerate(chart.curves(series, width=room, height=HEIGHT)):
        label = {0: f"${top:.2f}", HEIGHT - 1: "$0"}.get(place, "")
        yield Text.assemble((f"{label:>9} ", "dim"), line)
    yield Text.assemble(" " * 10, f"call 1 to {session.calls}   ", chart.legend(list(series)))
    last = session.full[-1]
    yield Text(
        f"resent in full: {last.sent:,} tokens in all, {last.input:,} in the last call; ${last.uncached:.2f} without a cache"
    )


def _misses(session: SessionCost) -> Iterator[str]:
    """What the recorded client's cache was to hold, and what the provider billed as read."""
    found = session.cache
    if not found.calls:
        return
    yield f"recorded cache reads: {found.reported:,} tokens of {found.predicted:,} foretold, {found.calls} calls"
    for missed in found.missed[:MOST_MISSES]:
        yield f"call {missed.call}: {missed.tokens:,} tokens fewer than foretold"
    if len(found.missed) > MOST_MISSES:
        yield f"{len(found.missed) - MOST_MISSES} more such calls"
