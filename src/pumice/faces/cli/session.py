"""`pumice session`: what is stored, past views rebuilt, epochs rolled back, sessions forgotten."""

import json as json_
import sys
from datetime import UTC, datetime
from typing import Any

import msgspec
from cyclopts import App

from pumice.errors import InvalidInput
from pumice.faces.library import Engine

app = App("session", help="List, rebuild, roll back and forget stored sessions.\n\nExample: pumice session list")


def _print(value: Any) -> None:
    sys.stdout.write(json_.dumps(value, ensure_ascii=False) + "\n")


def _known(engine: Engine, name: str, scope: str) -> None:
    """A command on a session that is not stored must not create it."""
    if not any(info.key.session == name for info in engine.sessions(scope)):
        raise InvalidInput(f"no session {name!r} is stored here.", hint="pumice session list names them.")


@app.command(name="list")
def list_sessions(*, scope: str = "", json: bool = False) -> int:
    """List the sessions stored for a tenant.

    Example: pumice session list --scope tenant:acme
    """
    with Engine.open() as engine:
        found = engine.sessions(scope)
    if json:
        _print(msgspec.to_builtins(found))
        return 0
    for info in found:
        last = datetime.fromtimestamp(info.last_at, UTC).isoformat(timespec="seconds")
        sys.stdout.write(f"{info.key.session}  {info.events} events  {info.bytes:,} bytes  last {last}\n")
    if not found:
        sys.stdout.write("no sessions are stored\n")
    return 0


@app.command
def rebuild(name: str, call: int, *, scope: str = "", json: bool = False) -> int:
    """Print the body of a past call, as it was sent.

    Example: pumice session rebuild build-42 17 > body.json
    """
    with Engine.open() as engine:
        _known(engine, name, scope)
        body = engine.session(name, scope=scope).rebuild(call)
    if json:
        _print({"session": name, "call": call, "body": json_.loads(body)})
    else:
        sys.stdout.buffer.write(body + b"\n")
    return 0


@app.command
def rollback(name: str, epoch: int, *, agent: str = "main", scope: str = "", json: bool = False) -> int:
    """Show a lane as in an earlier epoch again, as a new epoch.

    Example: pumice session rollback build-42 0
    """
    with Engine.open() as engine:
        _known(engine, name, scope)
        session = engine.session(name, scope=scope)
        session.rollback(epoch, agent=agent)
        now = session.inner.tree.current[agent].epoch.number
    if json:
        _print({"session": name, "agent": agent, "as_epoch": epoch, "epoch": now})
    else:
        sys.stdout.write(f"{name}: epoch {now} shows what epoch {epoch} showed\n")
    return 0


@app.command
def forget(name: str, *, scope: str = "", json: bool = False) -> int:
    """Remove everything kept of a session.

    Example: pumice session forget build-42
    """
    with Engine.open() as engine:
        _known(engine, name, scope)
        removed = engine.forget(name, scope=scope)
    if json:
        _print({"session": name, "removed": removed})
    else:
        sys.stdout.write(f"{name}: {removed} entries removed\n")
    return 0
