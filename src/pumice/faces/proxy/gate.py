"""What stands between a client's call and its upstream: a gate prepares the request and hears the answer.

The server (`exchange.py`) knows HTTP and no engine; a gate knows the engine and no HTTP.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Protocol

import msgspec

from pumice.domain.account import Account
from pumice.faces.proxy.seen import Seen


class Stage(StrEnum):
    """Which step of the ladder a call went through on (DESIGN §7); told in `x-pumice-step` and the metrics."""

    COMPILED = "compiled"
    LAST_GOOD = "last-good"
    """The last good decisions and the untouched new tail."""
    FLOOR = "floor"
    CLIENT = "client"
    """The client's own request, because the engine failed."""
    OFF = "off"
    """The client's own request, because somebody said so: a header, the environment, the policy, the cost."""
    OBSERVED = "observed"
    """The client's own request; what the engine would have sent is only on record."""
    PASSED = "passed"
    """The client's own request: nothing a context engine has to do with, or history the provider manages (K-E1)."""


class Call(msgspec.Struct, frozen=True):
    """A model call as the client sent it, content encoding undone."""

    dialect: str
    body: bytes
    headers: Mapping[str, str]
    """Names in lower case. Holds credentials: never stored, never logged."""
    path: str
    """The path with its query."""
    model: str = ""
    """Where the model stands in the path (Gemini); else empty."""
    is_stream: bool = False
    """As the path says; whether the body does, the gate reads."""
    changed: Mapping[str, str] = {}
    """Headers that go upstream otherwise than they came, whatever becomes of the body; an empty one not at all."""


class Reply(msgspec.Struct, frozen=True):
    """A whole answer, as collected from the upstream or made here."""

    status: int
    body: bytes
    headers: Mapping[str, str] = {}


class Reshaper(Protocol):
    """Puts what the client has asked for into an answer on its way; a piece that has nothing to do with it stays as it is."""

    def feed(self, chunk: bytes) -> bytes:
        """What the client gets of a piece of the answer, decoded, as far as that can be said yet."""
        ...

    def finish(self) -> bytes:
        """The rest."""
        ...


class Prepared(msgspec.Struct):
    """What to do with a call. A gate may keep anything of its own in a subclass."""

    body: bytes
    """What goes upstream; the client's own bytes where nothing was rewritten."""
    stage: Stage = Stage.PASSED
    headers: Mapping[str, str] = {}
    """Request headers to set besides the client's own; an empty one is left out."""
    told: Mapping[str, str] = {}
    """Response headers for the client, each `x-pumice-…`."""
    reply: Reply | None = None
    """The answer, where nothing has to be asked upstream."""
    is_held: bool = False
    """The answer is collected and goes through `Gate.held` before the client sees a byte of it."""
    reshape: Callable[[bool], Reshaper] | None = None
    """Makes what an answer of status 200 goes through on its way to the client; told whether it is a stream. The gate itself
    hears the answer as it came."""
    seen: Seen | None = None
    """What there is to count of the view, where there is one."""
    row: Account | None = None
    """What the call came to, once its answer is on the books."""


class Gate(Protocol):
    """Never raises for a fault of its own: it steps down the ladder and says so in the stage."""

    async def prepare(self, call: Call) -> Prepared:
        """What goes upstream for a call."""
        ...

    def feed(self, prepared: Prepared, chunk: bytes) -> None:
        """A piece of a streamed answer, a copy of what the client is sent; decoded, in order, never waits."""
        ...

    async def answered(self, prepared: Prepared, reply: Reply | None) -> None:
        """The answer is complete: `reply` of a plain one, errors too; None of a stream that was fed."""
        ...

    async def broken(self, prepared: Prepared) -> None:
        """The answer never became complete: the client left, or the upstream did; nothing of it is recorded."""
        ...

    async def refused(self, call: Call, prepared: Prepared, reply: Reply) -> Prepared | None:
        """The upstream refused the request: another to try once instead, before the client saw a byte (K-P8), or None."""
        ...

    async def held(self, call: Call, prepared: Prepared, reply: Reply) -> Reply | Prepared:
        """What the client gets in place of a held answer, or one more request to send upstream first.

        Only answers of status 200 are held. With a reply the call is over: nothing else is called for it.
        """
        ...

    async def close(self) -> None: ...


class Open:
    """The null gate: every call goes through as it came."""

    def __init__(self, stage: Stage = Stage.PASSED) -> None:
        self._stage = stage

    async def prepare(self, call: Call) -> Prepared:
        return Prepared(call.body, self._stage)

    def feed(self, prepared: Prepared, chunk: bytes) -> None:
        return

    async def answered(self, prepared: Prepared, reply: Reply | None) -> None:
        return

    async def broken(self, prepared: Prepared) -> None:
        return

    async def refused(self, call: Call, prepared: Prepared, reply: Reply) -> Prepared | None:
        return None

    async def held(self, call: Call, prepared: Prepared, reply: Reply) -> Reply | Prepared:
        return reply

    async def close(self) -> None:
        return
