"""The agent's side of the demonstration: the whole history is resent at every call, by the provider's own SDK."""

import json
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from pumice.faces.demo.story import SYSTEM, TOOLS

KEY = "sk-demo"
"""Any: the scripted upstream asks for one, and nobody else sees it."""


class Asked(msgspec.Struct, frozen=True):
    """A tool call the model made."""

    id: str
    name: str
    input: dict[str, Any]


class Agent(Protocol):
    """One conversation; what is said and printed is kept as the provider's messages."""

    model: str
    kind: str
    """Which SDK it is."""

    def hear(self, text: str) -> None:
        """A person says something."""
        ...

    async def call(self) -> list[Asked]:
        """Send everything and take the answer in; returns the tool calls in it."""
        ...

    def print(self, asked: Asked, text: str) -> None:
        """What a tool printed."""
        ...

    async def close(self) -> None: ...


class AnthropicAgent:
    """Streams, and asks for the cache as agents do: at the end of the system text and of the newest message."""

    kind = "anthropic"

    def __init__(self, url: str, session: str, model: str = "claude-sonnet-5-5") -> None:
        self.model = model
        self._client = AsyncAnthropic(base_url=url, api_key=KEY, max_retries=0, default_headers={"x-pumice-session": session})
        self._messages: list[dict[str, Any]] = []

    def hear(self, text: str) -> None:
        self._messages.append({"role": "user", "content": [{"type": "text", "text": text}]})

    async def call(self) -> list[Asked]:
        marked = {"cache_control": {"type": "ephemeral"}}
        *before, newest = self._messages
        content = [*newest["content"][:-1], {**newest["content"][-1], **marked}]
        request: dict[str, Any] = {
            "model": self.model,
            "max_tokens": 1000,
            "system": [{"type": "text", "text": SYSTEM, **marked}],
            "tools": [{"name": name, "description": text, "input_schema": _schema(of)} for name, (text, of) in TOOLS.items()],
            "messages": [*before, {**newest, "content": content}],
        }
        async with self._client.messages.stream(**request) as events:
            answer = await events.get_final_message()
        self._messages.append({"role": "assistant", "content": [block.to_dict() for block in answer.content]})
        return [Asked(block.id, block.name, dict(block.input)) for block in answer.content if block.type == "tool_use"]

    def print(self, asked: Asked, text: str) -> None:
        result = {"type": "tool_result", "tool_use_id": asked.id, "content": text}
        if self._messages[-1]["role"] == "user":
            self._messages[-1]["content"].append(result)
        else:
            self._messages.append({"role": "user", "content": [result]})

    async def close(self) -> None:
        await self._client.close()


class OpenAIAgent:
    """Waits for the whole answer."""

    kind = "openai"

    def __init__(self, url: str, session: str, model: str = "gpt-5.1") -> None:
        self.model = model
        headers = {"x-pumice-session": session}
        self._client = AsyncOpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0, default_headers=headers)
        self._messages: list[Any] = [{"role": "system", "content": SYSTEM}]

    def hear(self, text: str) -> None:
        self._messages.append({"role": "user", "content": text})

    async def call(self) -> list[Asked]:
        tools: list[Any] = [
            {"type": "function", "function": {"name": name, "description": text, "parameters": _schema(of)}}
            for name, (text, of) in TOOLS.items()
        ]
        answer = await self._client.chat.completions.create(model=self.model, messages=self._messages, tools=tools)
        message = answer.choices[0].message
        self._messages.append(message.to_dict())
        calls = [call for call in message.tool_calls or () if call.type == "function"]
        return [Asked(call.id, call.function.name, json.loads(call.function.arguments)) for call in calls]

    def print(self, asked: Asked, text: str) -> None:
        self._messages.append({"role": "tool", "tool_call_id": asked.id, "content": text})

    async def close(self) -> None:
        await self._client.close()


def _schema(names: Sequence[str]) -> dict[str, Any]:
    numbers = {name: {"type": "integer"} for name in names if name in ("offset", "limit")}
    texts = {name: {"type": "string"} for name in names if name not in numbers}
    return {"type": "object", "properties": {**texts, **numbers}, "required": list(texts)}
