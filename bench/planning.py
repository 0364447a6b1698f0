"""Planning one compaction of a session of 200k tokens under every preset that plans, without a model."""

import asyncio
from collections.abc import Iterator

import msgspec

from bench import sessions
from bench.row import Row
from bench.timing import Watch, quantile
from pumice import wire
from pumice.compact import planner
from pumice.domain.book import Book, Room
from pumice.domain.decision import Cause
from pumice.domain.policy import Policy
from pumice.engine.calling import head_of
from pumice.engine.case import Case, book_of, room_of
from pumice.engine.session import Session
from pumice.faces import library, settings
from pumice.measure.window import usable
from pumice.recordings.recording import RecordedCall, Recording

WINDOW = 200_000
FILES = 5
PLAN = 150.0
"""Milliseconds; CPU time, since others use the machine too."""


class Ground(msgspec.Struct, frozen=True):
    """What a cut is planned from."""

    book: Book
    room: Room
    session: Session


def rows(repeats: int) -> Iterator[Row]:
    """Of every preset the median and the 95th percentile over the sessions, each opened afresh so that nothing is known yet.

    Of each session the least of all repeats counts.
    """
    found = [sessions.read(path) for path in sessions.biggest(FILES)]
    if not found:
        yield Row("planning", None, "ms", PLAN, "no recorded sessions at hand")
        return
    for name in settings.preset_names():
        policy = settings.policy(name)
        if policy.order:
            yield from _preset_rows(name, [min(planned(one, policy) for _ in range(repeats)) for one in found])


def _preset_rows(name: str, plans: list[tuple[float, int]]) -> Iterator[Row]:
    times = [time for time, _ in plans]
    sizes = sorted(size for _, size in plans)
    note = f"{len(plans)} sessions of {sizes[0] // 1000}k to {sizes[-1] // 1000}k tokens"
    yield Row(f"planning a cut, {name}: p50, CPU", quantile(times, 0.5), "ms", PLAN, note)
    yield Row(f"planning a cut, {name}: p95, CPU", quantile(times, 0.95), "ms", PLAN)


def planned(recording: Recording, policy: Policy) -> tuple[float, int]:
    """Milliseconds of CPU one plan takes, and the size of the view it is made for."""
    ground = asyncio.run(_ground(recording, policy))
    watch = Watch()
    planner.plan(ground.book, ground.room, policy, cause=Cause.BUDGET, necessary=True, count=ground.session.counts)
    return watch.read().cpu, ground.room.view + ground.room.head


async def _ground(recording: Recording, policy: Policy) -> Ground:
    """The session as it is known where its full history has just filled the window."""
    async with library.open_async(":memory:") as engine:
        session = engine.session("bench", policy="none", window=WINDOW)
        body = recording.body(_call(recording))
        await session.compile(body, dialect=recording.dialect)
        lane = next(iter(session.tree.lanes.values()))
        request = wire.get(recording.dialect).open(body)
        room = usable(policy.budget, model=request.model, window=WINDOW)
        case = Case(session, lane, request, head_of(lane, request), room, 0.0, False)
        return Ground(book_of(case), room_of(case), session)


def _call(recording: Recording) -> RecordedCall:
    """The first call that takes a whole window, head and all; the last where no call does."""
    room = WINDOW - sessions.head_size(recording)
    sums = sessions.sizes(recording)
    return next((call for call in recording.calls if sums[call.upto] >= room), recording.calls[-1])
