"""The providers' own SDKs work through the proxy as they do without it: streamed and not, with tools, with errors."""

from collections.abc import AsyncIterator
from typing import Any

import anthropic
import openai
import pytest
from google import genai
from proxied import HELLO, Noting, Proxied, proxied

from pumice.faces.upstream import Fault, Upstream
from pumice.wire.double import Say, Use

SCRIPT = [Say("I look 你好", (Use("Read", {"path": "/a"}),)), Say("streamed 你好 " * 40)]
ASKED: list[Any] = [{"role": "user", "content": "hi"}]


@pytest.fixture
async def proxy() -> AsyncIterator[tuple[Proxied, Upstream, Noting]]:
    upstream, gate = Upstream(SCRIPT), Noting()
    async with proxied(upstream, gate) as running:
        yield running, upstream, gate


async def test_anthropic(proxy: tuple[Proxied, Upstream, Noting]) -> None:
    """Messages, streams, counts, models and errors of its SDK."""
    running, upstream, gate = proxy
    async with anthropic.AsyncAnthropic(base_url=running.url, api_key="k", max_retries=1) as client:
        made = await client.messages.create(**HELLO)
        assert [block.type for block in made.content] == ["text", "tool_use"]
        async with client.messages.stream(**HELLO) as stream:
            assert "".join([text async for text in stream.text_stream]) == SCRIPT[1].text
        assert (await client.messages.count_tokens(model=HELLO["model"], messages=ASKED)).input_tokens > 8
        assert "claude-opus-4-8" in [model.id async for model in client.models.list()]
        upstream.then(Fault(status=429, retry_after="0"), Fault(status=400, message="prompt is too long"))
        with pytest.raises(anthropic.BadRequestError, match="prompt is too long"):
            await client.messages.create(**HELLO)
    assert [name for name in gate.names if name != "refused"] == ["answered"] * 4


async def test_openai_chat(proxy: tuple[Proxied, Upstream, Noting]) -> None:
    """Completions, streams and errors in the chat API."""
    running, upstream, gate = proxy
    async with openai.AsyncOpenAI(base_url=f"{running.url}/v1", api_key="k", max_retries=0) as client:
        made = await client.chat.completions.create(model="gpt-5.1", messages=ASKED)
        assert made.choices[0].message.tool_calls[0].function.name == "Read"
        chunks = await client.chat.completions.create(model="gpt-5.1", messages=ASKED, stream=True)
        assert "".join([chunk.choices[0].delta.content or "" async for chunk in chunks]) == SCRIPT[1].text
        upstream.then(Fault(status=401))
        with pytest.raises(openai.AuthenticationError):
            await client.models.list()
    assert gate.names == ["answered"] * 2


async def test_openai_responses(proxy: tuple[Proxied, Upstream, Noting]) -> None:
    """Items and their events in the newer API."""
    running, _, gate = proxy
    async with openai.AsyncOpenAI(base_url=f"{running.url}/v1", api_key="k", max_retries=0) as client:
        made = await client.responses.create(model="gpt-5.1", input="hi")
        assert "function_call" in [item.type for item in made.output]
        events = await client.responses.create(model="gpt-5.1", input="hi", stream=True)
        assert "".join([event.delta async for event in events if event.type == "response.output_text.delta"]) == SCRIPT[1].text
    assert gate.names == ["answered"] * 2


@pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")
async def test_gemini(proxy: tuple[Proxied, Upstream, Noting]) -> None:
    """Contents, streams and counts of Google's SDK."""
    running, _, gate = proxy
    client = genai.Client(api_key="k", http_options={"base_url": running.url}).aio
    asked = {"model": "gemini-2.5-pro", "contents": "hi"}
    assert (await client.models.generate_content(**asked)).function_calls[0].name == "Read"
    chunks = [chunk.text async for chunk in await client.models.generate_content_stream(**asked)]
    assert "".join(text or "" for text in chunks) == SCRIPT[1].text
    assert (await client.models.count_tokens(**asked)).total_tokens > 0
    await client.aclose()
    assert gate.names == ["answered"] * 2
    assert [call.model for call in gate.calls] == ["gemini-2.5-pro"] * 2
