"""`pumice policy`: which policies there are, and what each of their values is and where it comes from."""

import json
import sys
from typing import Any

import msgspec
from cyclopts import App
from rich import box
from rich.console import Console
from rich.table import Table

from pumice.compact import triggers
from pumice.domain.book import Room
from pumice.domain.manifest import Usable
from pumice.domain.policy import Policy
from pumice.domain.policy import read as policy_read
from pumice.faces import settings
from pumice.measure.window import usable

app = App("policy", help="List, show and check policies.\n\nExample: pumice policy show balanced --window 60000")


def _print(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


@app.command(name="list")
def list_policies(*, json: bool = False) -> int:
    """Name the policies shipped with the package, what each is made for, and the levels it makes room by.

    Example: pumice policy list

    Parameters
    ----------
    json
        Print [{"name", "task", "order"}].
    """
    policies = [settings.policy(name) for name in settings.preset_names()]
    if json:
        _print([{"name": policy.name, "task": policy.task, "order": list(policy.order)} for policy in policies])
        return 0
    wide = max(len(policy.name) for policy in policies)
    for policy in policies:
        task = f"for {policy.task}, " if policy.task != "any" else ""
        levels = f"makes room by {', '.join(policy.order)}" if policy.order else "never makes room"
        sys.stdout.write(f"{policy.name:<{wide}}  {task}{levels}\n")
    return 0


class Sizes(msgspec.Struct, frozen=True):
    """What a policy comes to in tokens of the complete request, on one window; None: it never cuts."""

    usable: int
    warns_at: int
    acts_at: int | None
    goes_down_to: int | None
    """Where system and tools are small: of a larger head its share stays besides."""


def sizes(policy: Policy, room: Usable) -> Sizes:
    """The triggers of a policy as numbers (F-C1)."""
    given = Room(room.window, room.tokens, head=0, factor=1.0, input_limit=room.input_limit)
    warns = triggers.warn_at(given, policy.budget)
    if not policy.order:
        return Sizes(room.tokens, warns, None, None)
    return Sizes(room.tokens, warns, triggers.act_at(given, policy.budget), triggers.goal(policy.budget, given))


@app.command(usage="Usage: pumice policy show [OPTIONS] [NAME]")
def show(name: str | None = None, /, *, window: int | None = None, model: str = "", json: bool = False) -> int:
    """Print every effective value of a policy with its origin, and in tokens what is usable, where it acts and goes down to.

    Example: pumice policy show codex --window 200000

    Parameters
    ----------
    name
        A preset or a YAML file; without it what is in force here: the project's `.pumice.yaml` over the user's file.
    window
        Tokens of the model's window; the policy's or the model's own without it.
    model
        Model whose window and limits apply.
    json
        Print {"policy", "values": {key: {"value", "origin"}}, "usable", "tokens", "warns_at", "acts_at", "goes_down_to"}.
    """
    found = settings.in_force() if name is None else settings.effective(name)
    room = usable(found.policy.budget, model=model, window=window)
    made = sizes(found.policy, room)
    if json:
        values = {key: {"value": value, "origin": found.origins[key]} for key, value in policy_read.values(found.policy)}
        told = {"usable": msgspec.to_builtins(room), "tokens": made.usable, "warns_at": made.warns_at}
        told |= {"acts_at": made.acts_at, "goes_down_to": made.goes_down_to}
        _print({"policy": found.policy.name, "values": values, **told})
        return 0
    table = Table("key", "value", "origin", box=box.SIMPLE_HEAD, pad_edge=False)
    for key, value in policy_read.values(found.policy):
        table.add_row(key, _shown(value), found.origins[key])
    console = Console()
    console.print(table)
    for line in (_usable(room), _acts(made), *(f"warning: {warning}" for warning in room.warnings)):
        console.print(line, markup=False)
    return 0


def _usable(room: Usable) -> str:
    parts = f"window {room.window:,} ({room.source}) − output {room.reserve_output:,} − safety {room.safety:,}"
    return f"usable {room.tokens:,} = {parts}"


def _acts(made: Sizes) -> str:
    if made.acts_at is None:
        return "never acts"
    return f"warns at {made.warns_at:,}, acts at {made.acts_at:,}, goes down to {made.goes_down_to:,}"


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
    said = "–" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    first, _, rest = said.partition("\n")
    return f"{first} …" if rest else first
