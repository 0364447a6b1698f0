"""Drivers: where the views of a policy come from. The recorded client is one; the product is another."""

from collections.abc import Mapping
from typing import Protocol

import msgspec

from pumice.domain.manifest import Manifest, Usable
from pumice.domain.policy import Policy
from pumice.errors import CannotFit
from pumice.evaluate.options import Options
from pumice.evaluate.script import Moment
from pumice.measure.window import usable
from pumice.recordings.recording import Recording


class Compiled(msgspec.Struct, frozen=True):
    """A view as a driver gives it."""

    body: bytes
    usable: Usable
    lane: str = "main"
    epoch: int = 0
    cause: str = "open"
    tokens: int | None = None
    """Size of the complete request by the driver's own counter; None where it has none."""
    factor: float | None = None
    manifest: Manifest | None = None
    milliseconds: float | None = None
    asked_usd: float = 0.0
    """What questions of its own to a model have cost since the call before."""
    problem: CannotFit | None = None
    """Why the product gave no view of its own: the request stands as the client wrote it."""


class Driver(Protocol):
    async def compile(self, moment: Moment) -> Compiled:
        """The view of a call."""
        ...

    async def answer(self, response: bytes) -> None:
        """The recorded response, its usage made that of the view."""
        ...

    async def unresolved(self, pointed: Mapping[str, str | None]) -> list[str]:
        """Of the blocks that pointers name, those a read-back does not give the source's text of."""
        ...


class RecordedDriver:
    """What the recorded client really sent, as far as the recording shows it."""

    def __init__(self, recording: Recording, options: Options) -> None:
        self._recording = recording
        self._options = options
        self._budget = with_head(Policy("recorded"), options, recording.model).budget
        self._sent: tuple[bytes, ...] = ()
        self._epoch = 0

    async def compile(self, moment: Moment) -> Compiled:
        call = moment.call
        sent = self._recording.messages[: call.upto] if call.recorded is None else call.recorded
        if sent[: len(self._sent)] != self._sent:
            self._epoch += 1
        self._sent = sent
        room = usable(self._budget, model=self._options.model or call.model, window=self._options.window)
        cause = "client_compact" if self._epoch else "open"
        return Compiled(self._recording.body(call, sent), room, epoch=self._epoch, cause=cause)

    async def answer(self, response: bytes) -> None:
        """The client had its answer already."""

    async def unresolved(self, pointed: Mapping[str, str | None]) -> list[str]:  # noqa: ARG002 - it has no pointers
        return []


def with_head(policy: Policy, options: Options, model: str) -> Policy:
    """The policy with room left for a head that no body shows."""
    if not options.head:
        return policy
    room = usable(policy.budget, model=options.model or model, window=options.window)
    budget = msgspec.structs.replace(policy.budget, safety=room.safety + options.head)
    return msgspec.structs.replace(policy, budget=budget)
