"""Replay recorded sessions under policies, call by call, without a network."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec

from pumice import recordings, wire
from pumice.domain.policy import Policy
from pumice.evaluate import rules, script
from pumice.evaluate.driver import Driver, RecordedDriver
from pumice.evaluate.dump import Dump
from pumice.evaluate.judge import Seen
from pumice.evaluate.options import Options
from pumice.evaluate.product import EngineDriver
from pumice.evaluate.result import ReplayResult, SessionResult, Total, Unfit, policy_result, pooled
from pumice.evaluate.run import Run, Watch, run
from pumice.evaluate.script import Script
from pumice.recordings.recording import Recording

Tick = Callable[[float], None]
"""Told how much of a file is done, 0 to 1."""
Tracker = Callable[[], Any]
"""Makes what collects the calls of a run for a report: it has `add(seen)`, and comes back with the run."""


class Plan(msgspec.Struct, frozen=True):
    """What to replay each file under."""

    policies: Mapping[str, Policy | None]
    """By the name they are reported under; None is what the recorded client sent."""
    options: Options = Options()
    dialect: str | None = None
    last: bool = False
    """Only the last call of each session."""
    dump: Path | None = None
    tracker: Tracker | None = None


class File(msgspec.Struct, frozen=True):
    """A file to replay, and what its folder in a dump is called."""

    path: Path
    stem: str


class PolicyRun(msgspec.Struct, frozen=True):
    run: Run
    track: Any = None


class SessionRuns(msgspec.Struct, frozen=True):
    """One session under every policy."""

    file: str
    format: str
    model: str
    calls: int
    skipped_lines: int
    problems: tuple[str, ...]
    factor: float
    unseen_head_tokens: int
    policies: dict[str, PolicyRun]


def replay(files: Sequence[File], plan: Plan, tick: Callable[[File, float], None], *, jobs: int = 1) -> list[SessionRuns]:
    """All sessions of the files in order, on so many processes. Raises BadRecording, UnknownDialect, StoreError."""
    if jobs <= 1 or len(files) <= 1:
        return [found for file in files for found in replay_file(file, plan, partial(tick, file))]
    # A forked copy of a process with threads (a progress bar has one) may hang, so workers start afresh.
    with ProcessPoolExecutor(min(jobs, len(files)), get_context("spawn")) as pool:
        running = {pool.submit(replay_file, file, plan): file for file in files}
        try:
            for future in as_completed(running):
                future.result()
                tick(running[future], 1.0)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        return [found for future in running for found in future.result()]


def no_tick(done: float) -> None:
    """The null object: nobody watches."""


def replay_file(file: File, plan: Plan, tick: Tick = no_tick) -> list[SessionRuns]:
    """The sessions of one file."""
    found = recordings.open(file.path, dialect=plan.dialect, last=plan.last)
    steps = _Steps(tick, sum(len(recording.calls) for recording in found) * len(plan.policies))
    return [replay_session(recording, plan, _folder(file, recording), steps) for recording in found]


def replay_session(recording: Recording, plan: Plan, folder: str, step: Callable[[], None]) -> SessionRuns:
    """One session under every policy of the plan."""
    dialect = wire.get(recording.dialect)
    written = script.write(recording, dialect, rules.finder(recording), model=plan.options.model)
    runs = {}
    for name, policy in plan.policies.items():
        track = plan.tracker() if plan.tracker else None
        watchers = [*_dumps(plan, folder, name), *([track.add] if track is not None else [])]
        runs[name] = PolicyRun(_run(written, policy, plan.options, watchers, step), track)
    return SessionRuns(
        file=recording.file,
        format=recording.format,
        model=plan.options.model or recording.model,
        calls=len(recording.calls),
        skipped_lines=recording.skipped_lines,
        problems=(*recording.problems, *_undetected(written)),
        factor=written.factor,
        unseen_head_tokens=recording.unseen_head_tokens,
        policies=runs,
    )


def _undetected(written: Script) -> Iterator[str]:
    laid = tuple(rule for moment in written.moments for rule in moment.rules)
    for text in rules.missing(written.recording, laid):
        yield f"the listed constraint {text[:80]!r} was not detected"


def _run(written: Script, policy: Policy | None, options: Options, watchers: Sequence[Watch], step: Callable[[], None]) -> Run:
    def watch(seen: Seen) -> None:
        for watcher in watchers:
            watcher(seen)
        step()

    recording = written.recording
    driver: Driver = RecordedDriver(recording, options) if policy is None else EngineDriver(recording, policy, options)
    return asyncio.run(run(written, driver, wire.get(recording.dialect), options, watch))


def _dumps(plan: Plan, folder: str, policy: str) -> Iterator[Dump]:
    if plan.dump is not None:
        yield Dump(plan.dump / folder / policy)


def _folder(file: File, recording: Recording) -> str:
    """The file's name in the dump, with the session's number where the file holds several."""
    return file.stem + recording.stem.removeprefix(file.path.stem)


class _Steps:
    """Counts calls and tells their share."""

    def __init__(self, tick: Tick, total: int) -> None:
        self._tick = tick
        self._total = max(1, total)
        self._done = 0

    def __call__(self) -> None:
        self._done += 1
        self._tick(self._done / self._total)


def result(sessions: Sequence[SessionRuns]) -> ReplayResult:
    """What `replay --json` prints."""
    names = list(sessions[0].policies) if sessions else []
    listed = [_session(session) for session in sessions]
    total = Total(
        sum(session.calls for session in sessions),
        {name: pooled([(session.file, session.policies[name].run.score) for session in sessions]) for name in names},
    )
    lacking = unfit(sessions)
    return ReplayResult(listed, total, "CannotFit", lacking.budget, lacking.parts) if lacking else ReplayResult(listed, total)


def unfit(sessions: Sequence[SessionRuns]) -> Unfit | None:
    """What the first call that no view could be made for needed; None where every call of every policy has one."""
    return next((one.run.unfit for session in sessions for one in session.policies.values() if one.run.unfit), None)


def _session(session: SessionRuns) -> SessionResult:
    return SessionResult(
        file=session.file,
        format=session.format,
        calls=session.calls,
        skipped_lines=session.skipped_lines,
        tokens_factor=round(session.factor, 6),
        unseen_head_tokens=session.unseen_head_tokens,
        policies={name: policy_result(one.run.score) for name, one in session.policies.items()},
    )
