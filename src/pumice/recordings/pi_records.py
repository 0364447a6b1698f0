"""Lines of a pi log as records: pi's own message shapes said in Anthropic's blocks."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pumice.recordings.jsonl import Line, decode, seconds
from pumice.recordings.records import Kind, Part, Record, is_blank
from pumice.wire import jsonbytes

FAILED = ("aborted", "error")
"""How an assistant turn ended that pi never sends back."""
_STOPS = {"stop": b'"end_turn"', "toolUse": b'"tool_use"', "length": b'"max_tokens"'}


class _Usage(msgspec.Struct, rename="camel"):
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


class Message(msgspec.Struct, rename="camel"):
    """A message in pi's own shape; which members it has depends on its role."""

    role: str
    content: msgspec.Raw = msgspec.Raw(b"[]")
    tool_call_id: str = ""
    is_error: bool | None = None
    api: str | None = None
    model: str | None = None
    usage: _Usage | None = None
    stop_reason: str | None = None
    response_id: str | None = None
    command: str | None = None
    output: str | None = None
    exclude_from_context: bool | None = None


class Entry(msgspec.Struct, rename="camel"):
    """One line of a pi log."""

    type: str
    id: str | None = None
    parent_id: str | None = None
    timestamp: str | None = None
    message: Message | None = None
    content: msgspec.Raw = msgspec.Raw(b"[]")
    summary: str | None = None
    first_kept_entry_id: str | None = None


def entry(line: Line) -> Entry:
    """The entry of a line; raises NotReadable for what is no pi entry."""
    return decode(line.data, Entry)


def record(number: int, found: Entry) -> Record:
    """The record of an entry; raises NotReadable for a message of no known shape."""
    common: dict[str, Any] = {
        "line": number,
        "uuid": found.id or "",
        "parent": found.parent_id or "",
        "at": seconds(found.timestamp),
    }
    if found.type == "message" and found.message:
        return _message(found.message, common)
    if found.type == "compaction":
        parts = (_text(found.summary or ""),)
        return Record(**common, kind=Kind.BOUNDARY, parts=parts, kept=found.first_kept_entry_id or "", is_summary=True)
    if found.type == "branch_summary":
        return Record(**common, kind=Kind.USER, parts=(_text(found.summary or ""),), is_injected=True)
    if found.type == "custom_message":
        return Record(**common, kind=Kind.USER, parts=_parts(bytes(found.content)), is_injected=True)
    return Record(**common, kind=Kind.LINK)


def _message(message: Message, common: dict[str, Any]) -> Record:
    if message.role == "user":
        return Record(**common, kind=Kind.USER, parts=_parts(bytes(message.content)), is_typed=True)
    if message.role == "assistant" and message.stop_reason not in FAILED:
        return _response(message, common)
    if message.role == "toolResult":
        return Record(**common, kind=Kind.USER, parts=(_result(message),))
    if message.role == "bashExecution" and not message.exclude_from_context:
        ran = _text(f"$ {message.command or ''}\n{message.output or ''}")
        return Record(**common, kind=Kind.USER, parts=(ran,), is_injected=True)
    return Record(**common, kind=Kind.LINK)


def _response(message: Message, common: dict[str, Any]) -> Record:
    return Record(
        **common,
        kind=Kind.ASSISTANT,
        parts=_parts(bytes(message.content)),
        message_id=message.response_id or f"line {common['line']}",
        response_id=message.response_id or "",
        model=message.model or "",
        usage=_usage(message) if message.usage else b"",
        stop=_STOPS.get(message.stop_reason or "", b""),
    )


def _usage(message: Message) -> bytes:
    """The usage in the words of the dialect the session is read in."""
    usage = message.usage or _Usage()
    if is_anthropic(message):
        named = {
            "input_tokens": usage.input,
            "cache_creation_input_tokens": usage.cache_write,
            "cache_read_input_tokens": usage.cache_read,
            "output_tokens": usage.output,
        }
        return jsonbytes.encode(named)
    prompt = usage.input + usage.cache_read + usage.cache_write
    details = {"cached_tokens": usage.cache_read}
    return jsonbytes.encode({"prompt_tokens": prompt, "completion_tokens": usage.output, "prompt_tokens_details": details})


def is_anthropic(message: Message) -> bool:
    """Whether a response came over Anthropic's API, at Anthropic's or another's door."""
    return "anthropic" in (message.api or "") or "claude" in (message.model or "")


def _result(message: Message) -> Part:
    parts = _parts(bytes(message.content))
    members = {
        "type": b'"tool_result"',
        "tool_use_id": jsonbytes.encode(message.tool_call_id),
        "content": jsonbytes.join_array(part.raw for part in parts),
    }
    if message.is_error:
        members["is_error"] = b"true"
    return Part("tool_result", jsonbytes.join_object(members), call_id=message.tool_call_id)


def _text(text: str) -> Part:
    return Part("text", jsonbytes.encode({"type": "text", "text": text}), is_blank=not text.strip())


def _parts(content: bytes) -> tuple[Part, ...]:
    if jsonbytes.is_string(content):
        return (Part("text", content, is_bare=True, is_blank=is_blank(content)),)
    return tuple(part for raw in jsonbytes.items(content) for part in _part(jsonbytes.members(raw)))


def _part(block: dict[str, bytes]) -> Iterator[Part]:
    kind = jsonbytes.decode(block.get("type", b"null"))
    if kind == "text":
        text = block.get("text", b'""')
        yield Part("text", jsonbytes.join_object({"type": b'"text"', "text": text}), is_blank=is_blank(text))
    elif kind == "image":
        source = {"type": b'"base64"', "media_type": block.get("mimeType", b'""'), "data": block.get("data", b'""')}
        yield Part("image", jsonbytes.join_object({"type": b'"image"', "source": jsonbytes.join_object(source)}))
    elif kind == "toolCall":
        call = {"type": b'"tool_use"', "id": block["id"], "name": block["name"], "input": block.get("arguments", b"{}")}
        yield Part("tool_use", jsonbytes.join_object(call), call_id=str(jsonbytes.decode(block["id"])))
    elif kind == "thinking" and block.get("thinkingSignature", b'""') not in (b'""', b"null"):
        signed = {"thinking": block.get("thinking", b'""'), "signature": block["thinkingSignature"]}
        yield Part("thinking", jsonbytes.join_object({"type": b'"thinking"', **signed}))
