"""What an engine is given by a face, and what each of its sessions carries."""

from collections.abc import Mapping

import msgspec

from pumice.domain.event import SessionKey
from pumice.domain.policy import Policy
from pumice.domain.ports import Clock, Fault, Model, Sealer, no_fault
from pumice.domain.scope import Scope
from pumice.store.home import Store


class Ports(msgspec.Struct, frozen=True):
    """Effects handed in by the faces: nothing below them reads a clock or asks a model on its own."""

    clock: Clock
    model: Model | None = None
    sealer: Sealer | None = None
    fault: Fault = no_fault


class Context(msgspec.Struct, frozen=True):
    """One session's surroundings."""

    key: SessionKey
    scope: Scope
    policy: Policy
    harder: tuple[Policy, ...]
    """What the policy's `triggers.degrade` names."""
    store: Store
    ports: Ports
    window: int | None = None
    model: str | None = None
    dialect: str | None = None
    resident: Mapping[str, tuple[str, ...]] = {}
    """Resident content the caller has given, by name."""
