"""`pumice replay`: recorded sessions, call by call, under policies side by side."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from pumice.compile.manifest import by_partition
from pumice.errors import InvalidInput
from pumice.evaluate import table
from pumice.evaluate.dump import stems
from pumice.evaluate.judge import Seen
from pumice.evaluate.options import Options
from pumice.evaluate.replay import File, Plan, SessionRuns, result, unfit
from pumice.evaluate.replay import replay as replay_files
from pumice.evaluate.result import policy_result
from pumice.evaluate.table import percent
from pumice.faces import report
from pumice.faces.cli import mine as own
from pumice.faces.cli import progress, recorded
from pumice.faces.tracks import Figures, Track


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
    mine: bool = False,
    most: int = 20,
    yes: bool = False,
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
        A folder; every view is written there, to FILE/POLICY/CALL.json.
    ttl
        Seconds after which an unused cache is cold, by the recorded times; never without it.
    head
        Tokens of system prompt and tools that the recordings do not show, added to every policy alike; 0 without it.
    last
        Only the last call of each session.
    dialect
        anthropic, openai-chat, openai-responses or gemini, when a file does not tell.
    jobs
        Processes that share the files; 1 without it.
    mine
        In place of files: the newest sessions of agent clients on this machine; asks before any of them is opened.
    most
        With --mine: how many; 20 without it.
    yes
        With --mine: agree without being asked.
    json
        Print the figures as JSON.
    """
    numbers = {"--window": (window, 1), "--ttl": (ttl, 0), "--head": (head, 0), "--jobs": (jobs, 1), "--most": (most, 1)}
    for name, (value, least) in numbers.items():
        recorded.at_least(name, value, least)
    if mine and files:
        raise InvalidInput("--mine and files given; expected one of them.")
    if redact and html is None:
        raise InvalidInput("--redact given without --html; expected a report to redact.", hint="Add --html FILE.")
    policies = recorded.policies(policy)
    paths = own.chosen(most, is_agreed=yes) if mine else recorded.files(files, command="replay")
    plan = Plan(
        policies=policies,
        options=Options(window, model, ttl, head, recorded.steps(policies.values())),
        dialect=dialect,
        last=last,
        dump=dump,
        tracker=Tracker if html is not None else None,
    )
    if html is not None:
        report.prepare(html)
    sessions = _replay(paths, plan, jobs)
    if html is not None:
        report.write(html, _report(sessions), redact=redact)
    if json:
        sys.stdout.write(msgspec.json.encode(result(sessions)).decode() + "\n")
    else:
        _print(sessions, html)
        sys.stdout.write("".join(f"{line}\n" for line in _would_have(sessions)) if mine else "")
    return 1 if unfit(sessions) else 0


def _print(sessions: Sequence[SessionRuns], html: Path | None) -> None:
    console = recorded.console()
    console.print(table.render(sessions, width=console.width))
    if html is not None:
        console.print(f"report: {html}", markup=False, highlight=False)


def _would_have(sessions: Sequence[SessionRuns]) -> Iterator[str]:
    """What all sessions would have cost under each policy, beside their full history."""
    for name, found in result(sessions).total.policies.items():
        if found.cost_usd is not None and found.full_cost_usd:
            less = percent(1 - found.cost_usd / found.full_cost_usd)
            yield f"{name}: input of ${found.cost_usd:.2f} instead of ${found.full_cost_usd:.2f}, {less}% less"


def _replay(paths: Sequence[Path], plan: Plan, jobs: int) -> list[SessionRuns]:
    """All sessions, with a progress bar."""
    listed = [File(path, stem) for path, stem in zip(paths, stems(paths), strict=True)]
    with progress.bar() as show:
        weights = recorded.Weights(paths, show)
        return replay_files(listed, plan, lambda file, share: weights.tick(file.path, share), jobs=jobs)


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
