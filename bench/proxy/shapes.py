"""A session in each of the four wire formats: the bodies its client would send, call by call."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from bench.proxy import talks
from bench.proxy.talks import Step

Value = dict[str, Any]
SYSTEM = talks.SYSTEM * talks.SYSTEM_TIMES
_PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}, "why": {"type": "string"}}, "required": ["path"]}
_ABOUT = talks.SYSTEM * 8
EPHEMERAL = {"type": "ephemeral"}


class Shape(msgspec.Struct, frozen=True):
    """How one format is written."""

    model: str
    factor: float
    """Tokens of the model per token of o200k, as the families' published counts have it."""
    field: str
    """Where the messages stand."""
    head: Value
    said: Callable[[str], Value]
    """A person's words."""
    stepped: Callable[[Step], tuple[Value, ...]]
    """What the model said and called, and the result."""
    headers: Mapping[str, str]
    path: str
    stream_path: str = ""
    """Where streams have one of their own."""


def _anthropic(step: Step) -> tuple[Value, ...]:
    used = {"type": "tool_use", "id": step.id, "name": step.tool, "input": step.given}
    result = {"type": "tool_result", "tool_use_id": step.id, "content": step.result}
    said = {"role": "assistant", "content": [{"type": "text", "text": step.text}, used]}
    return said, {"role": "user", "content": [result]}


def _chat(step: Step) -> tuple[Value, ...]:
    call = {"id": step.id, "type": "function", "function": {"name": step.tool, "arguments": json.dumps(step.given)}}
    said = {"role": "assistant", "content": step.text, "tool_calls": [call]}
    return said, {"role": "tool", "tool_call_id": step.id, "content": step.result}


def _responses(step: Step) -> tuple[Value, ...]:
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": step.text}]}
    call = {"type": "function_call", "call_id": step.id, "name": step.tool, "arguments": json.dumps(step.given)}
    return said, call, {"type": "function_call_output", "call_id": step.id, "output": step.result}


def _gemini(step: Step) -> tuple[Value, ...]:
    call = {"functionCall": {"id": step.id, "name": step.tool, "args": step.given}}
    answer = {"functionResponse": {"id": step.id, "name": step.tool, "response": {"output": step.result}}}
    return {"role": "model", "parts": [{"text": step.text}, call]}, {"role": "user", "parts": [answer]}


def _functions(wrap: Callable[[Value], Value], parameters: str) -> list[Value]:
    return [wrap({"name": name, "description": _ABOUT, parameters: _PARAMETERS}) for name in talks.TOOLS]


SHAPES = {
    "anthropic": Shape(
        "claude-sonnet-4-5",
        1.25,
        "messages",
        {
            "max_tokens": 8000,
            "system": [{"type": "text", "text": SYSTEM, "cache_control": EPHEMERAL}],
            "tools": _functions(lambda tool: tool, "input_schema"),
        },
        lambda text: {"role": "user", "content": text},
        _anthropic,
        {"x-api-key": "none", "anthropic-version": "2023-06-01"},
        "/v1/messages",
    ),
    "openai-chat": Shape(
        "gpt-5.1",
        1.0,
        "messages",
        {"tools": _functions(lambda tool: {"type": "function", "function": tool}, "parameters")},
        lambda text: {"role": "user", "content": text},
        _chat,
        {"authorization": "Bearer none"},
        "/v1/chat/completions",
    ),
    "openai-responses": Shape(
        "gpt-5.1",
        1.0,
        "input",
        {"instructions": SYSTEM, "store": False, "tools": _functions(lambda tool: {"type": "function", **tool}, "parameters")},
        lambda text: {"role": "user", "content": [{"type": "input_text", "text": text}]},
        _responses,
        {"authorization": "Bearer none"},
        "/v1/responses",
    ),
    "gemini": Shape(
        "gemini-2.5-pro",
        1.0,
        "contents",
        {
            "systemInstruction": {"parts": [{"text": SYSTEM}]},
            "tools": [{"functionDeclarations": _functions(lambda tool: tool, "parameters")}],
        },
        lambda text: {"role": "user", "parts": [{"text": text}]},
        _gemini,
        {"x-goog-api-key": "none"},
        "/v1beta/models/gemini-2.5-pro:generateContent",
        "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
    ),
}


class Talk:
    """One session as its client sends it."""

    def __init__(self, dialect: str, seed: int, *, is_stream: bool = False) -> None:
        self.shape = SHAPES[dialect]
        self.dialect, self.seed, self.is_stream = dialect, seed, is_stream
        self.path = (is_stream and self.shape.stream_path) or self.shape.path
        opening = [_written(self.shape.said(talks.goal(seed)))]
        if dialect == "openai-chat":
            opening.insert(0, _written({"role": "system", "content": SYSTEM}))
        self._parts = [opening]
        self._head = self._headed()

    def body(self, number: int) -> bytes:
        """The request of a call, after so many steps."""
        while len(self._parts) <= number:
            step = talks.step(self.seed, len(self._parts) - 1)
            self._parts.append([_written(value) for value in self.shape.stepped(step)])
        messages = [message for part in self._parts[: number + 1] for message in part]
        if self.dialect == "anthropic" and number:  # the client's marker moves to the newest block
            messages[-1] = messages[-1].removesuffix(b"}]}") + b',"cache_control":' + _written(EPHEMERAL) + b"}]}"
        return self._head[:-1] + b',"' + self.shape.field.encode() + b'":[' + b",".join(messages) + b"]}"

    def steps(self, size: int) -> int:
        """After how many steps the body has so many bytes."""
        number = 0
        while len(self.body(number)) < size:
            number += 1
        return number

    def _headed(self) -> bytes:
        shape = self.shape
        named = {} if shape.field == "contents" else {"model": shape.model, "stream": self.is_stream}
        return _written({**named, **shape.head})


def _written(value: Any) -> bytes:
    return msgspec.json.encode(value)
