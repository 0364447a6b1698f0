"""`pumice probe`: what each cut of a session has lost."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from pumice.evaluate import probing
from pumice.evaluate.options import Options
from pumice.evaluate.probing import CutProbes, SessionProbes
from pumice.evaluate.replay import Plan
from pumice.evaluate.share import Share
from pumice.evaluate.table import percent
from pumice.faces.cli import recorded
from pumice.faces.policy_files import probe_set

MOST = 4
"""Answers printed of one probe; all are in the JSON."""
CHARS = 90


def probe(
    *files: Path,
    set: Annotated[tuple[str, ...], Parameter(name=["--set", "-s"], negative=())] = ("default",),  # noqa: A002 - the option's name
    policy: Annotated[tuple[str, ...], Parameter(name=["--policy", "-p"], negative=())] = ("balanced",),
    window: int | None = None,
    model: str | None = None,
    dialect: str | None = None,
    json: bool = False,
) -> int:
    """Ask the same questions before and after every cut of recorded sessions, and name what was lost; exit 1 for too much.

    Lines that begin with - could be read before a cut and cannot after; with + it is the other way round.

    Example: pumice probe session.jsonl --policy codex --window 60000

    Parameters
    ----------
    files
        Recorded sessions or request bodies; a folder stands for the recordings in it.
    set
        A shipped probe set (default, coding, research, support) or a YAML file; once or more often; default without it.
    policy
        A preset, a YAML file, or `recorded` for what the client really sent; once or more often; balanced without it.
    window
        Tokens of the model's window; the policy's or the model's own without it.
    model
        Model whose window and token factor apply instead of the recorded one's.
    dialect
        anthropic, openai-chat, openai-responses or gemini, when a file does not tell.
    json
        Print {"sets", "sessions": [{"file", "format", "calls", "policies": {P: [{"call", "epoch", "cause", "continuation",
        "probes"}]}}]}.
    """
    paths = recorded.files(files, command="probe")
    recorded.at_least("--window", window, 1)
    sets = [probe_set(name) for name in set]
    policies = recorded.policies(policy)
    plan = Plan(policies=policies, options=Options(window, model, steps=recorded.steps(policies.values())), dialect=dialect)
    sessions = recorded.each(paths, lambda path, tick: probing.measure(path, plan, sets, tick))
    if json:
        sys.stdout.write(msgspec.json.encode({"sets": [one.title for one in sets], "sessions": sessions}).decode() + "\n")
    else:
        console = recorded.console()
        for session in sessions:
            _print(console, session)
    return 1 if any(cut.has_failed for session in sessions for cuts in session.policies.values() for cut in cuts) else 0


def _print(console: Console, session: SessionProbes) -> None:
    console.print(Text.assemble((PurePath(session.file).name, "bold"), f", {session.calls} calls"))
    for name, cuts in session.policies.items():
        console.print(_summary(name, cuts), *(line for cut in cuts for line in _cut(cut)), sep="\n")


def _summary(name: str, cuts: Sequence[CutProbes]) -> Text:
    share = percent(sum((cut.continuation for cut in cuts), Share()).value)
    lost = sum(cut.lost for cut in cuts)
    told = f", {share}% of the questions answered after a cut, {lost} answers lost" if cuts else ""
    return Text.assemble("  ", (name, "bold"), f": {len(cuts)} cut{'s' * (len(cuts) != 1)}{told}")


def _cut(cut: CutProbes) -> Iterator[Text]:
    asked, before, after = (sum(getattr(one, name) for one in cut.probes) for name in ("asked", "before", "after"))
    yield Text(f"    call {cut.call}, epoch {cut.epoch} ({cut.cause}): {asked} answers, {before} before, {after} after")
    for one in cut.probes:
        if one.lost or one.found:
            yield Text(f"      {one.id} · {one.ask} {one.before} → {one.after} of {one.asked}")
            yield from _answers("-", one.lost, "red")
            yield from _answers("+", one.found, "green")


def _answers(sign: str, answers: Sequence[str], style: str) -> Iterator[Text]:
    for answer in answers[:MOST]:
        yield Text(f"        {sign} {answer[:CHARS]}{' …' * (len(answer) > CHARS)}", style=style)
    if len(answers) > MOST:
        yield Text(f"        {sign} {len(answers) - MOST} more", style=style)
