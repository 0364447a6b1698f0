"""One thread that writes: whatever is waiting is committed together."""

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

from pumice.domain.ports import Fault, no_fault
from pumice.errors import PumiceError, StoreError
from pumice.store.failures import explain

T = TypeVar("T")

_MOST = 256
"""Jobs of one transaction at most, so that a flood does not hold the lock for long."""


class Job(NamedTuple):
    """A change: `run` may be called again after a rollback, and raises a PumiceError only before it has written."""

    name: str
    run: Callable[[sqlite3.Connection], Any]
    future: "Future[Any]"
    alone: bool
    """Outside any transaction, after the changes it was queued with; jobs of one name are the same."""


class Writer:
    """Owns the writing connection. A future is answered after its commit; one cancelled in time is never begun."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, fault: Fault = no_fault) -> None:
        self._connection = connection
        self._path = path
        self._fault = fault
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        # A daemon, so that a forgotten close cannot keep the interpreter alive; what it had not committed was not acknowledged.
        self._thread = threading.Thread(target=self._serve, name="pumice-writer", daemon=True)
        self._thread.start()

    def submit(self, name: str, run: Callable[[sqlite3.Connection], T], *, alone: bool = False) -> "Future[T]":
        """Queue a change; `name` begins the names of its fault points. Raises StoreError when closed."""
        future: Future[T] = Future()
        with self._gate:
            if self._closed:
                raise StoreError(f"The store {str(self._path)!r} is closed.", hint="Open it again.")
            self._jobs.put(Job(name, run, future, alone))
        return future

    def close(self) -> None:
        """Finish what is queued, then close the connection; blocks until done."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join()

    def _serve(self) -> None:
        waiting = True
        while waiting:
            batch = self._take()
            waiting = None not in batch
            self._work([job for job in batch if job and job.future.set_running_or_notify_cancel()])
        self._connection.close()

    def _take(self) -> list[Job | None]:
        batch = [self._jobs.get()]
        try:
            while batch[-1] and len(batch) < _MOST:
                batch.append(self._jobs.get_nowait())
        except Empty:
            return batch
        return batch

    def _work(self, jobs: Sequence[Job]) -> None:
        self._commit([job for job in jobs if not job.alone])
        # Housekeeping covers whatever was committed before it, so one run answers all who wait for the same.
        same: dict[str, list[Job]] = {}
        for job in jobs:
            if job.alone:
                same.setdefault(job.name, []).append(job)
        for waiting in same.values():
            self._run_alone(waiting)

    def _run_alone(self, jobs: Sequence[Job]) -> None:
        try:
            answer = jobs[0].run(self._connection)
        except Exception as error:  # noqa: BLE001 - the callers get it
            answer = explain(error, self._path)
        for job in jobs:
            self._answer(job, answer)

    def _commit(self, jobs: Sequence[Job]) -> None:
        if not jobs:
            return
        try:
            answers = self._transaction(jobs)
        except Exception as error:  # noqa: BLE001 - the callers get it
            self._rollback()
            if len(jobs) > 1 and not isinstance(error, sqlite3.OperationalError):
                # One bad change must not fail its neighbours; a full or locked disk fails them all.
                for job in jobs:
                    self._commit([job])
                return
            for job in jobs:
                job.future.set_exception(explain(error, self._path))
            return
        for job, answer in zip(jobs, answers, strict=True):
            self._answer(job, answer)

    def _transaction(self, jobs: Sequence[Job]) -> list[Any]:
        answers: list[Any] = []
        self._connection.execute("BEGIN IMMEDIATE")
        for job in jobs:
            try:
                answers.append(job.run(self._connection))
            except PumiceError as refused:
                answers.append(refused)
            self._fault(f"{job.name}:before-commit")
        self._connection.execute("COMMIT")
        return answers

    def _rollback(self) -> None:
        # Where even this fails, SQLite rolls back by itself at the next open; what is told is the first error.
        with contextlib.suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _answer(self, job: Job, answer: Any) -> None:
        try:
            self._fault(f"{job.name}:after-commit")
        except Exception as error:  # noqa: BLE001 - a fault set by a test
            answer = error
        if isinstance(answer, Exception):
            job.future.set_exception(answer)
        else:
            job.future.set_result(answer)
