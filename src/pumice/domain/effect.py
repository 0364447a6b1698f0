"""What running a tool again would do, and what a call was about."""

from enum import StrEnum

import msgspec


class Effect(StrEnum):
    READ = "read"
    WRITE = "write"
    UNKNOWN = "unknown"
    """Counts as write: offloaded, never dropped."""


class ToolUse(msgspec.Struct, frozen=True):
    """What is known of one tool call: the label of its result and of its pointer."""

    tool: str
    target: str
    """Path, command, query or URL the call is about; empty when it names none."""
    effect: Effect
    is_file_read: bool = False
    """The effects table names the tool as a file read and the result is no error."""
    is_listing: bool = False
    """Shell, search or listing output: entities in it are rarely needed again (frontier §5.3)."""
    is_edit: bool = False
    """The call changes the file named by `target`."""
    reads_back: str = ""
    """What the call fetches again of what had left the view: the name or words asked for; empty for any other call."""
    first_line: int = 1
    """Line number of the first line of a file read's result, when the call asked for a slice."""
