"""Views that are none of pumice's own: what a client would send that treats its messages in some way before every call."""

from collections.abc import Callable, Mapping
from itertools import groupby

from pumice import wire
from pumice.domain.block import Kind
from pumice.domain.policy import Policy
from pumice.evaluate.driver import Compiled
from pumice.evaluate.options import Options
from pumice.evaluate.script import Moment, Script
from pumice.evaluate.sources import Source
from pumice.measure.window import usable
from pumice.recordings.recording import RecordedCall, Recording

Bodies = Callable[[RecordedCall], bytes]
Treat = Callable[[Source], str | None]
"""What a tool's result is shown as; None as it came."""


class Shown:
    """A driver that sends what it is given for each call."""

    def __init__(self, recording: Recording, options: Options, body: Bodies) -> None:
        self._body = body
        self._usable = usable(Policy("shown").budget, model=recording.model, window=options.window)

    async def compile(self, moment: Moment) -> Compiled:
        return Compiled(self._body(moment.call), self._usable)

    async def answer(self, response: bytes) -> None:
        """Nothing is learnt from it."""

    async def unresolved(self, pointed: Mapping[str, str | None]) -> list[str]:  # noqa: ARG002 - it has no pointers
        return []


def with_results(told: Script, treat: Treat) -> Bodies:
    """Requests whose tool results are treated, each once and for good, so that the prefix stands."""
    recording = told.recording
    dialect = wire.get(recording.dialect)
    messages = list(recording.messages)
    for index, found in groupby(told.sources, lambda source: source.message):
        blocks = list(found)
        forms = {at: text for at, one in enumerate(blocks) if (text := _treated(one, treat)) is not None}
        if forms:
            messages[index] = dialect.rewrite(dialect.read_message(messages[index]), forms) or messages[index]
    return lambda call: recording.body(call, messages[: call.upto])


def _treated(source: Source, treat: Treat) -> str | None:
    return treat(source) if source.block.kind is Kind.RESULT else None
