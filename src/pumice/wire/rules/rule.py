"""What a rule sees and says."""

from collections.abc import Collection, Iterable
from typing import Any, Protocol

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.values import objects


class Part(msgspec.Struct, frozen=True):
    """One content block of a message."""

    kind: str
    value: dict[str, Any]
    path: str


class Seen(msgspec.Struct, frozen=True):
    """One message as the rules look at it."""

    index: int
    role: str
    value: dict[str, Any]
    parts: tuple[Part, ...]
    size: int
    """Bytes on the wire."""
    field: str = "messages"
    """Top-level key of the messages."""

    @property
    def path(self) -> str:
        return f"{self.field}[{self.index}]"


class Step(msgspec.Struct, frozen=True):
    """A rule's state after one more message, and what was wrong with that message."""

    state: Any
    found: tuple[Violation, ...] = ()


class Ending(msgspec.Struct, frozen=True):
    """Everything around the messages, known when all have been seen."""

    fields: dict[str, Any]
    """Decoded top-level keys without that of the messages."""
    model: ModelName
    count: int
    """Messages fed."""
    size: int
    """Bytes of messages and other fields."""
    tokens: int | None = None
    """Size of the whole request in calibrated tokens, where the caller has counted."""
    window: int | None = None
    betas: frozenset[str] | None = None
    """Values of the beta header; None where the caller does not know the headers."""

    @property
    def tools(self) -> tuple[dict[str, Any], ...]:
        return objects(self.fields.get("tools"))


class Rule(Protocol):
    """A module with a few rules that share what they must remember. States are immutable."""

    START: Any

    def step(self, state: Any, message: Seen, model: ModelName, /) -> Step: ...

    def end(self, state: Any, ending: Ending, /) -> Iterable[Violation]: ...


def names(values: Collection[str], most: int = 5) -> str:
    """A few names for a sentence."""
    listed = [repr(value) for value in values]
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")
