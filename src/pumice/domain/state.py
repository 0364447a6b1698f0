"""Task state: typed facts with sources, folded per branch from what was said and done."""

from enum import StrEnum

import msgspec


class Entry(StrEnum):
    GOAL = "goal"
    PLAN = "plan"
    CONSTRAINT = "constraint"
    DECISION = "decision"
    CORRECTION = "correction"
    FACT = "fact"
    OPEN = "open_item"
    NEXT = "next_step"
    APPROVAL = "approval"
    SIDE_EFFECT = "side_effect"
    FILE = "file"
    ERROR = "error"
    FAILED = "failed_attempt"
    CHILD = "child"
    NOTE = "note"


class Item(msgspec.Struct, frozen=True):
    """One typed fact; `text` is verbatim from its source."""

    entry: Entry
    text: str
    sources: tuple[str, ...]
    """Ids of the blocks it was taken from."""
    key: str = ""
    """What the item is about (a path, a tool, a field): a later item of the same key supersedes it."""
    status: str = ""
    """open, done, failed, superseded; empty where it has none."""
    by: str = ""
    """Id of the block that superseded or closed it."""


class Pin(msgspec.Struct, frozen=True):
    """Words that must stand verbatim in every view."""

    id: str
    block: str
    """Source block; empty for a pin made by hand."""
    whole: str
    """The whole message when it is short enough, else the sentence with its neighbours."""
    rule: str
    """The rule sentence alone."""
    by_hand: bool = False
    authority: str = "task"
    superseded_by: str = ""
    expires: str = ""
    """ISO time after which the pin no longer holds; empty for never."""
    scope: str = ""
    """Whose calls it holds for; empty for all of the session's."""


class TaskState(msgspec.Struct, frozen=True):
    items: tuple[Item, ...] = ()
    pins: tuple[Pin, ...] = ()
