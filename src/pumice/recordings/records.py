"""Lines of a client's log as records, the same for every client: what is known before they are put together."""

from enum import StrEnum

import msgspec


class Kind(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    BOUNDARY = "boundary"
    """The client compacted here; `parts` hold its summary where the record itself does."""
    CLEARING = "clearing"
    """The client cleared old tool results here."""
    LINK = "link"
    """No message; only a step in the chain of parents."""


class Part(msgspec.Struct, frozen=True):
    """One content block, or a bare string as one."""

    kind: str
    raw: bytes
    call_id: str = ""
    """Id of a tool call, or of the call that a result answers."""
    is_bare: bool = False
    """The content was a JSON string, not a list."""
    is_blank: bool = False
    """Text of white space alone: providers refuse it."""


class Record(msgspec.Struct, frozen=True):
    """One line that matters."""

    line: int
    kind: Kind
    uuid: str = ""
    parent: str = ""
    at: float | None = None
    lane: str = ""
    """Empty for the main agent; else what the sub-agent is told apart by: its id, or its own uuid until its root is known."""
    is_side: bool = False
    parts: tuple[Part, ...] = ()
    message_id: str = ""
    """What the lines of one response share."""
    response_id: str = ""
    """The provider's id of the response; empty where the log has none."""
    model: str = ""
    usage: bytes = b""
    stop: bytes = b""
    is_typed: bool = False
    """A user record that holds what a person wrote or pasted, not the client's markup around a command."""
    is_injected: bool = False
    """A user record the client wrote by itself."""
    is_summary: bool = False
    cleared: frozenset[str] = frozenset()
    """Call ids whose results a clearing took away."""
    kept: str = ""
    """The record from which on a compaction left messages as they were; empty for none."""


def is_blank(text: bytes) -> bool:
    """Whether a JSON string holds white space alone, told from its bytes."""
    for escape in (b"\\n", b"\\r", b"\\t"):
        text = text.replace(escape, b"")
    return not text.strip(b'" ')
