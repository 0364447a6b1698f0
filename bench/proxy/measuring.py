"""Calls timed across contenders in turns, so that whatever else the machine does hits all of them alike."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence

import aiohttp
import msgspec

from bench.proxy import client
from bench.proxy.client import Refused, Timed
from bench.proxy.contenders import DIRECT, Contender
from bench.proxy.shapes import Talk
from bench.timing import quantile

PAUSE = 0.03
"""Seconds between calls: what a proxy does once its answer is out must not be taken for the next one's work."""
SETTLE = 0.3


class Sample(msgspec.Struct):
    """What one contender took in one round, milliseconds."""

    first: list[float] = []
    whole: list[float] = []
    cpu: float = 0.0
    """Of its process, all of the round."""
    fault: str = ""


class Figures(msgspec.Struct, frozen=True):
    """Milliseconds over no proxy at all, of the round that was least: quantiles of single calls."""

    p50: float
    p95: float
    first_p50: float
    first_p95: float
    cpu: float
    """Of its process, a call."""
    rounds: tuple[tuple[float, float], ...]
    """p50 and p95 of every round."""


Round = dict[str, Sample]


async def one_client(contenders: Sequence[Contender], talks: Sequence[Talk], calls: range, *, jump: int = 1) -> list[Round]:
    """A round for each session: it grows call by call, and the calls of the range are measured in turns."""
    async with client.session() as session:
        return [await _round(session, contenders, [talk], calls, jump) for talk in talks]


async def parallel(
    contenders: Sequence[Contender], rounds: Sequence[Sequence[Talk]], calls: range, *, jump: int
) -> list[Round]:
    """A round for each set of sessions, which call at the same time."""
    async with client.session() as session:
        return [await _round(session, contenders, talks, calls, jump) for talks in rounds]


async def _round(
    session: aiohttp.ClientSession, contenders: Sequence[Contender], talks: Sequence[Talk], calls: range, jump: int
) -> Round:
    found = {one.name: Sample([], []) for one in contenders}
    for one in contenders:
        await _grown(
            session, one, talks, [*range(0, calls[0] - 3, jump), *range(max(0, calls[0] - 3), calls[0])], found[one.name]
        )
    for at, number in enumerate(calls):
        for one in _turned(contenders, at):
            sample = found[one.name]
            if not sample.fault:
                await _sampled(session, one, talks, number, sample)
    return found


async def _grown(
    session: aiohttp.ClientSession, one: Contender, talks: Sequence[Talk], numbers: Sequence[int], sample: Sample
) -> None:
    """Not measured: the session as it comes to be long."""
    try:
        for number in numbers:
            await asyncio.gather(*(client.call(session, one, talk, number) for talk in talks))
    except Refused as error:
        sample.fault = str(error)
    await asyncio.sleep(SETTLE)


async def _sampled(session: aiohttp.ClientSession, one: Contender, talks: Sequence[Talk], number: int, sample: Sample) -> None:
    for talk in talks:
        talk.body(number)  # made before the clock runs
    before = one.cpu()
    timed = await asyncio.gather(*(client.call(session, one, talk, number) for talk in talks), return_exceptions=True)
    await asyncio.sleep(PAUSE * len(talks))
    sample.cpu += one.cpu() - before
    for call in timed:
        if isinstance(call, Timed):
            sample.first.append(call.first)
            sample.whole.append(call.whole)
        else:
            sample.fault = str(call)


def _turned(contenders: Sequence[Contender], at: int) -> Iterator[Contender]:
    """Another begins each time."""
    start = at % len(contenders)
    yield from (*contenders[start:], *contenders[:start])


def figures(rounds: Sequence[Round]) -> Mapping[str, Figures]:
    """Of those that answered every call, over the median of calls without a proxy in the same round."""
    names = [name for name in rounds[0] if not any(found[name].fault for found in rounds)]
    return {name: _figures([(found[name], found[DIRECT]) for found in rounds]) for name in names}


def _figures(pairs: Sequence[tuple[Sample, Sample]]) -> Figures:
    whole = [_over(own.whole, direct.whole) for own, direct in pairs]
    first = [_over(own.first, direct.first) for own, direct in pairs]
    return Figures(
        p50=min(p50 for p50, _ in whole),
        p95=min(p95 for _, p95 in whole),
        first_p50=min(p50 for p50, _ in first),
        first_p95=min(p95 for _, p95 in first),
        cpu=min(own.cpu / len(own.whole) for own, _ in pairs),
        rounds=tuple(whole),
    )


def _over(own: Sequence[float], direct: Sequence[float]) -> tuple[float, float]:
    bare = quantile(direct, 0.5)
    return quantile(own, 0.5) - bare, quantile(own, 0.95) - bare


def faults(rounds: Sequence[Round]) -> dict[str, str]:
    """What each that did not answer said."""
    return {name: sample.fault for found in rounds for name, sample in found.items() if sample.fault}
