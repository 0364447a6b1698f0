"""Admit: the permission and validity filter, before anything is ranked; every drop has its reason (F-B1, F-B2).

Candidates come from the session's own ledger (blocks, state, pins). Knowledge and retrievers will hand in theirs here.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from pumice.domain.scope import LEVELS, Scope, parse
from pumice.domain.state import Pin
from pumice.errors import InvalidInput


class Drop(msgspec.Struct, frozen=True):
    """A candidate that was not admitted."""

    id: str
    reason: str
    block: str = ""
    """Where its words stand; empty for what was made by hand."""


class Admitted(msgspec.Struct, frozen=True):
    pins: tuple[Pin, ...]
    drops: tuple[Drop, ...]


def until(text: str) -> float:
    """Seconds since 1970 of an ISO time or date, UTC unless it names a zone. Raises InvalidInput."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(f"expires={text!r}: expected an ISO time such as 2026-12-31T18:00.") from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def covers(asset: Scope, caller: Scope) -> bool:
    """Whether something of scope `asset` may be shown to `caller`: every level the asset names is the caller's own."""
    return all(getattr(asset, level) in ("", getattr(caller, level)) for level in LEVELS)


def pins(found: Iterable[Pin], at: float, caller: Scope) -> Admitted:
    """Pins that hold for a caller at a moment; superseded and expired ones and those of another scope are dropped."""
    kept: list[Pin] = []
    drops: list[Drop] = []
    for pin in found:
        if pin.superseded_by:
            drops.append(Drop(pin.id, f"superseded by {pin.superseded_by}", pin.block))
        elif pin.expires and until(pin.expires) <= at:
            drops.append(Drop(pin.id, f"expired {pin.expires}", pin.block))
        elif pin.scope and not covers(parse(pin.scope), caller):
            drops.append(Drop(pin.id, f"of scope {pin.scope}, which is not the caller's", pin.block))
        else:
            kept.append(pin)
    return Admitted(tuple(kept), tuple(drops))
