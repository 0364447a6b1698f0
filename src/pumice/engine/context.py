"""What an engine is given by a face, and what each of its sessions carries."""

from collections.abc import Callable
from typing import Any

import msgspec

from pumice.domain.event import SessionKey
from pumice.domain.policy import Policy
from pumice.domain.ports import Artifacts, Clock, Fault, Ledger, Model, Redactor, no_fault
from pumice.domain.scope import Scope


class Ports(msgspec.Struct, frozen=True):
    """Effects handed in by the faces: nothing below them reads a clock or asks a model on its own."""

    clock: Clock
    model: Model | None = None
    fault: Fault = no_fault


class Stores(msgspec.Struct, frozen=True):
    """Where sessions are kept, and how their content is replaced and recognised."""

    ledger: Ledger
    artifacts: Artifacts
    redactor: Redactor
    identity: Callable[[bytes], bytes]
    close: Callable[[], Any] | None = None


class Context(msgspec.Struct, frozen=True):
    """One session's surroundings."""

    key: SessionKey
    scope: Scope
    policy: Policy
    stores: Stores
    ports: Ports
    window: int | None = None
    model: str | None = None
    dialect: str | None = None
