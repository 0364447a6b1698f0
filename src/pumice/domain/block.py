"""A block: the smallest thing that is kept, shown or left out as one."""

from enum import StrEnum

import msgspec

UNNAMED = "#"
"""How the id of a call begins, or of a result, that has none of its own: `#read_file.2`, the second of its message."""


class Kind(StrEnum):
    TEXT = "text"
    CALL = "call"
    RESULT = "result"
    REASONING = "reasoning"
    MEDIA = "media"
    OPAQUE = "opaque"


class Role(StrEnum):
    """Who speaks on the wire, the same for every dialect; `tool` results are `user` in Anthropic's."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Origin(StrEnum):
    """Who wrote the content: only a person's words can become rules."""

    PERSON = "person"
    CLIENT = "client"
    MODEL = "model"
    TOOL = "tool"
    PUMICE = "pumice"


class Trust(StrEnum):
    PLATFORM = "platform"
    AGENT = "agent"
    USER = "user"
    TOOL = "tool"
    EXTERNAL = "external"


class Media(msgspec.Struct, frozen=True):
    """What an image or document is, read from its header, never from its base64 as text."""

    mime: str
    width: int = 0
    height: int = 0
    """Pixels; 0 when the header does not say."""
    pages: int = 0
    size: int = 0
    """Decoded bytes."""


class Block(msgspec.Struct, frozen=True):
    id: str
    """Ordinal of the session, `b173`; empty until the ledger has given one."""
    kind: Kind
    role: Role
    origin: Origin
    text: str
    """Text by the ruler of entities.md, secrets replaced: leaves of a call's arguments on lines of their own, text
    parts of a result; empty for reasoning and media."""
    raw: bytes
    """The JSON value exactly as the client wrote it, cache markers included."""
    hash: str
    """sha256 hex of the canonical value: markers and item ids left out."""
    call_id: str = ""
    """Pairs a call with its result; empty for other kinds."""
    tool: str = ""
    """Name of the tool, on the call and (once the ledger has paired them) on its result."""
    is_error: bool = False
    media: tuple[Media, ...] = ()
    """What the block itself, or a result's content, holds besides text."""
    trust: Trust = Trust.USER
    stays: bool = False
    """Never left out by a cut: what it holds stands nowhere else (compaction items, tools added on the way)."""
