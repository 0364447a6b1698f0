"""The parts of a policy that say what is never lost, checked and written down."""

import msgspec


class Shares(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Shares of usable the partitions start from; one may borrow what others leave (F-B3)."""

    system: float = 0.20
    goal: float = 0.05
    memory: float = 0.10
    state: float = 0.10
    tools: float = 0.35
    history: float = 0.20


class Commit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    required_fields: tuple[str, ...] = ()
    """Fields looked for in a block before it leaves."""
    target: str = "task_state"
    synonyms: dict[str, tuple[str, ...]] = {}
    """Other names of a required field, from a glossary."""


def has_letter(name: str) -> bool:
    """Whether a name can be looked for: without a letter it would stand everywhere."""
    return any(map(str.isalpha, name))


class Audit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    on_scope_drop: str = "log_with_reason"


class Knowledge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mode: str = "pointer_first"
    require: tuple[str, ...] = ("source", "version", "effective_from", "scope")


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    freeze: tuple[str, ...] = ()
    """Kinds of volatile text in the head whose first value stays (F-A8)."""
