"""What the items of a Responses input are: who speaks, and which of them are halves of a tool call (K §3.1)."""

from collections.abc import Mapping
from typing import Any

from pumice.domain.block import Role
from pumice.errors import BadRequest
from pumice.wire.values import string

MESSAGE, REASONING, COMPACTION = "message", "reasoning", "compaction"
REFERENCE, TRIGGER, TOOLS, SETTINGS = "item_reference", "compaction_trigger", "additional_tools", "configuration_update"
CALLS: Mapping[str, str] = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "shell_call": "action",
    "apply_patch_call": "operation",
}
"""Calls that the client answers with text, and the member that says what with."""
OUTPUTS: Mapping[str, str] = {
    "function_call_output": "function_call",
    "custom_tool_call_output": "custom_tool_call",
    "local_shell_call_output": "local_shell_call",
    "shell_call_output": "shell_call",
    "apply_patch_call_output": "apply_patch_call",
}
"""Their answers, and the call each belongs to."""
OTHER_CALLS: Mapping[str, str] = {
    "computer_call_output": "computer_call",
    "tool_search_output": "tool_search_call",
    "program_output": "program",
}
"""Answers that cannot be put into other words, and their calls: opaque, so that they leave only with their step."""
TEXTS = frozenset({"input_text", "output_text", "text"})
MEDIA = frozenset({"input_image", "input_file", "input_audio", "computer_screenshot"})

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "developer": Role.SYSTEM}
_OF_CLIENT = frozenset({"computer_call_output", "mcp_approval_response"})


def kind(value: Mapping[str, Any]) -> str:
    """The type of an item; a message may leave it out."""
    return string(value.get("type")) or MESSAGE


def role(value: Mapping[str, Any]) -> Role:
    """Who speaks. Raises BadRequest for a message of an unknown role."""
    name = kind(value)
    if name == MESSAGE:
        return _named(value.get("role"))
    if name in OUTPUTS or name in _OF_CLIENT or (name == "tool_search_output" and value.get("execution") == "client"):
        return Role.TOOL
    if name in (TOOLS, SETTINGS):
        return Role.SYSTEM
    return Role.USER if name == TRIGGER else Role.ASSISTANT


def _named(name: Any) -> Role:
    if not isinstance(name, str) or name not in _ROLES:
        raise BadRequest(f"a message with the role {name!r}.", hint=f"Responses knows {', '.join(_ROLES)}.")
    return _ROLES[name]


def tool(value: Mapping[str, Any]) -> str:
    """The name a call goes by: its own, or what the kind of call is named after."""
    return string(value.get("name")) or kind(value).removesuffix("_output").removesuffix("_call")


def call_id(value: Mapping[str, Any]) -> str:
    """What pairs a call with its output; local shells name the call by `id` in the output."""
    found = string(value.get("call_id"))
    return found or (string(value.get("id")) if kind(value) == "local_shell_call_output" else "")
