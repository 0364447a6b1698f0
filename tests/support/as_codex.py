"""A recorded session of another dialect as a Codex rollout: the same words, calls and results as Responses items."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from pumice.recordings.recording import Recording
from pumice.wire import get


def rollout(recording: Recording) -> bytes:
    """An Anthropic recording with its bills, each answer begun by reasoning that is stored and sealed."""
    billed = {call.upto: call.response for call in recording.calls if call.response}
    lines: list[dict[str, Any]] = [{"type": "session_meta", "payload": {"id": recording.stem, "cwd": "/work"}}]
    lines.append({"type": "turn_context", "payload": {"model": "gpt-5.5"}})
    total = 0
    for index, raw in enumerate(recording.messages):
        items = list(_items(json.loads(raw), hashlib.sha256(raw).hexdigest()[:16]))
        lines += ({"type": "response_item", "payload": item} for item in items)
        if index in billed and items:
            usage = get("anthropic").read_response(billed[index]).usage
            total += usage.input + usage.output if usage else 0
            lines += [_bill(usage, total)] if usage else []
    return b"".join(json.dumps({"timestamp": "2026-11-20T10:00:00.000Z", **line}).encode() + b"\n" for line in lines)


def _items(message: dict[str, Any], stored: str) -> Iterator[dict[str, Any]]:
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    is_models = message["role"] == "assistant"
    if is_models:
        yield {"type": "reasoning", "id": f"rs_{stored}", "summary": [], "content": None, "encrypted_content": f"gAAA{stored}"}
    for at, block in enumerate(blocks):
        if block["type"] == "text" and block["text"].strip():
            part = {"type": "output_text" if is_models else "input_text", "text": block["text"]}
            named = {"id": f"msg_{stored}{at}", "phase": "commentary"} if is_models else {}
            yield {"type": "message", **named, "role": message["role"], "content": [part]}
        elif block["type"] == "tool_use":
            call = {"id": f"fc_{stored}{at}", "name": block["name"], "arguments": json.dumps(block["input"])}
            yield {"type": "function_call", **call, "call_id": block["id"]}
        elif block["type"] == "tool_result":
            yield {"type": "function_call_output", "call_id": block["tool_use_id"], "output": _output(block.get("content"))}


def _output(content: Any) -> Any:
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
    if all(part["type"] == "text" for part in parts):
        return "\n".join(part["text"] for part in parts)
    return [_part(part) for part in parts]


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return {"type": "input_text", "text": part["text"]}
    source = part["source"]
    return {"type": "input_image", "image_url": f"data:{source['media_type']};base64,{source['data']}"}


def _bill(usage: Any, total: int) -> dict[str, Any]:
    told = {"input_tokens": usage.input, "cached_input_tokens": usage.cache_read, "output_tokens": usage.output}
    info = {"total_token_usage": {"total_tokens": total}, "last_token_usage": told}
    return {"type": "event_msg", "payload": {"type": "token_count", "info": info}}
