"""Messages as a pi log: Anthropic's or OpenAI's shapes said in pi's own."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from pumice.recordings.recording import Recording
from pumice.recordings.stamps import Stamped, iso, stamp
from pumice.wire import jsonbytes

_APIS = {"anthropic": ("anthropic-messages", "anthropic"), "openai-chat": ("openai-completions", "openai")}


def write(recording: Recording, messages: Sequence[bytes]) -> bytes:
    """The session's header, then one entry a message or result, chained by ids that follow from the messages alone."""
    lines = [jsonbytes.join_object(recording.outer)] if recording.outer else []
    chain, parent = b"", b"null"
    tools: dict[bytes, bytes] = {}
    for stamped in stamp(recording, messages):
        time = {} if stamped.at is None else {"timestamp": jsonbytes.encode(iso(stamped.at))}
        for message in _messages(recording, stamped, tools):
            chain = sha256(chain + message).digest()
            name = jsonbytes.encode(chain.hex()[:8])
            entry = {"type": b'"message"', "id": name, "parentId": parent, **time, "message": message}
            lines.append(jsonbytes.join_object(entry))
            parent = name
    return b"".join(line + b"\n" for line in lines)


def _messages(recording: Recording, stamped: Stamped, tools: dict[bytes, bytes]) -> Iterator[bytes]:
    """pi's messages for one of the wire: each result is one of its own."""
    wire = stamped.message if recording.dialect == "anthropic" else _as_blocks(stamped.message)
    members = jsonbytes.members(wire)
    content = members.get("content", b"[]")
    if jsonbytes.is_string(content) and members["role"] == b'"user"':
        yield jsonbytes.join_object({"role": b'"user"', "content": content})
        return
    content = content if jsonbytes.is_array(content) else jsonbytes.join_array([_text(content)])
    blocks = [jsonbytes.members(block) for block in jsonbytes.items(content)]
    yield from (_result(block, tools) for block in blocks if block.get("type") == b'"tool_result"')
    parts = [part for block in blocks for part in _part(block, tools)]
    if members["role"] == b'"assistant"':
        yield _response(recording, stamped, parts)
    elif parts:
        yield jsonbytes.join_object({"role": b'"user"', "content": jsonbytes.join_array(parts)})


def _part(block: dict[str, bytes], tools: dict[bytes, bytes]) -> Iterator[bytes]:
    kind = jsonbytes.decode(block.get("type", b"null"))
    if kind == "text":
        yield _text(block["text"])
    elif kind == "tool_use":
        tools[block["id"]] = block["name"]
        call = {"type": b'"toolCall"', "id": block["id"], "name": block["name"], "arguments": block["input"]}
        yield jsonbytes.join_object(call)
    elif kind == "thinking":
        signed = {"thinking": block["thinking"], "thinkingSignature": block["signature"]}
        yield jsonbytes.join_object({"type": b'"thinking"', **signed})
    elif kind == "image":
        source = jsonbytes.members(block["source"])
        picture = {"data": source.get("data", b'""'), "mimeType": source.get("media_type", b'""')}
        yield jsonbytes.join_object({"type": b'"image"', **picture})


def _result(block: dict[str, bytes], tools: dict[bytes, bytes]) -> bytes:
    content = block.get("content", b"[]")
    if jsonbytes.is_string(content):
        content = jsonbytes.join_array([_text(content)])
    parts = [part for item in jsonbytes.items(content) for part in _part(jsonbytes.members(item), tools)]
    members = {
        "role": b'"toolResult"',
        "toolCallId": block["tool_use_id"],
        "toolName": tools.get(block["tool_use_id"], b'""'),
        "content": jsonbytes.join_array(parts),
        "isError": block.get("is_error", b"false"),
    }
    return jsonbytes.join_object(members)


def _response(recording: Recording, stamped: Stamped, parts: Sequence[bytes]) -> bytes:
    api, provider = _APIS[recording.dialect]
    calls = any(jsonbytes.members(part).get("type") == b'"toolCall"' for part in parts)
    call = stamped.call
    members = {
        "role": b'"assistant"',
        "content": jsonbytes.join_array(parts),
        "api": jsonbytes.encode(api),
        "provider": jsonbytes.encode(provider),
        "model": jsonbytes.encode(call.model if call else recording.model),
        "stopReason": b'"toolUse"' if calls else b'"stop"',
    }
    if call and call.response:
        members |= _bill(jsonbytes.decode(call.response))
    return jsonbytes.join_object(members)


def _bill(response: dict[str, Any]) -> dict[str, bytes]:
    """Usage and id of a recorded answer in pi's words."""
    usage = response.get("usage") or {}
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0)
    told = {
        "input": usage.get("input_tokens", usage.get("prompt_tokens", 0) - cached),
        "output": usage.get("output_tokens", usage.get("completion_tokens", 0)),
        "cacheRead": usage.get("cache_read_input_tokens", cached),
        "cacheWrite": usage.get("cache_creation_input_tokens", 0),
    }
    named = {"responseId": jsonbytes.encode(response["id"])} if response.get("id") else {}
    return {**({"usage": jsonbytes.encode(told)} if usage else {}), **named}


def _text(text: bytes) -> bytes:
    return jsonbytes.join_object({"type": b'"text"', "text": text})


def _as_blocks(message: bytes) -> bytes:
    """A chat message in Anthropic's blocks."""
    value = jsonbytes.decode(message)
    content = value.get("content") or []
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else [_chat_part(part) for part in content]
    if value["role"] == "tool":
        result = {"type": "tool_result", "tool_use_id": value["tool_call_id"], "content": parts}
        return jsonbytes.encode({"role": "user", "content": [result]})
    calls = [
        {
            "type": "tool_use",
            "id": call["id"],
            "name": call["function"]["name"],
            "input": jsonbytes.decode(call["function"]["arguments"].encode()),
        }
        for call in value.get("tool_calls") or []
    ]
    return jsonbytes.encode({"role": value["role"], "content": [*parts, *calls]})


def _chat_part(part: dict[str, Any]) -> dict[str, Any]:
    if part.get("type") != "image_url":
        return part
    head, _, data = part["image_url"]["url"].partition(",")
    return {"type": "image", "source": {"media_type": head.removeprefix("data:").removesuffix(";base64"), "data": data}}
