"""`pumice tools`: what tool definitions cost, who uses them, whether they stand still."""

import sys
from collections.abc import Iterator
from pathlib import Path, PurePath

import msgspec
import yaml
from rich.table import Table
from rich.text import Text

from pumice.evaluate import toolcosts
from pumice.evaluate.toolcosts import SessionTools
from pumice.faces.cli import recorded

MOST_MOVES = 5
"""Changes told one by one; the others are in the JSON."""


def tools(*files: Path, model: str | None = None, dialect: str | None = None, json: bool = False) -> int:
    """What the tool definitions of recorded sessions cost, which of them nobody used, and whether they stood still.

    Where the provider can search deferred tools, the part of a policy that defers the unused ones is printed.

    Example: pumice tools session.json --model claude-opus-4-5

    Parameters
    ----------
    files
        Recorded sessions; a folder stands for the recordings in it.
    model
        Model to price for instead of the recorded one.
    dialect
        anthropic, openai-chat, openai-responses or gemini, when a file does not tell.
    json
        Print {"sessions": [{"file", "model", "calls", "tokens", "usd", "unused", "unused_tokens", "stable", "moved",
        "saving", "refusal", "unseen_head_tokens", "tools"}]}.
    """
    paths = recorded.files(files, command="tools")
    sessions = recorded.each(paths, lambda path, _: toolcosts.measure(path, dialect=dialect, model=model))
    if json:
        sys.stdout.write(msgspec.json.encode({"sessions": sessions}).decode() + "\n")
        return 0
    console = recorded.console()
    for session in sessions:
        named = session.model or "unknown model"
        console.print(Text.assemble((PurePath(session.file).name, "bold"), f", {session.calls} calls, {named}"))
        if session.tools:
            console.print(_table(session))
        console.print(*(Text(line) for line in _told(session)), sep="\n", soft_wrap=True)
    return 0


def _table(session: SessionTools) -> Table:
    table = recorded.table("tool", "tokens", "share %", "calls", "USD")
    for tool in session.tools:
        share = f"{100 * tool.tokens / session.tokens:.1f}" if session.tokens else ""
        style = "" if tool.calls else "yellow"
        table.add_row(Text(tool.tool, style), f"{tool.tokens:,}", share, f"{tool.calls:,}", _usd(tool.usd))
    return table


def _told(session: SessionTools) -> Iterator[str]:
    """What the definitions add up to, in words."""
    if not session.tools:
        unseen = session.unseen_head_tokens
        yield "the recording shows no tool definitions" + (
            f"; {unseen:,} tokens of its first bill are unseen" if unseen else ""
        )
        return
    yield f"{len(session.tools)} definitions, {session.tokens:,} tokens in every request, {_paid(session.usd)} over all calls"
    if session.unused:
        yield f"{session.unused} never used: {session.unused_tokens:,} tokens"
    yield from _moves(session)
    if session.refusal:
        yield f"none can be deferred: {session.refusal}"
    elif session.saving is not None:
        yield f"deferred, they would leave {session.saving.tokens:,} tokens out of each request ({_paid(session.saving.usd)}):"
        yield yaml.safe_dump({"tools": session.saving.tools}, default_flow_style=True, sort_keys=False, width=1000).strip()


def _moves(session: SessionTools) -> Iterator[str]:
    if session.stable is None:
        yield "order between calls: not recorded"
    elif session.stable:
        yield f"order between calls: the same in all {session.calls}"
    for moved in session.moved[:MOST_MOVES]:
        yield f"call {moved.call}: {moved.path} ({moved.kind})"
    if len(session.moved) > MOST_MOVES:
        yield f"{len(session.moved) - MOST_MOVES} more changes"


def _usd(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _paid(value: float | None) -> str:
    return "price unknown" if value is None else f"${value:.4f}"
