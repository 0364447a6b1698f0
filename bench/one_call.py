"""One more call on a long session: decode, ledger append and encode included, over a real store in a temp folder."""

import asyncio
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from bench import sessions
from bench.row import Row
from bench.timing import Time, Watch, quantile
from pumice.engine.opening import Body
from pumice.engine.session import Session
from pumice.faces import library
from pumice.recordings.recording import RecordedCall, Recording

WINDOW = 200_000
FILES = 3
P50, P99 = 5.0, 30.0
"""Milliseconds; calls with a cut are reported apart."""


class Case(msgspec.Struct, frozen=True):
    policy: str
    as_dict: bool = False

    @property
    def name(self) -> str:
        return f"one more call, policy {self.policy}, {'dict' if self.as_dict else 'bytes'}"


CASES = (Case("balanced"), Case("balanced", as_dict=True), Case("none"), Case("none", as_dict=True))


class Call(msgspec.Struct, frozen=True):
    """A timed call."""

    compiled: Time
    recorded: Time | None
    is_cut: bool


def rows(repeats: int) -> Iterator[Row]:
    """Quantiles over the calls from 150k tokens on of the biggest sessions; of each call the least of all repeats."""
    found = [sessions.read(path) for path in sessions.biggest(FILES)]
    if not found:
        yield Row("one more call", None, "ms", P50, "no recorded sessions at hand")
    else:
        for case in CASES:
            calls = [call for recording in found for call in _least(recording, case, repeats)]
            yield from _case_rows(case, calls)


def _case_rows(case: Case, calls: Sequence[Call]) -> Iterator[Row]:
    plain = [call.compiled for call in calls if not call.is_cut]
    cuts = [call.compiled for call in calls if call.is_cut]
    note = f"{len(plain)} calls"
    for share, target in ((0.5, P50), (0.99, P99)):
        name = f"{case.name}: p{share * 100:.0f}"
        yield Row(name, quantile([time.wall for time in plain], share), "ms", target, note)
        yield Row(f"{name}, CPU", quantile([time.cpu for time in plain], share), "ms", target)
    recorded = [call.recorded.wall for call in calls if call.recorded is not None]
    if not case.as_dict and recorded:
        yield Row(f"{case.name}: taking the response in, p50", quantile(recorded, 0.5), "ms")
    if cuts:
        yield Row(f"{case.name}: with a cut, p50", quantile([time.wall for time in cuts], 0.5), "ms", note=f"{len(cuts)} cuts")
        yield Row(f"{case.name}: with a cut, most", max(time.wall for time in cuts), "ms")


def _least(recording: Recording, case: Case, repeats: int) -> list[Call]:
    """The calls of a session, each the least of several replays."""
    wanted = sessions.big_calls(recording)
    replays = [asyncio.run(_replay(recording, case)) for _ in range(repeats)]
    return [
        _least_call([replay[number] for replay in replays if number in replay])
        for number in sorted(wanted)
        if number > 1 and number in replays[0]
    ]


def _least_call(calls: Sequence[Call]) -> Call:
    least = calls[0]
    for call in calls[1:]:
        recorded = least.recorded.least(call.recorded) if least.recorded and call.recorded else None
        least = Call(least.compiled.least(call.compiled), recorded, least.is_cut)
    return least


async def _replay(recording: Recording, case: Case) -> dict[int, Call]:
    """Every call of a session by number, from an empty store on."""
    calls: dict[int, Call] = {}
    messages = [json.loads(raw) for raw in recording.messages] if case.as_dict else []
    with tempfile.TemporaryDirectory() as folder:
        async with library.open_async(Path(folder)) as engine:
            session = engine.session("bench", policy=case.policy, window=WINDOW)
            epoch = 0
            for call in recording.calls:
                given = _as_dict(recording, call, messages) if case.as_dict else recording.body(call)
                epoch, calls[call.number] = await _step(session, recording, call, given, epoch)
    return calls


def _as_dict(recording: Recording, call: RecordedCall, messages: Sequence[Any]) -> dict[str, Any]:
    """The request as a client in this process holds it: a dict around messages it made once."""
    given: dict[str, Any] = json.loads(recording.body(call, ()))
    given["messages"] = list(messages[: call.upto])
    return given


async def _step(session: Session, recording: Recording, call: RecordedCall, given: Body, epoch: int) -> tuple[int, Call]:
    watch = Watch()
    view = await session.compile(given, dialect=recording.dialect)
    compiled = watch.read()
    recorded = None
    if call.response is not None:
        watch = Watch()
        await session.record(call.response, view)
        recorded = watch.read()
    return view.epoch, Call(compiled, recorded, view.epoch != epoch)
