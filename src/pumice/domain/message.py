"""Messages, heads, requests and responses as every dialect is read into."""

import msgspec

from pumice.domain.block import Block, Role


class Message(msgspec.Struct, frozen=True):
    """One wire message: its role, its blocks in order, and its exact bytes."""

    role: Role
    blocks: tuple[Block, ...]
    raw: bytes
    key: bytes
    """sha256 of the canonical form (no markers, no item ids, string = one-text list): equal keys are the same message."""
    is_text: bool = False
    """The content is a bare JSON string, not a list of blocks."""
    is_part: bool = False
    """One of the items a response may have several of (Responses): what the model says next to it is the same response."""


class Head(msgspec.Struct, frozen=True):
    """What stands before the messages: system blocks, tool definitions, parameters."""

    system: tuple[bytes, ...] = ()
    """Raw JSON of each system block (Anthropic); empty in dialects whose system text is a message."""
    tools: tuple[bytes, ...] = ()
    """Raw JSON of each tool definition."""
    tool_names: tuple[str, ...] = ()
    text: str = ""
    """System text and tool definitions as counted: one string."""
    key: bytes = b""
    """sha256 of the canonical head: markers and deferred tools left out, tools by name."""


class Request(msgspec.Struct, frozen=True):
    """A decoded envelope; the messages are still raw."""

    dialect: str
    model: str
    head: Head
    messages: tuple[bytes, ...]
    fields: dict[str, bytes]
    """Every top-level key in the client's order with its raw value; that of the messages is left empty."""
    body: bytes
    max_output: int | None = None
    """The request's own output cap in tokens, where it names one."""
    ends: tuple[int, ...] = ()
    """Where each message ends in `body`; empty where that is not known."""
    field: str = "messages"
    """Top-level key of the messages: `messages`, `input` or `contents`."""
    is_text: bool = False
    """The key holds a bare string, which stands for one user message."""
    is_delta: bool = False
    """The messages only go on from input that the provider holds: nothing can be told from them alone (K-R10)."""

    def for_model(self, model: str | None) -> "Request":
        """The same request to a model that its address names; what the body names wins."""
        return self if self.model or not model else msgspec.structs.replace(self, model=model)


class Usage(msgspec.Struct, frozen=True):
    """Tokens the provider reports; `input` is everything: fresh, cache reads and writes."""

    input: int
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    is_sum: bool = False
    """The input is that of several model calls behind one answer (server tools): it measures no request."""


class Response(msgspec.Struct, frozen=True):
    """A provider's answer, as messages of the ledger and what it reported."""

    id: str
    model: str
    messages: tuple[Message, ...]
    """One, or as many as the answer has items (Responses); none where there is nothing to keep."""
    usage: Usage | None = None
    stop: str = ""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Everything the answer says."""
        return tuple(block for message in self.messages for block in message.blocks)


class Violation(msgspec.Struct, frozen=True):
    """One broken provider rule: its id (K-A4 → "A4"), a JSON path and a sentence."""

    rule: str
    path: str
    message: str
