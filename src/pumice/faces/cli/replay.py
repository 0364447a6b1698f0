"""`pumice replay`: recorded sessions, call by call, under policies side by side."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console

from pumice.compile.manifest import by_partition
from pumice.domain.policy import Policy
from pumice.errors import BadRecording, InvalidInput, PumiceError
from pumice.evaluate import table
from pumice.evaluate.dump import distinct, stems
from pumice.evaluate.judge import Seen
from pumice.evaluate.options import Options
from pumice.evaluate.replay import File, Plan, SessionRuns, result, unfit
from pumice.evaluate.replay import replay as replay_files
from pumice.evaluate.result import policy_result
from pumice.faces import report, settings
from pumice.faces.cli import progress
from pumice.faces.tracks import Figures, Track
from pumice.recordings.sniff import sniff

RECORDED = "recorded"
PLAIN_WIDTH = 110
"""Columns where standard output is no terminal."""


def replay(
    *files: Path,
    policy: Annotated[tuple[str, ...], Parameter(name=["--policy", "-p"], negative=())] = ("balanced",),
    window: int | None = None,
    model: str | None = None,
    html: Path | None = None,
    redact: bool = False,
    dump: Path | None = None,
    ttl: float | None = None,
    head: int = 0,
    last: bool = False,
    dialect: str | None = None,
    jobs: int = 1,
    json: bool = False,
) -> int:
    """Replay recorded sessions call by call under policies, and compare what the model would have seen and what it costs.

    Exits 1 when a policy could not make a call fit.

    Example: pumice replay session.jsonl --policy none --policy newest --policy balanced --window 60000 --html report.html

    Parameters
    ----------
    files
        Recorded sessions; a folder stands for the recordings in it.
    policy
        A preset, a YAML file, or `recorded` for what the client really sent; once or more often; balanced without it.
    window
        Tokens of the model's window; the policy's or the model's own without it.
    model
        Model whose prices, window and token factor apply instead of the recorded one's.
    html
        Write a report with charts: one file that needs no network.
    redact
        With --html: the report holds sizes and kinds, and no text of the sessions.
    dump
        A folder; every view is written to <folder>/<file stem>/<policy>/<call>.json.
    ttl
        Seconds after which an unused cache is cold, by the recorded times; never without it.
    head
        Tokens of system prompt and tools that the recordings do not show, added to every policy alike; 0 without it.
    last
        Only the last call of each session.
    dialect
        anthropic or openai-chat, when a file does not tell.
    jobs
        Processes that share the files; 1 without it.
    json
        Print the figures as JSON.
    """
    _check(files, window=window, ttl=ttl, head=head, jobs=jobs)
    if redact and html is None:
        raise InvalidInput("--redact given without --html; expected a report to redact.", hint="Add --html FILE.")
    plan = Plan(
        policies=_policies(policy),
        options=Options(window, model, ttl, head),
        dialect=dialect,
        last=last,
        dump=dump,
        tracker=Tracker if html is not None else None,
    )
    if html is not None:
        report.prepare(html)
    sessions = _replay(_files(files), plan, jobs)
    if html is not None:
        report.write(html, _report(sessions), redact=redact)
    if json:
        sys.stdout.write(msgspec.json.encode(result(sessions)).decode() + "\n")
    else:
        _print(sessions, html)
    return 1 if unfit(sessions) else 0


def _print(sessions: Sequence[SessionRuns], html: Path | None) -> None:
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    console.print(table.render(sessions, width=console.width))
    if html is not None:
        console.print(f"report: {html}", markup=False, highlight=False)


def _check(files: Sequence[Path], *, window: int | None, ttl: float | None, head: int, jobs: int) -> None:
    if not files:
        raise InvalidInput("no files given; expected recorded sessions or folders of them.", hint="See pumice replay --help.")
    for name, value, least in (("--window", window, 1), ("--ttl", ttl, 0), ("--head", head, 0), ("--jobs", jobs, 1)):
        if value is not None and value < least:
            raise InvalidInput(f"{name} {value} given, expected {least} or more.")


def _policies(names: Iterable[str]) -> dict[str, Policy | None]:
    """By the name each is reported under: a preset's own, a file's stem; equal ones get `-2`."""
    listed = list(dict.fromkeys(names))
    labels = distinct([name if name == RECORDED or name in settings.preset_names() else Path(name).stem for name in listed])
    return {label: None if name == RECORDED else settings.policy(name) for label, name in zip(labels, listed, strict=True)}


def _files(given: Iterable[Path]) -> list[File]:
    """Files as given; a folder stands for the recordings in it, sorted."""
    paths: list[Path] = []
    for path in given:
        paths += _inside(path) if path.is_dir() else [path]
    return [File(path, stem) for path, stem in zip(paths, stems(paths), strict=True)]


def _inside(folder: Path) -> list[Path]:
    found = [path for path in sorted(folder.iterdir()) if path.is_file() and _is_recording(path)]
    if not found:
        raise BadRecording(f"{folder}: holds no recorded session.", hint="Name the files, or another folder.")
    return found


def _is_recording(path: Path) -> bool:
    try:
        sniff(path.read_bytes(), str(path))
    except (PumiceError, OSError):
        return False
    return True


def _replay(files: Sequence[File], plan: Plan, jobs: int) -> list[SessionRuns]:
    """All sessions, with a progress bar: a file weighs what it has in bytes."""
    weights = {file.path: file.path.stat().st_size if file.path.is_file() else 0 for file in files}
    whole = sum(weights.values()) or 1
    done: dict[Path, float] = {}
    with progress.bar() as show:

        def tick(file: File, share: float) -> None:
            done[file.path] = share * weights[file.path]
            show(sum(done.values()) / whole, file.stem)

        return replay_files(files, plan, tick, jobs=jobs)


class Tracker:
    """Collects a run's calls for the report."""

    def __init__(self) -> None:
        self.track = Track()

    def add(self, seen: Seen) -> None:
        """Take a call in."""
        parts = by_partition(seen.manifest) if seen.manifest is not None else {"history": seen.tokens}
        self.track.add(
            Figures(
                call=seen.call,
                tokens=seen.tokens,
                usable=seen.usable,
                by_partition=parts,
                cached=seen.bill.cached,
                fresh=seen.bill.fresh,
                epoch=seen.epoch,
                cause=seen.cause,
                manifest=seen.manifest,
            )
        )


def _report(sessions: Sequence[SessionRuns]) -> report.ReportData:
    runs = [
        report.SessionRuns(
            session.file,
            {
                name: report.PolicyRun(msgspec.to_builtins(policy_result(one.run.score)), one.track.track)
                for name, one in session.policies.items()
            },
        )
        for session in sessions
    ]
    return report.ReportData(runs, msgspec.to_builtins(result(sessions).total))
