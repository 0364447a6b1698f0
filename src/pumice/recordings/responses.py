"""Recorded answers as the provider's own response JSON."""

from collections.abc import Sequence

from pumice.wire import jsonbytes


def anthropic(content: bytes, *, name: str = "", model: str = "", stop: bytes = b"", usage: bytes = b"") -> bytes:
    """A Messages answer around raw content; the stop reason follows from the content where none is on record."""
    if jsonbytes.is_string(content):
        content = b'[{"type":"text","text":' + content + b"}]"
    blocks = (jsonbytes.decode(block) for block in jsonbytes.items(content)) if not stop else ()
    calls = any(isinstance(block, dict) and block.get("type") == "tool_use" for block in blocks)
    members = {
        "id": jsonbytes.encode(name) if name else b"",
        "type": b'"message"',
        "role": b'"assistant"',
        "model": jsonbytes.encode(model),
        "content": content,
        "stop_reason": stop or (b'"tool_use"' if calls else b'"end_turn"'),
        "usage": usage,
    }
    return jsonbytes.join_object({key: value for key, value in members.items() if value})


def chat(message: bytes, *, name: str = "", model: str = "", usage: bytes = b"") -> bytes:
    """A chat completion around a raw assistant message."""
    calls = jsonbytes.members(message).get("tool_calls", b"null") not in (b"null", b"[]")
    choice = {"index": b"0", "message": message, "finish_reason": b'"tool_calls"' if calls else b'"stop"'}
    members = {
        "id": jsonbytes.encode(name) if name else b"",
        "object": b'"chat.completion"',
        "model": jsonbytes.encode(model),
        "choices": jsonbytes.join_array([jsonbytes.join_object(choice)]),
        "usage": usage,
    }
    return jsonbytes.join_object({key: value for key, value in members.items() if value})


def gemini(content: bytes, *, model: str = "", usage: bytes = b"") -> bytes:
    """A generateContent answer around raw content."""
    candidate = jsonbytes.join_object({"content": content, "finishReason": b'"STOP"', "index": b"0"})
    members = {
        "candidates": jsonbytes.join_array([candidate]),
        "usageMetadata": usage,
        "modelVersion": jsonbytes.encode(model) if model else b"",
    }
    return jsonbytes.join_object({key: value for key, value in members.items() if value})


def items(output: Sequence[bytes], *, name: str = "", model: str = "", usage: bytes = b"") -> bytes:
    """A response around raw output items."""
    members = {
        "id": jsonbytes.encode(name) if name else b"",
        "object": b'"response"',
        "status": b'"completed"',
        "model": jsonbytes.encode(model) if model else b"",
        "output": jsonbytes.join_array(output),
        "usage": usage,
    }
    return jsonbytes.join_object({key: value for key, value in members.items() if value})


def of_messages(messages: Sequence[bytes], *, dialect: str, model: str) -> bytes:
    """The answer that assistant messages in a history once were together; it has neither id nor usage."""
    message = messages[0]
    if dialect == "openai-responses":
        return items(messages, model=model)
    if dialect == "openai-chat":
        return chat(message, model=model)
    if dialect == "gemini":
        return gemini(message, model=model)
    return anthropic(jsonbytes.members(message).get("content", b"[]"), model=model)
