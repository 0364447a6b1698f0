"""The canonical value of an Anthropic block: what it means, not how it was written."""

from typing import Any

MARKER = "cache_control"


def without_markers(value: Any) -> Any:
    """The object without its own cache marker; arguments and schemas are never searched for one."""
    if isinstance(value, dict) and MARKER in value:
        return {key: item for key, item in value.items() if key != MARKER}
    return value


def of_block(block: dict[str, Any]) -> dict[str, Any]:
    """Markers out; content given as a string and as a list of one text is the same."""
    found: dict[str, Any] = without_markers(block)
    if block.get("type") != "tool_result":
        return found
    content = [without_markers(part) for part in parts(block.get("content"))]
    found = {**found, "content": content}
    if not found.get("is_error"):
        found.pop("is_error", None)
    return found


def parts(content: Any) -> list[Any]:
    """Content as a list of parts, however it was given."""
    if content is None:
        return []
    return content if isinstance(content, list) else [{"type": "text", "text": content}]
