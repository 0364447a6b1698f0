"""`pumice bench`: the field's experiments on a session of one's own, or on the shipped example."""

import sys
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Annotated

import msgspec
from cyclopts import App, Parameter
from rich.console import Console
from rich.text import Text

from pumice import recordings
from pumice.errors import InvalidInput
from pumice.evaluate.experiments import run as experiments_run
from pumice.evaluate.experiments.experiment import Column, Experiment, shown
from pumice.evaluate.experiments.run import EXPERIMENTS, Bench, Policies
from pumice.faces import figures_page, saving, settings
from pumice.faces.cli import progress, recorded
from pumice.faces.drawn import Bar, Bars
from pumice.faces.figures_page import Section

EXAMPLE = Path("examples") / "long-session" / "session.json"
BAR_CELLS = 24
app = App(
    "bench", help="Measure on recorded sessions.\n\nExample: pumice bench experiments session.jsonl --html experiments.html"
)


@app.command(usage="Usage: pumice bench experiments [OPTIONS] [FILE...]")
def experiments(
    *files: Path,
    only: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    window: int | None = None,
    dialect: str | None = None,
    html: Path | None = None,
    json: bool = False,
) -> int:
    """Repeat the field's experiments on recorded sessions: what each choice costs, and which names are lost by it.

    Budgets of partitions and the order they give way in; a clock in the prefix; four means for big tool results; the trigger
    from 90% down to 60%; a long task with nothing done, cut off, and with notes and compaction; three exercises. Everything is
    replayed here, without a network or a model; the same session gives the same figures.

    Example: pumice bench experiments session.jsonl --only clock --only trigger --html experiments.html

    Parameters
    ----------
    files
        Recorded sessions; without one examples/long-session/session.json, where it lies in the working directory.
    only
        partitions, cut-order, clock, means, trigger, long-task or exercises; once or more often; all without it.
    window
        Tokens; without it about half of the session, so that room has to be made.
    dialect
        anthropic, openai-chat, openai-responses or gemini, when a file does not tell.
    html
        Write tables and charts: one file that needs no network.
    json
        Print [{"file", "model", "calls", "window", "experiments": [{"key", "question", "columns", "rows", "found"}]}].
    """
    names = _names(only)
    recorded.at_least("--window", window, 1)
    paths = _paths(files)
    if html is not None:
        saving.prepare(html)
    found = _run(paths, names, window, dialect)
    if html is not None:
        saving.write(html, _page(found))
    if json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
        return 0
    console = recorded.console()
    for bench in found:
        _print(console, bench)
    if html is not None:
        console.print(f"charts: {html}", markup=False, highlight=False)
    return 0


def _names(only: Sequence[str]) -> list[str]:
    unknown = [name for name in only if name not in EXPERIMENTS]
    if unknown:
        raise InvalidInput(f"--only {unknown[0]!r} given; there are {', '.join(EXPERIMENTS)}.")
    return list(dict.fromkeys(only)) or list(EXPERIMENTS)


def _paths(files: Sequence[Path]) -> list[Path]:
    if files:
        return recorded.files(files, command="bench experiments")
    if not EXAMPLE.is_file():
        raise InvalidInput(f"no files given, and {EXAMPLE} is not here.", hint="Name a recorded session.")
    return [EXAMPLE]


def _run(paths: Sequence[Path], names: Sequence[str], window: int | None, dialect: str | None) -> list[Bench]:
    found = [one for path in paths for one in recordings.open(path, dialect=dialect)]
    policies = Policies(settings.policy("newest"), settings.policy("notes"), settings.policy("balanced"))
    made: list[Bench] = []
    with progress.bar() as show:
        for at, recording in enumerate(found):

            def step(done: float, arm: str, at: int = at) -> None:
                show((at + done) / len(found), arm)

            made.append(experiments_run.run(recording, names, policies, step, window=window))
    return made


def _print(console: Console, bench: Bench) -> None:
    console.print(Text.assemble((PurePath(bench.file).name, "bold"), _about(bench)))
    for one in bench.experiments:
        console.print()
        console.print(Text.assemble((one.key, "bold"), f"  {one.question}"))
        columns = _columns(one)
        table = recorded.table("", *(column.title for column in columns))
        for row in one.rows:
            table.add_row(str(row["name"]), *(shown(row[column.key], column.unit) for column in columns))
        console.print(table)
        for column in (column for column in columns if column.is_drawn):
            console.print(*_drawn(one, column), sep="\n")
        for said in (*_told(one), *one.found):
            console.print(said, style="dim", markup=False, highlight=False)


def _about(bench: Bench) -> str:
    return f", {bench.calls} calls, {bench.model or 'unknown model'}, window {bench.window:,}"


def _columns(one: Experiment) -> list[Column]:
    """What fits into a table of a terminal: figures, not sentences."""
    return [column for column in one.columns if column.unit != "words"]


def _told(one: Experiment) -> list[str]:
    """What a table has no room for: names and sentences, arm by arm."""
    columns = [column for column in one.columns if column.unit == "words"]
    return [f"{row['name']}, {column.title}: {row[column.key]}" for column in columns for row in one.rows if row[column.key]]


def _drawn(one: Experiment, column: Column) -> list[Text]:
    """A bar for each arm that has the figure."""
    bars = [(str(row["name"]), value) for row in one.rows if isinstance(value := row[column.key], (int, float))]
    top = max((value for _, value in bars), default=0.0) or 1.0
    wide = max((len(name) for name, _ in bars), default=0)
    lines = [Text(column.title, style="dim")]
    for name, value in bars:
        cells = round(BAR_CELLS * value / top)
        lines.append(Text.assemble(f"{name:>{wide}} ", ("█" * cells, "cyan"), f" {shown(value, column.unit)}"))
    return lines


def _page(found: Sequence[Bench]) -> str:
    sections = [_section(bench, one) for bench in found for one in bench.experiments]
    files = "; ".join(PurePath(bench.file).name + _about(bench) for bench in found)
    return figures_page.page("Experiments", files, sections)


def _section(bench: Bench, one: Experiment) -> Section:
    rows = tuple((str(row["name"]), *(shown(row[column.key], column.unit) for column in one.columns)) for row in one.rows)
    charts = tuple(_chart(one, column) for column in one.columns if column.is_drawn)
    title = f"{one.key}: {PurePath(bench.file).name}"
    return Section(title, one.question, ("", *(column.title for column in one.columns)), rows, charts, one.found)


def _chart(one: Experiment, column: Column) -> Bars:
    bars = []
    for row in one.rows:
        value = row[column.key]
        figure = float(value) if isinstance(value, (int, float)) else None
        bars.append(Bar(str(row["name"]), figure, shown(value, column.unit)))
    return Bars(column.title, tuple(bars))
