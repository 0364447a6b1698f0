"""The things measured of every contender: one client, a stream, several at once, memory, and the most that is sent."""

import asyncio
import json
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

import msgspec

from bench.proxy import client, measuring
from bench.proxy.client import Refused
from bench.proxy.contenders import Absent, Contender, Field
from bench.proxy.measuring import Figures
from bench.proxy.shapes import SHAPES, Talk

SIZE = 400_000
"""Bytes of a request of about 100,000 tokens."""
WINDOW = 200_000
CALLS = 30
PARALLEL, PARALLEL_CALLS = 8, 8
JUMP = 12
"""Steps a session grows by between calls that are not measured, where growing call by call would take all day."""
SESSIONS, REST = 100, 10.0
"""How many are held, and how many seconds after the last call that is looked at again."""
WINDOWS = (30_000, 50_000, 100_000)
BUDGET_SEED = 900
Stand = Callable[[int, Sequence[str]], AbstractContextManager[Field]]
"""Upstream and contenders at a window."""


class Latency(msgspec.Struct, frozen=True):
    """Of each contender, and why some have none."""

    figures: Mapping[str, Figures]
    faults: Mapping[str, str]


class Resident(msgspec.Struct, frozen=True):
    """Megabytes a process holds."""

    idle: float
    """Before the first call."""
    busy: float
    """Right after the last."""
    steady: float
    """Ten seconds later."""


class Peak(msgspec.Struct, frozen=True):
    """The most tokens sent in one call."""

    window: int
    dialect: str
    name: str
    tokens: float | None
    """None where it did not answer: `note` says what it said."""
    note: str = ""

    @property
    def is_kept(self) -> bool:
        return self.tokens is not None and self.tokens <= self.window


def one(found: Sequence[Contender], dialect: str, rounds: int, *, is_stream: bool) -> Latency:
    """One client whose session grows to 100k tokens and on."""
    talks = [Talk(dialect, 100 + number + 50 * is_stream, is_stream=is_stream) for number in range(rounds)]
    start = talks[0].steps(SIZE - 40_000)
    jump = JUMP if is_stream else 1
    return _latency(asyncio.run(measuring.one_client(found, talks, range(start, start + CALLS), jump=jump)))


def parallel(found: Sequence[Contender], dialect: str, rounds: int) -> Latency:
    """Several clients at the same time, each with a session of its own."""
    sets = [[Talk(dialect, 200 + PARALLEL * at + number) for number in range(PARALLEL)] for at in range(rounds)]
    start = sets[0][0].steps(SIZE - 20_000)
    return _latency(asyncio.run(measuring.parallel(found, sets, range(start, start + PARALLEL_CALLS), jump=JUMP)))


def _latency(rounds: Sequence[measuring.Round]) -> Latency:
    return Latency(measuring.figures(rounds), measuring.faults(rounds))


def memory(found: Sequence[Contender], dialect: str, sessions: int) -> tuple[dict[str, Resident], dict[str, str]]:
    """What each process holds before and after so many sessions of 100k tokens."""
    resident, said = {}, {}
    for contender in found:
        if contender.running is None:
            continue
        idle = contender.running.resident()
        fault = asyncio.run(_filled(contender, dialect, sessions))
        busy = contender.running.resident()
        time.sleep(REST)
        steady = contender.running.resident()
        if fault or idle is None or busy is None or steady is None:
            said[contender.name] = fault or "the system does not say"
        else:
            resident[contender.name] = Resident(idle, busy, steady)
    return resident, said


async def _filled(contender: Contender, dialect: str, sessions: int) -> str:
    """Every session gets a quarter longer, one after another, then the next quarter: all of them are in use."""
    talks = [Talk(dialect, 1000 + number) for number in range(sessions)]
    last = talks[0].steps(SIZE)
    async with client.session() as session:
        for number in (last // 4, last // 2, 3 * last // 4, last):
            for talk in talks:
                try:
                    await client.call(session, contender, talk, number)
                except Refused as error:
                    return str(error)
    return ""


def peaks(stand: Stand, names: Sequence[str], windows: Sequence[int]) -> Iterator[Peak | Absent]:
    """The most each sends at each window in each format, counted upstream."""
    for window in windows:
        with stand(window, names) as field:
            yield from field.absent
            for contender in field.found:
                yield from _sent(contender, field.upstream, window)


def _sent(contender: Contender, upstream: str, window: int) -> Iterator[Peak]:
    for dialect in SHAPES:
        before = len(_counted(upstream).get(dialect, []))
        fault = asyncio.run(_grown(contender, dialect))
        sent = _counted(upstream).get(dialect, [])[before:]
        yield Peak(window, dialect, contender.name, max(sent) if sent and not fault else None, fault)


async def _grown(contender: Contender, dialect: str) -> str:
    talk = Talk(dialect, BUDGET_SEED)
    async with client.session() as session:
        for number in range(0, talk.steps(SIZE), 2):
            try:
                await client.call(session, contender, talk, number)
            except Refused as error:
                return str(error)
    return ""


def _counted(upstream: str) -> dict[str, list[float]]:
    with urllib.request.urlopen(f"{upstream}/peaks") as answer:
        found: dict[str, list[float]] = json.load(answer)
    return found
