"""What pumice itself writes into a message."""

from typing import Any

from pumice.wire import jsonbytes

ABORTED = "The call was aborted before it gave a result."
"""Result of a call that never got one."""


def aborted_result(call_id: str) -> dict[str, Any]:
    """Anthropic's block for such a result."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": ABORTED, "is_error": True}


def aborted_message(call_id: str) -> bytes:
    """Chat's message for such a result."""
    return jsonbytes.encode({"role": "tool", "tool_call_id": call_id, "content": ABORTED})


def as_arguments(text: str) -> bytes:
    """The bytes of a JSON object given as text. Raises BadRequest for anything else (K-A9, K-O4)."""
    return jsonbytes.join_object(jsonbytes.members(text.encode("utf-8", "surrogatepass")))
