"""A finished response as the events it is streamed in (K §3.6)."""

from collections.abc import Iterator
from typing import Any

from pumice.wire.double.script import pieces

_ARGUMENTS = {
    "function_call": ("response.function_call_arguments", "arguments"),
    "custom_tool_call": ("response.custom_tool_call_input", "input"),
}


def events(response: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """In order; usage stands only in the last one."""
    started = response | {"status": "in_progress", "output": [], "usage": None}
    yield {"type": "response.created", "response": started}
    yield {"type": "response.in_progress", "response": started}
    for index, item in enumerate(response["output"]):
        yield {"type": "response.output_item.added", "output_index": index, "item": _opening(item)}
        yield from _inside(item, {"item_id": item["id"], "output_index": index})
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": response}


def _opening(item: dict[str, Any]) -> dict[str, Any]:
    """An item as it begins: what its seal will be is not known yet (K-R7)."""
    emptied: dict[str, Any] = {"content": [], "summary": [], "arguments": "", "input": "", "encrypted_content": ""}
    opened = {key: emptied.get(key, value) for key, value in item.items()}
    return opened | ({"status": "in_progress"} if "status" in item else {})


def _inside(item: dict[str, Any], place: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if item["type"] == "message":
        part = item["content"][0]
        at = {**place, "content_index": 0}
        yield {"type": "response.content_part.added", **at, "part": part | {"text": ""}}
        for piece in pieces(part["text"]):
            yield {"type": "response.output_text.delta", **at, "delta": piece}
        yield {"type": "response.output_text.done", **at, "text": part["text"]}
        yield {"type": "response.content_part.done", **at, "part": part}
    elif item["type"] == "reasoning":
        at = {**place, "summary_index": 0}
        yield {"type": "response.reasoning_summary_part.added", **at, "part": {"type": "summary_text", "text": ""}}
        for piece in pieces(item["summary"][0]["text"]):
            yield {"type": "response.reasoning_summary_text.delta", **at, "delta": piece}
        yield {"type": "response.reasoning_summary_text.done", **at, "text": item["summary"][0]["text"]}
        yield {"type": "response.reasoning_summary_part.done", **at, "part": item["summary"][0]}
    else:
        name, key = _ARGUMENTS[item["type"]]
        for piece in pieces(item[key]):
            yield {"type": f"{name}.delta", **place, "delta": piece}
        yield {"type": f"{name}.done", **place, key: item[key]}
