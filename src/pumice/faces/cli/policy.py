"""`pumice policy`: which policies there are, and what each of their values is and where it comes from."""

import json
import sys
from typing import Any

import msgspec
from cyclopts import App
from rich import box
from rich.console import Console
from rich.table import Table

from pumice.domain.policy import read as policy_read
from pumice.faces import settings
from pumice.measure.window import usable

app = App("policy", help="List, show and check policies.\n\nExample: pumice policy show balanced --window 60000")


def _print(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


@app.command(name="list")
def list_policies(*, json: bool = False) -> int:
    """Name the policies shipped with the package, and the levels each makes room by.

    Example: pumice policy list

    Parameters
    ----------
    json
        Print [{"name", "order"}].
    """
    found = [{"name": name, "order": list(settings.policy(name).order)} for name in settings.preset_names()]
    if json:
        _print(found)
        return 0
    for item in found:
        levels = ", ".join(item["order"])
        sys.stdout.write(f"{item['name']:<12} {f'makes room by: {levels}' if levels else 'never makes room'}\n")
    return 0


@app.command
def show(name: str, /, *, window: int | None = None, model: str = "", json: bool = False) -> int:
    """Print every effective value of a policy with its origin, and the usable window in tokens.

    Example: pumice policy show balanced --window 60000

    Parameters
    ----------
    name
        A preset or a YAML file.
    window
        Tokens of the model's window; the policy's or the model's own without it.
    model
        Model whose window and limits apply.
    json
        Print {"policy", "values": {key: {"value", "origin"}}, "usable", "tokens"}.
    """
    found = settings.effective(name)
    room = usable(found.policy.budget, model=model, window=window)
    if json:
        values = {key: {"value": value, "origin": found.origins[key]} for key, value in policy_read.values(found.policy)}
        _print({"policy": found.policy.name, "values": values, "usable": msgspec.to_builtins(room), "tokens": room.tokens})
        return 0
    table = Table("key", "value", "origin", box=box.SIMPLE_HEAD, pad_edge=False)
    for key, value in policy_read.values(found.policy):
        table.add_row(key, _shown(value), found.origins[key])
    console = Console()
    console.print(table)
    parts = f"window {room.window:,} ({room.source}) − output {room.reserve_output:,} − safety {room.safety:,}"
    console.print(f"usable {room.tokens:,} = {parts}", markup=False)
    for warning in room.warnings:
        console.print(f"warning: {warning}", markup=False)
    return 0


@app.command
def check(name: str, /, *, json: bool = False) -> int:
    """Check a policy file: exit 2 with the path of the first wrong key or value.

    Example: pumice policy check my-policy.yaml

    Parameters
    ----------
    name
        A YAML file, or a preset.
    json
        Print {"valid", "policy"}.
    """
    found = settings.effective(name)
    if json:
        _print({"valid": True, "policy": found.policy.name})
    else:
        sys.stdout.write(f"{name}: valid, {len(found.origins)} values\n")
    return 0


def _shown(value: Any) -> str:
    """As a policy file would say it; nothing set is a dash."""
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "–"
    return "–" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
