"""How steps of a log stand on the wire: the log's blocks are Anthropic's, other dialects say the same in their own way."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from pumice.recordings import responses
from pumice.recordings.records import Part
from pumice.recordings.steps import Step
from pumice.wire import jsonbytes

CLEARED = b'"[Old tool result content cleared]"'
"""What Claude Code puts in place of a result it has cleared."""


class Voice(Protocol):
    dialect: str

    def messages(self, step: Step, cleared: frozenset[str] = frozenset()) -> tuple[bytes, ...]:
        """The wire messages of a step, results of cleared calls emptied."""
        ...

    def response(self, step: Step) -> bytes:
        """The provider's answer that a step was, with the usage of its newest line."""
        ...


class Anthropic:
    dialect = "anthropic"

    def messages(self, step: Step, cleared: frozenset[str] = frozenset()) -> tuple[bytes, ...]:
        if len(step.parts) == 1 and step.parts[0].is_bare:
            content = step.parts[0].raw
        else:
            content = jsonbytes.join_array(_cleared(part) if part.call_id in cleared else part.raw for part in step.parts)
        return (jsonbytes.join_object({"role": jsonbytes.encode(step.role), "content": content}),)

    def response(self, step: Step) -> bytes:
        first, last = step.turn.first, step.turn.last
        content = jsonbytes.join_array(part.raw for part in step.parts)
        return responses.anthropic(content, name=first.response_id, model=first.model, stop=last.stop, usage=last.usage)


class Chat:
    dialect = "openai-chat"

    def messages(self, step: Step, cleared: frozenset[str] = frozenset()) -> tuple[bytes, ...]:
        blocks = [_block(_cleared(part) if part.call_id in cleared else part.raw) for part in step.parts]
        if step.is_results:
            return tuple(map(jsonbytes.encode, map(_tool, blocks)))
        return (jsonbytes.encode(_assistant(blocks) if step.role == "assistant" else _user(blocks)),)

    def response(self, step: Step) -> bytes:
        first, last = step.turn.first, step.turn.last
        return responses.chat(*self.messages(step), name=first.response_id, model=first.model, usage=last.usage)


def _cleared(part: Part) -> bytes:
    """A result with the client's placeholder for its content; keys in the source's order."""
    return jsonbytes.join_object({**jsonbytes.members(part.raw), "content": CLEARED})


def _block(raw: bytes) -> dict[str, Any]:
    value = jsonbytes.decode(raw)
    return value if isinstance(value, dict) else {"type": "text", "text": value}


def _tool(block: dict[str, Any]) -> dict[str, Any]:
    content = block.get("content") or ""
    text = content if isinstance(content, str) else _text(content)
    return {"role": "tool", "tool_call_id": block.get("tool_use_id"), "content": text}


def _user(blocks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    parts = [part for block in blocks for part in _chat_part(block)]
    only_text = len(parts) == 1 and parts[0]["type"] == "text"
    return {"role": "user", "content": parts[0]["text"] if only_text else parts}


def _chat_part(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if block.get("type") == "text":
        yield {"type": "text", "text": block.get("text", "")}
    elif block.get("type") == "image":
        source = block.get("source") or {}
        yield {"type": "image_url", "image_url": {"url": f"data:{source.get('media_type')};base64,{source.get('data')}"}}


def _assistant(blocks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    calls = [
        {
            "id": block.get("id"),
            "type": "function",
            "function": {"name": block.get("name"), "arguments": jsonbytes.encode(block.get("input")).decode()},
        }
        for block in blocks
        if block.get("type") == "tool_use"
    ]
    spoken = {"role": "assistant", "content": _text(blocks) or None}
    return {**spoken, "tool_calls": calls} if calls else spoken


def _text(blocks: Sequence[dict[str, Any]]) -> str:
    return "\n".join(block["text"] for block in blocks if block.get("type") == "text" and isinstance(block.get("text"), str))
