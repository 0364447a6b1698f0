"""What a client asks a provider to do with its history: edits in the words of Anthropic's API (provider-contracts §1.5, §6)."""

from enum import StrEnum

import msgspec


class Measure(StrEnum):
    """What a trigger counts."""

    TOKENS = "input_tokens"
    USES = "tool_uses"


class Trigger(msgspec.Struct, frozen=True):
    """An edit is due above this."""

    value: int
    of: Measure = Measure.TOKENS


class ClearTools(msgspec.Struct, frozen=True):
    """`clear_tool_uses_20250919`: old tool results give way to a placeholder, the oldest first; defaults of §1.5.1."""

    trigger: Trigger = Trigger(100_000)
    keep: int = 3
    """Newest tool uses that stay as they are."""
    at_least: int = 0
    """Tokens that must come free; otherwise nothing is cleared."""
    exclude: tuple[str, ...] = ()
    """Tools whose uses are never cleared."""
    inputs: bool | tuple[str, ...] = False
    """Whether the arguments go too, or of which tools."""

    def clears_input(self, tool: str) -> bool:
        """Whether the arguments of a tool's calls go with their results."""
        return self.inputs if isinstance(self.inputs, bool) else tool in self.inputs


class ClearThinking(msgspec.Struct, frozen=True):
    """`clear_thinking_20251015`: reasoning of old turns goes."""

    keep: int | None = None
    """Newest turns with reasoning that keep it; None: all."""


Edit = ClearTools | ClearThinking


class Edited(msgspec.Struct, frozen=True):
    """What a kind of edit has cleared of a view, all calls of its lane together."""

    tools: bool
    """Tool uses; else turns of reasoning."""
    count: int
    tokens: int
    """Calibrated tokens that came free."""


class Condensed(msgspec.Struct, frozen=True):
    """One text that stands for a whole request, in plain form and sealed."""

    text: str
    sealed: str
    """As an item only the engine reads; empty where it has no key."""
    before: int
    """Tokens of the request."""
    output: int
    """Tokens of the text."""
    origin: str = ""
    """A sealed item that says where it was made and nothing else; empty where there is no key."""
