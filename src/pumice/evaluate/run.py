"""Runs: one policy over one recorded session, call by call."""

from collections.abc import Callable

import msgspec

from pumice.evaluate.driver import Driver
from pumice.evaluate.judge import Judge, Seen
from pumice.evaluate.options import Options
from pumice.evaluate.result import Unfit
from pumice.evaluate.score import Score
from pumice.evaluate.script import Script
from pumice.evaluate.usage import Usage
from pumice.wire.dialect import Dialect

Watch = Callable[[Seen], None]


class Run(msgspec.Struct, frozen=True):
    """What came of a run."""

    score: Score
    notes: tuple[str, ...]
    """The first few faults in words."""
    unfit: Unfit | None = None
    """The first call that could not be made to fit."""


async def run(script: Script, driver: Driver, dialect: Dialect, options: Options, watch: Watch) -> Run:
    """Replay the session: compile each call, judge the view, answer with the recorded response."""
    judge = Judge(script, dialect, options)
    usage = Usage(dialect.name)
    for moment in script.moments:
        compiled = await driver.compile(moment)
        seen = judge.see(moment, compiled)
        watch(seen)
        if moment.call.response is not None and compiled.problem is None:
            epoch = (seen.lane, seen.epoch)
            response = usage.billed(
                moment.call.response, size=seen.size, bill=seen.bill, rate=moment.rate, epoch=epoch, output=moment.output or 0
            )
            await driver.answer(response)
    judge.conclude(await driver.unresolved(judge.pointed))
    return Run(judge.score, tuple(judge.notes), Unfit.of(judge.unfit) if judge.unfit else None)
