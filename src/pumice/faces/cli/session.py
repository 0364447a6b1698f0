"""`pumice session`: what is stored, past views rebuilt, epochs rolled back, sessions forgotten."""

import json as json_
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from cyclopts import App
from rich.table import Table
from rich.text import Text

from pumice.domain.event import SessionInfo
from pumice.faces.cli import recorded, stored
from pumice.faces.library import Engine

app = App("session", help="List, rebuild, roll back and forget stored sessions.\n\nExample: pumice session list")


def _print(value: Any) -> None:
    sys.stdout.write(json_.dumps(value, ensure_ascii=False) + "\n")


@app.command(name="list")
def list_sessions(*, scope: str = "", json: bool = False) -> int:
    """List the sessions stored for a tenant.

    Example: pumice session list --scope tenant:acme

    Parameters
    ----------
    scope
        tenant:T; the local tenant without it.
    json
        Print one object per session.
    """
    with Engine.open() as engine:
        found = engine.sessions(scope)
    if json:
        _print(msgspec.to_builtins(found))
        return 0
    if found:
        # A name that is wider than the terminal is wrapped by that, not cut here.
        recorded.console().print(_table(found), crop=False)
    else:
        sys.stdout.write("no sessions are stored\n")
    return 0


def _table(found: Sequence[SessionInfo]) -> Table:
    """A line for each session, its name whole: other commands take it."""
    table = recorded.table("session", "events", "bytes", "last used (UTC)")
    table.columns[0].min_width = max(len(info.key.session) for info in found)
    for info in found:
        last = datetime.fromtimestamp(info.last_at, UTC)
        table.add_row(Text(info.key.session), f"{info.events:,}", f"{info.bytes:,}", f"{last:%Y-%m-%d %H:%M:%S}")
    return table


@app.command
def rebuild(name: str, call: int, /, *, scope: str = "", json: bool = False) -> int:
    """Print the body of a past call, as it was sent.

    Example: pumice session rebuild build-42 17 > body.json

    Parameters
    ----------
    name
        A stored session.
    call
        Number of the call, from 1.
    scope
        tenant:T/project:P/user:U, where several sessions have that name; the local tenant without it.
    json
        Print {"session", "call", "body"} instead of the body alone.
    """
    with Engine.open() as engine:
        body = engine.session(name, scope=stored.scope_of(engine, name, scope)).rebuild(call)
    if json:
        _print({"session": name, "call": call, "body": json_.loads(body)})
    else:
        sys.stdout.buffer.write(body + b"\n")
    return 0


@app.command
def rollback(name: str, epoch: int, /, *, agent: str = "main", scope: str = "", json: bool = False) -> int:
    """Show a session as in an earlier epoch again, as a new epoch.

    Example: pumice session rollback build-42 0

    Parameters
    ----------
    name
        A stored session.
    epoch
        Number of the epoch; 0 is before the first compaction.
    agent
        The agent whose views go back; main without it.
    scope
        tenant:T/project:P/user:U, where several sessions have that name; the local tenant without it.
    json
        Print {"session", "agent", "as_epoch", "epoch"}.
    """
    with Engine.open() as engine:
        session = engine.session(name, scope=stored.scope_of(engine, name, scope))
        session.rollback(epoch, agent=agent)
        now = session.inner.tree.current[agent].epoch.number
    if json:
        _print({"session": name, "agent": agent, "as_epoch": epoch, "epoch": now})
    else:
        sys.stdout.write(f"{name}: epoch {now} shows what epoch {epoch} showed\n")
    return 0


@app.command
def forget(name: str, /, *, scope: str = "", json: bool = False) -> int:
    """Remove everything kept of a session.

    Example: pumice session forget build-42

    Parameters
    ----------
    name
        A stored session.
    scope
        tenant:T/project:P/user:U, where several sessions have that name; the local tenant without it.
    json
        Print {"session", "removed"}.
    """
    with Engine.open() as engine:
        removed = engine.forget(name, scope=stored.scope_of(engine, name, scope))
    if json:
        _print({"session": name, "removed": removed})
    else:
        sys.stdout.write(f"{name}: {removed} entries removed\n")
    return 0
