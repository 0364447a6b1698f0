"""What a call asks for that is done here, and the call without it."""

from collections.abc import Callable, Collection, Mapping
from itertools import chain

import msgspec

from pumice import wire
from pumice.domain.edits import ClearTools, Condensed
from pumice.domain.message import Request
from pumice.faces.proxy.emulate.setting import COMPACT, COUNT, Emulation
from pumice.faces.proxy.gate import Call
from pumice.wire import jsonbytes
from pumice.wire.emulated import anthropic, openai_responses
from pumice.wire.emulated.asked import Asked, Unacceptable

_BETA = "anthropic-beta"
_WORD = b'"compaction'
"""Begins the names of all items and edits that a request may go on from or ask for."""


class Demand(msgspec.Struct, frozen=True):
    """What is done here for one call."""

    asked: Asked
    call: Call
    """Without the fields that ask, which such an upstream would refuse."""
    request: Request
    given: Request
    """As the client sent it: its conversation is known by that."""
    stood: Condensed | None = None
    """What the request goes on from, where it was compacted on the way."""

    @property
    def is_count(self) -> bool:
        return path_of(self.call) == COUNT

    @property
    def is_alone(self) -> bool:
        """The compacted conversation itself is asked for, as `/v1/responses/compact` answers."""
        return path_of(self.call) == COMPACT

    @property
    def is_answered_here(self) -> bool:
        """Nothing is asked upstream once the compaction is due."""
        compact = self.asked.compact
        return compact is not None and (compact.at is None or compact.pauses)

    @property
    def is_managed(self) -> bool:
        """The client says when its history is to become smaller: nothing else of it does, as long as it fits."""
        return self.asked.compact is not None or any(isinstance(edit, ClearTools) for edit in self.asked.edits)

    @property
    def item(self) -> str:
        """The sealed item that says which conversation goes on; empty where there is none, or its beginning says so."""
        is_needed = self.given.dialect != "anthropic" or self.opens is self.request
        return self.asked.item if is_needed else ""

    @property
    def opens(self) -> Request:
        """The request by whose beginning its conversation is known."""
        first = self.given.messages[0] if self.given.messages else b""
        return self.request if b'"compaction"' in first else self.given


def path_of(call: Call) -> str:
    return call.path.partition("?")[0]


def is_beside(call: Call) -> bool:
    """Whether a call is none of the model's: nothing but this package knows how to answer it."""
    return path_of(call) in (COUNT, COMPACT)


def read(call: Call, request: Request, emulation: Emulation, before: Request | None = None) -> Demand | None:
    """What is to be done for a call; None where it asks for nothing, or the upstream does it. Raises Unacceptable.

    Whatever else goes wrong in reading, the fields are taken out: the upstream would not know them. `before` is a request
    that asked for nothing: what this one shares with it is not looked at again.
    """
    if not emulation.covers(request.dialect, request.model):
        return None
    is_known = before is not None and emulation.covers(before.dialect, before.model)
    if not _may_ask(call, request, before if is_known else None):
        return None
    try:
        asked = _READ[request.dialect](call, request)
    except Unacceptable:
        raise
    except Exception:  # noqa: BLE001 - a request that cannot be read for this goes on without what it asks for
        asked = _WITHOUT[request.dialect](request)
    return None if asked is None else _demand(call, request, asked)


def moved(demand: Demand, body: bytes, stood: Condensed) -> Demand:
    """The demand once the request goes on from a compaction."""
    asked = msgspec.structs.replace(demand.asked, body=body, compact=None, is_carried=True, item=stood.sealed)
    made = _demand(demand.call, demand.given, asked)
    return msgspec.structs.replace(made, stood=stood)


def _may_ask(call: Call, request: Request, before: Request | None) -> bool:
    if is_beside(call) or anthropic.EDITS in request.fields:
        return True
    if before is None:
        return _WORD in call.body
    pairs = enumerate(zip(before.messages, request.messages, strict=False))
    first = next((at for at, (one, other) in pairs if one is not other), min(len(before.messages), len(request.messages)))
    fresh = (raw for key, raw in request.fields.items() if raw is not before.fields.get(key))
    return any(_WORD in raw for raw in chain(request.messages[first:], fresh, (jsonbytes.encode(list(request.fields)),)))


def _demand(call: Call, given: Request, asked: Asked) -> Demand:
    changed = _headers(call, asked.betas)
    made = msgspec.structs.replace(
        call, body=asked.body, changed={**call.changed, **changed}, headers={**call.headers, **changed}
    )
    request = wire.get(call.dialect).open(asked.body).for_model(call.model)
    return Demand(asked, made, request, given)


def _headers(call: Call, betas: Collection[str]) -> Mapping[str, str]:
    """The betas a request goes with, less those of the fields it no longer has (K-A28)."""
    named = [name.strip() for name in call.headers.get(_BETA, "").split(",") if name.strip()]
    kept = [name for name in named if name not in betas]
    return {_BETA: ",".join(kept)} if len(kept) < len(named) else {}


_READ: Mapping[str, Callable[[Call, Request], Asked | None]] = {
    "anthropic": lambda _, request: anthropic.read(request),
    "openai-responses": lambda call, request: openai_responses.read(request, is_alone=path_of(call) == COMPACT),
}
_WITHOUT: Mapping[str, Callable[[Request], Asked]] = {
    "anthropic": anthropic.without,
    "openai-responses": openai_responses.without,
}
