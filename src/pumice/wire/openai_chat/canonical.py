"""The canonical value of a Chat block: what it means, not how it was written."""

from typing import Any

from pumice.errors import BadRequest
from pumice.wire import jsonbytes
from pumice.wire.values import mapping

MARKER = "prompt_cache_breakpoint"


def without_markers(value: Any) -> Any:
    """The part without its own cache breakpoint."""
    if isinstance(value, dict) and MARKER in value:
        return {key: item for key, item in value.items() if key != MARKER}
    return value


def text(value: str) -> dict[str, str]:
    """A bare string as the part it stands for."""
    return {"type": "text", "text": value}


def result(value: dict[str, Any]) -> dict[str, Any]:
    """Content given as a string and as a list of one text is the same."""
    content = [without_markers(part) for part in parts(value.get("content"))]
    return {"role": value.get("role"), "call": value.get("tool_call_id", value.get("name")), "content": content}


def call(value: dict[str, Any]) -> dict[str, Any]:
    """A call by id, name and decoded arguments: neither key order nor stream index matters."""
    function = mapping(value.get("function")) or mapping(value.get("custom")) or value
    return {"id": value.get("id"), "name": function.get("name"), "input": arguments(value)}


def arguments(value: dict[str, Any]) -> Any:
    """The decoded arguments of a call; the string itself where it is no JSON."""
    if isinstance(value.get("custom"), dict):
        return value["custom"].get("input")
    written = (mapping(value.get("function")) or value).get("arguments")
    if not isinstance(written, str):
        return written
    try:
        return jsonbytes.decode(written.encode("utf-8", "surrogatepass"))
    except BadRequest:
        return written


def parts(content: Any) -> list[Any]:
    """Content as a list of parts, however it was given."""
    if content is None:
        return []
    return content if isinstance(content, list) else [text(content)]
