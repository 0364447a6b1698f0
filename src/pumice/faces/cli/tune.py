"""`pumice tune`: search the thresholds of a policy on recordings of one's own, and show what each trade costs."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import yaml
from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from pumice import recordings
from pumice.domain.policy import Policy
from pumice.errors import InvalidInput
from pumice.evaluate.experiments.run import half_of
from pumice.evaluate.lab import written
from pumice.evaluate.script import Script
from pumice.evaluate.table import percent
from pumice.evaluate.tuning import knobs
from pumice.evaluate.tuning.search import Trial
from pumice.evaluate.tuning.tune import Tuned
from pumice.evaluate.tuning.tune import tune as tuned_of
from pumice.faces import figures_page, saving, settings
from pumice.faces.cli import chart, progress, recorded
from pumice.faces.drawn import Point, Scatter
from pumice.faces.figures_page import Section

TRIALS = 24
HEIGHT = 10
FRONT, OTHER, BASE = "●", "·", "○"
HEADINGS = ("trial", "cost", "honest", "far", "line", "rules", "cuts")


def tune(
    *files: Path,
    policy: str = "balanced",
    task: str | None = None,
    window: int | None = None,
    trials: int = TRIALS,
    seed: int = 1,
    pick: int | None = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    html: Path | None = None,
    dialect: str | None = None,
    json: bool = False,
) -> int:
    """Search the thresholds of a policy on recorded sessions: what more recall costs, and what less cost loses.

    Each trial replays the sessions under the policy with one or two values moved; what costs more and finds less than a trial
    before, already on one session, is not replayed on the others. The same seed gives the same trials. Nothing is written
    unless you ask for it; figures hold for the sessions they were tuned on.

    Example: pumice tune session-1.jsonl session-2.jsonl --task coding --window 60000 -o mine.yaml

    Parameters
    ----------
    files
        Recorded sessions; a folder stands for the recordings in it.
    policy
        Where to start from: a preset or a YAML file; balanced without it.
    task
        coding, research or support: which values are searched; the policy's own task without it, else coding.
    window
        Tokens; without it about half of the largest session, so that room has to be made.
    trials
        How many changed policies are tried; 24 without it.
    seed
        Another number takes another way.
    pick
        With -o: the number of the trial to write, in place of the best at no higher cost.
    output
        Write the policy as YAML, on top of the one it started from.
    html
        Write the curve and all trials: one file that needs no network.
    dialect
        anthropic, openai-chat, openai-responses or gemini, when a file does not tell.
    json
        Print {"policy", "task", "window", "seed", "files", "calls", "knobs", "trials", "best"}.
    """
    paths = recorded.files(files, command="tune")
    for name, value, least in (("--window", window, 1), ("--trials", trials, 1), ("--pick", pick, 0)):
        recorded.at_least(name, value, least)
    if pick is not None and output is None:
        raise InvalidInput("--pick given without -o; expected a file to write the policy to.", hint="Add -o FILE.")
    for path in filter(None, (output, html)):
        saving.prepare(path)
    found = _tuned(paths, settings.policy(policy), _task(task, policy), window, trials, seed, dialect)
    if output is not None:
        saving.write(output, _yaml(found, _picked(found, pick), policy, output))
    if html is not None:
        saving.write(html, _page(found))
    if json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
        return 0
    _print(recorded.console(), found)
    for path in filter(None, (output, html)):
        recorded.console().print(f"written: {path}", markup=False, highlight=False)
    return 0


def _task(asked: str | None, policy: str) -> str:
    if asked is not None and asked not in knobs.TASKS:
        raise InvalidInput(f"--task {asked!r} given; there are {', '.join(knobs.TASKS)}.")
    own = settings.policy(policy).task
    return asked or (own if own in knobs.TASKS else next(iter(knobs.TASKS)))


def _tuned(
    paths: Sequence[Path], policy: Policy, task: str, window: int | None, trials: int, seed: int, dialect: str | None
) -> Tuned:
    told: list[Script] = [written(one) for path in paths for one in recordings.open(path, dialect=dialect)]
    room = window or max(map(half_of, told))
    if not policy.order or not knobs.of(task, policy, room):
        raise InvalidInput(f"policy {policy.name!r} has no value that is searched for {task}.", hint="Name another policy.")
    with progress.bar() as show:
        return tuned_of(told, policy, task=task, window=room, trials=trials, seed=seed, step=show)


def _picked(found: Tuned, number: int | None) -> Trial:
    wanted = found.best if number is None else number
    trial = next((trial for trial in found.trials if trial.number == wanted), None)
    if trial is None or trial.whole is None:
        raise InvalidInput(f"--pick {wanted} given, but no such trial was replayed on all sessions.")
    return trial


def _yaml(found: Tuned, trial: Trial, policy: str, output: Path) -> str:
    """The policy as a file that builds on the one it was found from."""
    base = policy
    if base not in settings.preset_names():
        base = Path(os.path.relpath(Path(policy).resolve(), output.resolve().parent)).as_posix()
    about = f"Tuned on {_about(found)}"
    how = f"Trial {trial.number}: {_said(found.trials[0])} → {_said(trial)}"
    tree: dict[str, Any] = {"extends": base, "task": found.task}
    for key, value in trial.changes.items():
        *parents, last = key.split(".")
        place = tree
        for parent in parents:
            place = place.setdefault(parent, {})
        place[last] = value
    return f"# {about}.\n# {how}.\n{yaml.safe_dump(tree, sort_keys=False)}"


def _said(trial: Trial) -> str:
    found = trial.whole or trial.first
    return f"cost {percent(found.cost)}, far {percent(found.far)}, line {percent(found.line)}"


def _print(console: Console, found: Tuned) -> None:
    console.print(Text.assemble((found.policy, "bold"), f", {_about(found)}"))
    table = recorded.table(*HEADINGS, "changed")
    table.columns[-1].justify, table.columns[-1].no_wrap = "left", False
    for trial in _by_cost(found):
        style = "bold" if trial.number == found.best else "" if trial.is_front or trial.number == 0 else "dim"
        table.add_row(*_row(found, trial), _changes(trial.changes), style=style)
    console.print(table)
    console.print(*_curve(found, console.width), sep="\n")
    dropped = sum(trial.whole is None for trial in found.trials)
    if dropped:
        console.print(f"{dropped} trials were dropped after one session: dearer and poorer there", style="dim")
    best = next(trial for trial in found.trials if trial.number == found.best)
    kept = "nothing found that is better at no higher cost" if best.number == 0 else _changes(best.changes)
    console.print(f"best at no higher cost: {kept}", markup=False, highlight=False)


def _about(found: Tuned) -> str:
    many = "" if len(found.files) == 1 else "s"
    return (
        f"{len(found.files)} session{many}, {found.calls} calls, window {found.window:,}, for {found.task}, seed {found.seed}"
    )


def _by_cost(found: Tuned) -> list[Trial]:
    """Trials replayed in full, cheapest first."""
    whole = [(trial.whole.cost, trial.number, trial) for trial in found.trials if trial.whole is not None]
    return [trial for *_, trial in sorted(whole, key=lambda one: one[:2])]


def _row(found: Tuned, trial: Trial) -> tuple[str, ...]:
    point = trial.whole or trial.first
    mark = FRONT if trial.is_front else BASE if trial.number == 0 else OTHER
    star = " best" if trial.number == found.best else ""
    shares = (point.cost, point.honest, point.far, point.line, point.rules)
    return (f"{mark} {trial.number}{star}", *map(percent, shares), str(point.cuts))


def _changes(changes: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in changes.items()) or "as it is"


def _curve(found: Tuned, width: int) -> list[Text]:
    """Recall over cost: the trials nothing beats, the policy as it is, and the rest."""
    points = [
        (trial.whole.cost, trial.whole.recall, FRONT if trial.is_front else BASE if trial.number == 0 else OTHER)
        for trial in sorted(found.trials, key=lambda trial: (trial.is_front, trial.number == 0))
        if trial.whole is not None
    ]
    lines, (left, right), (low, high) = chart.scatter(points, width=max(10, width - 10), height=HEIGHT)
    labels = {0: percent(high), HEIGHT - 1: percent(low)}
    drawn = [Text.assemble((f"{labels.get(at, ''):>7} ", "dim"), line) for at, line in enumerate(lines)]
    scale = f"recall (mean of far and line) over cost {percent(left)} to {percent(right)} % of full history"
    return [*drawn, Text(f"{'':8}{scale}; {FRONT} nothing beats it, {BASE} as it is", style="dim")]


def _page(found: Tuned) -> str:
    trials = _by_cost(found)
    points = tuple(
        Point(
            100 * trial.whole.cost, 100 * trial.whole.recall, f"trial {trial.number}: {_changes(trial.changes)}", trial.is_front
        )
        for trial in trials
        if trial.whole is not None
    )
    rows = tuple((*_row(found, trial), _changes(trial.changes)) for trial in trials)
    curve = Scatter("cost, % of full history", "recall, mean of far and line, %", points)
    section = Section("What more recall costs", "Each point is a trial.", (*HEADINGS, "changed"), rows, (curve,))
    return figures_page.page(f"Tuning {found.policy}", _about(found), [section])
