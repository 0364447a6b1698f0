"""Agents on the providers' own SDKs, streamed and not by turns, outgrow their window behind the proxy."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Protocol

import anthropic
import openai
import pytest
from gated import Gated
from google import genai
from minds import breaks
from proxied import proxied
from tests_support import code

from pumice.faces.upstream import Upstream
from pumice.wire.double import Say, Use

STEPS = 12
WINDOW = 17_000
PROMPT = "Never touch migrations/. Find the fault in src/."


class Agent(Protocol):
    """One conversation, kept as the SDK's own messages."""

    async def call(self, *, is_streamed: bool) -> str:
        """Send everything, take the answer in and give each tool call its result; returns what was said."""
        ...


class OnAnthropic:
    def __init__(self, client: anthropic.AsyncAnthropic) -> None:
        self._client = client
        self._messages: list[Any] = [{"role": "user", "content": PROMPT}]

    async def call(self, *, is_streamed: bool) -> str:
        tools = [{"name": "Read", "input_schema": {"type": "object"}}]
        asked: Any = {"model": "claude-opus-4-8", "max_tokens": 99, "messages": self._messages, "tools": tools}
        if is_streamed:
            async with self._client.messages.stream(**asked) as events:
                answer = await events.get_final_message()
        else:
            answer = await self._client.messages.create(**asked)
        content = [block.to_dict() for block in answer.content]
        uses = [block["id"] for block in content if block["type"] == "tool_use"]
        results = [{"type": "tool_result", "tool_use_id": use, "content": printed(self._messages)} for use in uses]
        self._messages += [{"role": "assistant", "content": content}, {"role": "user", "content": results}]
        return "".join(block.get("text", "") for block in content)


class OnChat:
    def __init__(self, client: openai.AsyncOpenAI) -> None:
        self._client = client
        self._messages: list[Any] = [{"role": "user", "content": PROMPT}]

    async def call(self, *, is_streamed: bool) -> str:
        tools = [{"type": "function", "function": {"name": "Read", "parameters": {"type": "object"}}}]
        asked: Any = {"model": "gpt-5.1", "messages": self._messages, "tools": tools}
        if is_streamed:
            async with self._client.chat.completions.stream(**asked) as events:
                answer = await events.get_final_completion()
        else:
            answer = await self._client.chat.completions.create(**asked)
        message = answer.choices[0].message
        uses = message.tool_calls or []
        results = [{"role": "tool", "tool_call_id": use.id, "content": printed(self._messages)} for use in uses]
        self._messages += [message.to_dict(), *results]
        return message.content or ""


class OnResponses:
    def __init__(self, client: openai.AsyncOpenAI) -> None:
        self._client = client
        self._messages: list[Any] = [{"role": "user", "content": PROMPT}]

    async def call(self, *, is_streamed: bool) -> str:
        tools = [{"type": "function", "name": "Read", "parameters": {"type": "object"}, "strict": False}]
        asked: Any = {"model": "gpt-5.1", "input": self._messages, "tools": tools, "store": False}
        if is_streamed:
            async with self._client.responses.stream(**asked) as events:
                answer = await events.get_final_response()
        else:
            answer = await self._client.responses.create(**asked)
        items = [item.to_dict() for item in answer.output]
        uses = [item["call_id"] for item in items if item["type"] == "function_call"]
        results = [{"type": "function_call_output", "call_id": use, "output": printed(self._messages)} for use in uses]
        self._messages += [*items, *results]
        return answer.output_text


class OnGemini:
    def __init__(self, client: Any) -> None:
        self._client = client
        self._messages: list[Any] = [{"role": "user", "parts": [{"text": PROMPT}]}]

    async def call(self, *, is_streamed: bool) -> str:
        config = {"tools": [{"function_declarations": [{"name": "Read"}]}], "automatic_function_calling": {"disable": True}}
        asked: Any = {"model": "gemini-3-pro", "contents": self._messages, "config": config}
        if is_streamed:
            chunks = [chunk async for chunk in await self._client.models.generate_content_stream(**asked)]
        else:
            chunks = [await self._client.models.generate_content(**asked)]
        parts = [part for chunk in chunks for part in chunk.candidates[0].content.parts or ()]
        calls = [part.function_call for part in parts if part.function_call]
        results = [
            {"function_response": {"id": call.id, "name": call.name, "response": {"output": printed(self._messages)}}}
            for call in calls
        ]
        self._messages += [{"role": "model", "parts": parts}, {"role": "user", "parts": results}]
        return "".join(part.text or "" for part in parts)


def printed(messages: list[Any]) -> str:
    return code(f"m{len(messages)}", 120)


@asynccontextmanager
async def on_anthropic(url: str) -> AsyncIterator[Agent]:
    async with anthropic.AsyncAnthropic(base_url=url, api_key="k", max_retries=0) as client:
        yield OnAnthropic(client)


@asynccontextmanager
async def on_chat(url: str) -> AsyncIterator[Agent]:
    async with openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0) as client:
        yield OnChat(client)


@asynccontextmanager
async def on_responses(url: str) -> AsyncIterator[Agent]:
    async with openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0) as client:
        yield OnResponses(client)


@asynccontextmanager
async def on_gemini(url: str) -> AsyncIterator[Agent]:
    client = genai.Client(api_key="k", http_options={"base_url": url}).aio
    yield OnGemini(client)
    await client.aclose()


AGENTS = {"anthropic": on_anthropic, "openai-chat": on_chat, "openai-responses": on_responses, "gemini": on_gemini}


@pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")
@pytest.mark.parametrize("dialect", list(AGENTS))
async def test_an_agent_goes_on_beyond_its_window(dialect: str) -> None:
    """Each answer arrives whole; the provider refuses nothing, and between cuts its prefix holds."""
    step = Say("I look.", (Use("Read", {"path": "src/a.py"}),), thinking="Where?")
    upstream, gated = Upstream(beyond=step), Gated(window=WINDOW)
    agent: Callable[[str], Any] = AGENTS[dialect]
    async with proxied(upstream, gated.gate) as proxy, agent(proxy.url) as running:
        said = [await running.call(is_streamed=at % 2 == 0) for at in range(STEPS)]
    rows = await gated.store.accounts.since("local")
    assert said == ["I look."] * STEPS
    assert upstream.double.refused == []
    assert {row.stage for row in rows} == {"compiled"}
    assert 0 < rows[-1].epoch == breaks(upstream.double.requests, dialect)
    assert PROMPT.partition(" Find")[0] in json.dumps(json.loads(upstream.double.requests[-1]), ensure_ascii=False)
