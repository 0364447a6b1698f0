"""The one-call form: a list or body in, a smaller valid one out, with a carry instead of a store."""

import base64
import time
from typing import Any

import msgspec
import zstandard

from pumice import wire
from pumice.domain.event import Event, SessionKey
from pumice.domain.manifest import Manifest
from pumice.domain.policy import Policy
from pumice.domain.scope import Scope
from pumice.engine import journal
from pumice.engine.call import ViewTokens
from pumice.engine.context import Context, Ports
from pumice.engine.engine import Asked
from pumice.engine.opening import Body, as_bytes
from pumice.engine.session import Session
from pumice.engine.tree import Tree
from pumice.errors import InvalidInput
from pumice.faces import settings
from pumice.faces.endpoint import Models
from pumice.faces.library import Portal
from pumice.measure.window import check_size
from pumice.store.home import Store
from pumice.store.keys import Identity
from pumice.store.memory import MemoryAccounts, MemoryArtifacts, MemoryLedger, MemorySearch
from pumice.store.redact import RuleRedactor
from pumice.wire import jsonbytes

NAME = "one-call"
VERSION = 1


class Compacted(msgspec.Struct, frozen=True):
    """What `compact` returns."""

    body: Any
    """In the shape that was given: a list of messages for a list, else a request."""
    carry: dict[str, Any]
    """JSON to pass in again with the next, longer list: the ledger and its decisions."""
    manifest: Manifest
    tokens: ViewTokens


def compact(
    body_or_messages: Body | list[Any],
    *,
    dialect: str | None = None,
    target: int | None = None,
    window: int | None = None,
    model: str | None = None,
    policy: Policy | Asked = None,
    carry: dict[str, Any] | None = None,
) -> Compacted:
    """Compact a request or a list of messages once, without a store.

    `target` is the size in tokens of the complete request to go down to; without it the policy's own. `model` is the one
    its address names, where the body does not (Gemini). `policy` as in `Engine.session`. Raises CannotFit
    when even the smallest valid view is larger, InvalidInput for what cannot be read.
    """
    portal = Portal()
    try:
        return portal.run(_compact(body_or_messages, dialect, target, window, model, policy, carry))
    finally:
        portal.close()


async def _compact(
    given: Body | list[Any],
    dialect: str | None,
    target: int | None,
    window: int | None,
    model: str | None,
    policy: Policy | Asked,
    carry: dict[str, Any] | None,
) -> Compacted:
    check_size("target", target)
    check_size("window", window)
    raw = as_bytes(given)
    is_list = raw.lstrip()[:1] == b"["
    name = dialect or wire.detect(raw)
    field = wire.get(name).field
    body = jsonbytes.join_object({field: raw}) if is_list else raw
    # No key: a carry must be recognised by the next process, and it stays with the caller.
    store = Store(MemoryLedger(), MemoryArtifacts(), MemorySearch(), MemoryAccounts(), RuleRedactor(), Identity(b""))
    chosen = policy if isinstance(policy, Policy) else settings.policy(policy)
    key = SessionKey("local", NAME)
    if carry is not None:
        await store.ledger.append(key, _events(carry), tips=_tips(_events(carry)))
    session = Session(Context(key, Scope(), chosen, (), store, Ports(clock=time.time, model=Models()), window, model, name))
    view = await session.compact_body(body, dialect=name, target=target)
    out = view.raw if isinstance(given, (bytes, str)) else jsonbytes.decode(view.raw)
    result = out[field] if is_list and isinstance(out, dict) else out
    events = await store.ledger.load(key)
    return Compacted(result, _carry(events), view.manifest, view.tokens)


def _carry(events: list[Event]) -> dict[str, Any]:
    packed = zstandard.compress(msgspec.msgpack.encode(events), 3)
    return {"pumice": VERSION, "ledger": base64.b64encode(packed).decode()}


def _events(carry: dict[str, Any]) -> list[Event]:
    """The events of a carry; raises InvalidInput for anything that is none."""
    try:
        if carry["pumice"] != VERSION:
            raise InvalidInput(f"carry of version {carry['pumice']!r}; this pumice reads {VERSION}.")
        packed = zstandard.decompress(base64.b64decode(carry["ledger"], validate=True))
        events = msgspec.msgpack.decode(packed, type=list[Event])
        # Read once for nothing: events may be well-formed, and still not the whole of what was handed out.
        Tree().load([journal.read(event) for event in events])
        return events
    except (LookupError, TypeError, ValueError, StopIteration, zstandard.ZstdError, msgspec.MsgspecError) as error:
        raise InvalidInput("the carry is not one that pumice.compact returned.", hint="Pass it back unchanged.") from error


def _tips(events: list[Event]) -> dict[str, int]:
    return {event.branch: 0 for event in events}
