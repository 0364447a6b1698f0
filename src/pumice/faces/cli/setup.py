"""`pumice setup`: the lines that point an agent client at the proxy; written only on request, and taken back."""

import json as json_
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pumice.errors import InvalidInput
from pumice.faces import settings
from pumice.faces.clients import change, known
from pumice.faces.clients.known import Plan, Target
from pumice.store.home import WORKSPACE

Client = Literal["claude-code", "codex", "gemini"]


def setup(client: Client, /, *, url: str = known.URL, write: bool = False, undo: bool = False, json: bool = False) -> int:
    """Print the lines that point a client at the proxy, each with its reason; write them only when asked to.

    Written are only these lines: other settings, their order and comments stay, and a copy of the file lies beside it.

    Example: pumice setup claude-code --write

    Parameters
    ----------
    client
        claude-code, codex or gemini.
    url
        Where `pumice serve` listens; http://127.0.0.1:8787 without it.
    write
        Write the lines to the client's own settings.
    undo
        Take them out again: the file is what it was where nobody else has changed it, else it loses only these lines.
    json
        Print {"client", "variables", "files": [{"file", "form", "text", "values": [{"path", "value", "why"}]}], "notes",
        "written", "undone", "kept"}.
    """
    if write and undo:
        raise InvalidInput("--write and --undo given; expected one of them.")
    files = settings.home() / WORKSPACE
    plan = known.plan(client, _checked(url), environment=os.environ, home=Path.home(), files=files)
    written = [str(target.file) for target in plan.targets if write and change.write(target, _record(client, target))]
    undone, kept = _taken_back(plan) if undo else ([], [])
    if json:
        told = {"written": written, "undone": undone, "kept": kept}
        sys.stdout.write(json_.dumps({**_described(plan), **told}, ensure_ascii=False) + "\n")
    else:
        lines = _done(plan, written) if write else _undone(plan, undone, kept) if undo else _shown(plan)
        sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


def _checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/"):
        raise InvalidInput(f"--url {url!r} given, expected where pumice listens, such as {known.URL}.")
    return url


def _record(client: str, target: Target) -> Path:
    """Where it is on record what was written to a file."""
    return settings.home() / "setup" / f"{client}-{target.file.name.lstrip('.')}.json"


def _taken_back(plan: Plan) -> tuple[list[str], list[str]]:
    undone: list[str] = []
    kept: list[str] = []
    for target in plan.targets:
        record = _record(plan.client, target)
        if record.exists():
            kept += change.undo(record)
            undone.append(str(target.file))
    return undone, kept


def _described(plan: Plan) -> dict[str, object]:
    files = [
        {
            "file": str(target.file),
            "form": target.form,
            "text": change.preview(target),
            "values": [{"path": list(edit.path), "value": edit.value, "why": edit.why} for edit in target.edits],
        }
        for target in plan.targets
    ]
    return {"client": plan.client, "variables": dict(plan.variables), "files": files, "notes": list(plan.notes)}


def _shown(plan: Plan) -> Iterator[str]:
    yield f"{known.TITLES[plan.client]}, pointed at pumice"
    if plan.variables:
        yield "\nfor one shell:\n"
        yield from (f"  export {name}={value}" for name, value in plan.variables.items())
    for target in plan.targets:
        yield f"\nfor good, in {target.file}:\n"
        yield from (f"  {line}" if line else "" for line in change.preview(target).rstrip().split("\n"))
    yield "\nwhy each:\n"
    for edit in (edit for target in plan.targets for edit in target.edits):
        yield f"  {edit.path[-1]}: {edit.why}"
    yield from (f"\n{note}" for note in plan.notes)
    yield f"\nnothing is written. To write it: pumice setup {plan.client} --write; to take it back: --undo"


def _done(plan: Plan, written: list[str]) -> Iterator[str]:
    if not written:
        yield f"{known.TITLES[plan.client]} points here already; nothing was changed"
        return
    for file in written:
        copy = change.copy_of(Path(file))
        yield f"{file}: written" + (f"; as it was before it lies in {copy.name} beside it" if copy.exists() else "")
    yield from plan.notes
    yield f"take it back with: pumice setup {plan.client} --undo"


def _undone(plan: Plan, undone: list[str], kept: list[str]) -> Iterator[str]:
    if not undone:
        yield f"nothing of ours stands in the settings of {known.TITLES[plan.client]}"
    for file in undone:
        yield f"{file}: {'what was written is out again' if Path(file).exists() else 'removed; there was none before'}"
    yield from kept
