"""A model call on its way: what the client sent, and what is known of its answer so far."""

import asyncio
from typing import Any

import msgspec
from starlette.types import Scope

from pumice.faces.proxy import headers
from pumice.faces.proxy.codings import Damaged, Unsupported
from pumice.faces.proxy.collecting import Collected
from pumice.faces.proxy.gate import Call, Prepared
from pumice.faces.proxy.journal import Entry
from pumice.faces.proxy.outlet import Outlet
from pumice.faces.proxy.routes import Route
from pumice.faces.proxy.tap import Tap


class _Said(msgspec.Struct):
    """The field of a body the server itself reads."""

    model: Any = None


_SAID = msgspec.json.Decoder(_Said)


class Flight(msgspec.Struct):
    """A call on its way, and how its answer ended."""

    call: Call
    raw: bytes
    """The body as it came, encoding and all."""
    scope: Scope
    route: Route
    entry: Entry
    outlet: Outlet
    read_at: float
    sent: int = 0
    """Requests that went upstream for it."""
    prepared: Prepared | None = None
    tap: Tap | None = None
    """Of the answer that is relayed."""
    refusal: Collected | None = None
    """The first answer that said 400."""
    is_told: bool = False
    """The gate knows how it ended."""
    telling: asyncio.Future[None] | None = None
    """The gate being told; goes on whether the client stays or not."""


def call(scope: Scope, given: dict[str, str], body: bytes, route: Route) -> Call:
    """The call as the gate sees it."""
    return Call(route.dialect, body, given, headers.target(scope), route.model, route.is_stream)


def model(call: Call) -> str:
    """The model a call names; empty where it names none."""
    try:
        said = _Said() if call.model else _SAID.decode(call.body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return ""  # What is no request the upstream will say.
    return call.model or (said.model if isinstance(said.model, str) else "")


def accepting(flight: Flight, prepared: Prepared) -> dict[str, str]:
    """What the upstream may compress with: as the client said, if the copy can be read; nothing where we re-write it."""
    if prepared.is_held or prepared.reshape is not None or flight.outlet.has_begun:
        return {"accept-encoding": "identity"}
    accepted = flight.call.headers.get("accept-encoding")
    return {} if accepted is None else {"accept-encoding": headers.readable(accepted)}


def code(error: Exception, given: dict[str, str]) -> str | None:
    """The provider's own codes for bodies it cannot decode (provider-contracts §9.2)."""
    if isinstance(error, Unsupported):
        return "request_body_encoding_unsupported"
    if isinstance(error, Damaged):
        return "request_body_encoding_invalid"
    return "request_body_too_large_after_decoding" if "content-encoding" in given else None
