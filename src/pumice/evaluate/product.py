"""The product as a driver: a session of its own over a store in memory."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from pumice.domain import pointer
from pumice.domain.policy import Policy
from pumice.domain.ports import Model
from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.errors import BadPolicy, CannotFit, NotAddressable
from pumice.evaluate.driver import Compiled, with_head
from pumice.evaluate.options import Options
from pumice.evaluate.script import Moment
from pumice.measure.window import usable
from pumice.recordings.recording import Recording
from pumice.store.home import memory_store

Timer = Callable[[], float]
READ_CHARS = 20_000
"""Characters a read-back gives at most."""


class EngineDriver:
    """The product: a session of its own over a store in memory, its clock standing still unless caches may go cold."""

    def __init__(
        self,
        recording: Recording,
        policy: Policy,
        options: Options,
        *,
        timer: Timer = time.perf_counter,
        model: Model | None = None,
    ) -> None:
        self._recording = recording
        self._options = options
        self._timer = timer
        self._now = 0.0
        self._policy = with_head(with_ttl(policy, options.ttl), options, recording.model)
        self._asked = 0.0
        engine = AsyncEngine(memory_store(), Ports(clock=lambda: self._now, model=model), self._step)
        self._session = engine.session(recording.stem, policy=self._policy, window=options.window, model=options.model)

    async def compile(self, moment: Moment) -> Compiled:
        call = moment.call
        if self._options.ttl is not None and call.at is not None:
            self._now = call.at
        body = self._recording.body(call)
        start = self._timer()
        try:
            view = await self._session.compile(body, dialect=self._recording.dialect)
        except CannotFit as error:
            room = usable(self._policy.budget, model=self._options.model or call.model, window=self._options.window)
            return Compiled(body, room, problem=error)
        took = (self._timer() - start) * 1000
        manifest = view.manifest
        return Compiled(
            body=view.raw,
            usable=view.usable,
            lane=view.lane,
            epoch=view.epoch,
            cause=view.cause,
            tokens=view.tokens.total,
            factor=manifest.factor,
            manifest=manifest,
            milliseconds=took,
            asked_usd=self._newly_asked(),
        )

    def _step(self, name: Any) -> Policy:
        """A policy the replayed one steps down to."""
        if name not in self._options.steps:
            raise BadPolicy(f"$.triggers.degrade: {name!r} is not among the policies of this replay.")
        return with_head(with_ttl(self._options.steps[name], self._options.ttl), self._options, self._recording.model)

    def _newly_asked(self) -> float:
        """Dollars of questions since the call before."""
        before, self._asked = self._asked, self._session.tree.spent.asked_usd
        return self._asked - before

    async def answer(self, response: bytes) -> None:
        await self._session.record(response)
        # While the client works on, the model answers what it was asked.
        await self._session.asker.settled()

    async def unresolved(self, pointed: Mapping[str, str | None]) -> list[str]:
        return [name for name, text in pointed.items() if not await self._resolves(name, text)]

    async def _resolves(self, name: str, text: str | None) -> bool:
        """Read a block back to its end, as an agent would; where secrets were replaced the words differ rightly."""
        read = ""
        offset: int | None = None if text is None else 1
        while offset is not None:
            self._session.reads.reset()
            try:
                piece = await self._session.read_range(pointer.artifact(name), offset, READ_CHARS, "chars")
            except NotAddressable:
                return False
            if piece.redactions:
                return True
            read += piece.text
            offset = piece.next_offset
        return read == text


def with_ttl(policy: Policy, ttl: float | None) -> Policy:
    """The policy with the caches' time to live that the replay assumes."""
    if ttl is None or policy.cold is None:
        return policy
    return msgspec.structs.replace(policy, cold=msgspec.structs.replace(policy.cold, ttl=int(ttl)))
