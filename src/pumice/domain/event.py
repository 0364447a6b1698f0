"""Events: the append-only record a session is rebuilt from."""

import json
from typing import Any

import msgspec


class SessionKey(msgspec.Struct, frozen=True):
    """Whose session, and its name: the key of everything stored."""

    tenant: str
    session: str
    project: str = ""
    user: str = ""


class Event(msgspec.Struct, frozen=True):
    """One fact of a session; `data` is JSON bytes whose shape `kind` fixes."""

    kind: str
    """message, head, lane, form, cut_start, cut, response, factor, pin, unpin, artifact, fault, …"""
    data: bytes
    branch: str = "main"
    at: float = 0.0
    """Seconds since 1970, given by the face's clock."""
    seq: int = 0
    """Position in the session, given by the store, from 1."""


class SessionInfo(msgspec.Struct, frozen=True):
    key: SessionKey
    events: int
    first_at: float
    last_at: float
    bytes: int


def pack(value: Any) -> bytes:
    """Canonical JSON bytes of a struct or plain value; text UTF-8 cannot hold is written with escapes."""
    try:
        return msgspec.json.encode(value, order="deterministic")
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value), separators=(",", ":"), sort_keys=True).encode()
