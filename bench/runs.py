"""Replays of a recording under a policy at a window, each kept in a file, so that a long comparison can be taken up again."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import msgspec

from bench.sessions import ROOT
from pumice.errors import PumiceError
from pumice.evaluate.options import Options
from pumice.evaluate.replay import File, Plan, replay_file, result
from pumice.evaluate.result import PolicyResult
from pumice.faces import settings
from pumice.faces.cli import progress

KEPT = ROOT / "out" / "bench" / "runs"
SOURCE = ROOT / "src" / "pumice"
JOBS = 2
POLITE = 5
"""Niceness of the workers: a comparison takes minutes, and others use the machine too."""


class Task(msgspec.Struct, frozen=True):
    """What to replay."""

    file: Path
    policy: str
    """A preset or a YAML file; `recorded` for what the client sent."""
    window: int

    @property
    def name(self) -> str:
        return f"{self.file.parent.name}-{self.file.stem}-{Path(self.policy).stem}-{self.window}"


class Done(msgspec.Struct, frozen=True):
    """What came of it."""

    folder: str
    file: str
    policy: str
    window: int
    sessions: int
    calls: int
    figures: PolicyResult | None
    """Pooled over the sessions of the file; None where the replay broke, and `faults` say how."""
    faults: tuple[str, ...]
    """The first few in words."""

    @property
    def is_clean(self) -> bool:
        found = self.figures
        return found is not None and not (found.overflows or found.violations or found.altered_values)


def version() -> str:
    """Twelve digits that name the code and data of the package as they stand."""
    found = hashlib.sha256()
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix in (".py", ".json", ".yaml", ".sql"):
            found.update(path.relative_to(SOURCE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:12]


def run(tasks: Sequence[Task], *, jobs: int = JOBS, folder: Path | None = None) -> list[Done]:
    """Every task in order; those already done with the package as it stands are read from where they were kept."""
    folder = folder or KEPT / version()
    folder.mkdir(parents=True, exist_ok=True)
    missing = [task for task in tasks if not _place(folder, task).exists()]
    with progress.bar() as show:
        for count, task in enumerate(_finished(missing, folder, jobs), 1):
            show(count / len(missing), task.name)
    return [msgspec.json.decode(_place(folder, task).read_bytes(), type=Done) for task in tasks]


def _finished(tasks: Sequence[Task], folder: Path, jobs: int) -> Iterator[Task]:
    """The biggest first, so that no worker is left with one at the end."""
    if not tasks:
        return
    ordered = sorted(tasks, key=lambda task: task.file.stat().st_size, reverse=True)
    with ProcessPoolExecutor(min(jobs, len(ordered)), get_context("spawn"), os.nice, (POLITE,)) as pool:
        running = {pool.submit(_keep, task, folder): task for task in ordered}
        try:
            for future in as_completed(running):
                future.result()
                yield running[future]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _keep(task: Task, folder: Path) -> None:
    """A file is only there when it is whole."""
    place = _place(folder, task)
    half = place.with_suffix(".part")
    half.write_bytes(msgspec.json.encode(_replayed(task)))
    half.replace(place)


def _replayed(task: Task) -> Done:
    named = (task.file.parent.name, task.file.name, task.policy, task.window)
    policy = None if task.policy == "recorded" else settings.policy(task.policy)
    plan = Plan({task.policy: policy}, Options(window=task.window))
    try:
        sessions = replay_file(File(task.file, task.file.stem), plan)
    except (PumiceError, ArithmeticError, LookupError, TypeError, ValueError, AssertionError) as error:
        return Done(*named, 0, 0, None, (f"{type(error).__name__}: {error}",))
    total = result(sessions).total
    figures = msgspec.convert(msgspec.to_builtins(total.policies[task.policy]), PolicyResult)
    faults = [f"{session.file}: {note}" for session in sessions for note in session.policies[task.policy].run.notes]
    return Done(*named, len(sessions), total.calls, figures, tuple(faults[:5]))


def _place(folder: Path, task: Task) -> Path:
    return folder / f"{task.name}.json"
