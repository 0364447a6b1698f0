"""`pumice density`: how much of what a model was shown was worth showing."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pumice.evaluate import density as dense
from pumice.evaluate.density import PolicyDensity, SessionDensity
from pumice.evaluate.options import Options
from pumice.evaluate.replay import Plan
from pumice.evaluate.table import percent
from pumice.faces.cli import chart, recorded

MOST_TOOLS = 12
"""Tools listed; the others are in the JSON."""


def density(
    *files: Path,
    policy: Annotated[tuple[str, ...], Parameter(name=["--policy", "-p"], negative=())] = (recorded.RECORDED,),
    window: int | None = None,
    model: str | None = None,
    dialect: str | None = None,
    json: bool = False,
) -> int:
    """How much of what the model was shown was worth showing: call by call, pooled, and by tool.

    Unreferenced: tokens in blocks from which neither the answer to the view nor any later one takes a name, path or number.
    Repeated: tokens in blocks that stand in the same view before. Re-read: reads that fetch the same file or query again.

    Example: pumice density session.jsonl --policy recorded --policy balanced --window 60000

    Parameters
    ----------
    files
        Recorded sessions; a folder stands for the recordings in it.
    policy
        A preset, a YAML file, or `recorded` for what the client really sent; once or more often; recorded without it.
    window
        Tokens of the model's window; the policy's or the model's own without it.
    model
        Model whose window and token factor apply instead of the recorded one's.
    dialect
        anthropic, openai-chat, openai-responses or gemini, when a file does not tell.
    json
        Print {"sessions": [{"file", "format", "calls", "policies": {P: {"pooled", "by_call", "tools"}}}]}.
    """
    paths = recorded.files(files, command="density")
    recorded.at_least("--window", window, 1)
    policies = recorded.policies(policy)
    options = Options(window, model, steps=recorded.steps(policies.values()))
    plan = Plan(policies=policies, options=options, dialect=dialect)
    sessions = recorded.each(paths, lambda path, tick: dense.measure(path, plan, tick))
    if json:
        sys.stdout.write(msgspec.json.encode({"sessions": sessions}).decode() + "\n")
        return 0
    console = recorded.console()
    for session in sessions:
        _print(console, session)
    return 0


def _print(console: Console, session: SessionDensity) -> None:
    console.print(Text.assemble((PurePath(session.file).name, "bold"), f", {session.calls} calls"))
    console.print(_pooled(session))
    for name, found in session.policies.items():
        console.print(*_chart(name, found, console.width), sep="\n")
        console.print(_tools(name, found))


def _pooled(session: SessionDensity) -> Table:
    table = recorded.table("policy", "tokens shown", "unreferenced %", "repeated %", "re-read %")
    for name, found in session.policies.items():
        one = found.pooled
        shares = map(percent, (one.unreferenced_share, one.repeated_share, one.reread_rate))
        table.add_row(Text(name, style="bold"), f"{one.tokens:,}", *shares)
    return table


def _chart(name: str, found: PolicyDensity, width: int) -> Iterator[Text]:
    """Bars over the calls: how large views are, and how much of them nobody uses."""
    room = max(10, width - 34)
    rows: Sequence[tuple[str, Sequence[float | None], float | None]] = (
        ("tokens", [call.tokens for call in found.by_call], None),
        ("unreferenced", [call.unreferenced_share for call in found.by_call], 1.0),
        ("repeated", [call.repeated_share for call in found.by_call], 1.0),
    )
    for title, values, top in rows:
        known = [value for value in values if value is not None]
        most = max(known, default=0)
        told = f"{most:,}" if top is None else f"{percent(most)}%"
        yield Text.assemble(
            (f"{name[:10]:<10} ", "dim"), f"{title:<13}", (chart.bars(values, room, top=top), "cyan"), f" {told}"
        )


def _tools(name: str, found: PolicyDensity) -> Table:
    table = recorded.table(f"{name}: tool", "tokens", "in all views", "unreferenced %", "reads", "read again")
    for tool in found.tools[:MOST_TOOLS]:
        share = percent(tool.unreferenced / tool.carried if tool.carried else None)
        table.add_row(Text(tool.tool), f"{tool.tokens:,}", f"{tool.carried:,}", share, f"{tool.reads:,}", f"{tool.rereads:,}")
    if len(found.tools) > MOST_TOOLS:
        rest = found.tools[MOST_TOOLS:]
        table.add_row(f"{len(rest)} more", f"{sum(t.tokens for t in rest):,}", f"{sum(t.carried for t in rest):,}", "", "", "")
    return table
