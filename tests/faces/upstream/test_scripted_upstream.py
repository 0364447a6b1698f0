"""The scripted upstream: as strict as a provider, in every dialect, and able to fail in every way the proxy must bear."""

import asyncio
import json
import zlib

import aiohttp
import anthropic
import openai
import pytest

from pumice.faces.serving import serving
from pumice.faces.upstream import CUT, Fault, Upstream
from pumice.wire.double import Say, Use

KEYS = {"x-api-key": "k", "anthropic-version": "2023-06-01"}
ASKED = {"model": "claude-opus-4-8", "max_tokens": 99, "messages": [{"role": "user", "content": "hi"}]}


async def post(base: str, path: str = "/v1/messages", *, headers: dict[str, str] | None = None, **fields: object):
    async with (
        aiohttp.ClientSession(auto_decompress=False) as client,
        client.post(base + path, json=ASKED | fields, headers=KEYS if headers is None else headers) as response,
    ):
        return response.status, response.headers, await response.read()


async def test_official_clients_are_answered_streaming_and_not() -> None:
    """Both SDKs read the script's steps, plain and as events."""
    upstream = Upstream([Say("one", (Use("Read", {"path": "a"}),)), Say("two"), Say("three"), Say("four")])
    async with serving(upstream) as base:
        async with anthropic.AsyncAnthropic(base_url=base, api_key="k", max_retries=0) as client:
            first = await client.messages.create(**ASKED)
            assert [block.type for block in first.content] == ["text", "tool_use"]
            async with client.messages.stream(**ASKED) as stream:
                assert (await stream.get_final_message()).content[0].text == "two"
            assert (await client.messages.count_tokens(model="claude-opus-4-8", messages=ASKED["messages"])).input_tokens > 8
        asked = {"model": "gpt-5.1", "messages": ASKED["messages"]}
        async with openai.AsyncOpenAI(base_url=f"{base}/v1", api_key="k", max_retries=0) as client:
            assert (await client.chat.completions.create(**asked)).choices[0].message.content == "three"
            streamed = await client.chat.completions.create(**asked, stream=True)
            assert "".join([chunk.choices[0].delta.content or "" async for chunk in streamed]) == "four"
            assert "gpt-5.1" in [model.id async for model in client.models.list()]
    assert [seen.path for seen in upstream.seen[:2]] == ["/v1/messages", "/v1/messages"]


async def test_it_refuses_what_a_provider_refuses() -> None:
    """No credential, no version, a broken pair, bytes that are no JSON and an unknown path: each in the provider's shape."""
    upstream = Upstream()
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]}
    async with serving(upstream) as base:
        assert (await post(base, headers={"anthropic-version": "x"}))[0] == 401
        assert (await post(base, headers={"x-api-key": "k"}))[0] == 400
        status, _, body = await post(base, messages=[*ASKED["messages"], call])
        assert (status, json.loads(body)["error"]["type"]) == (400, "invalid_request_error")
        status, _, body = await post(base, "/v1/files")
        assert (status, json.loads(body)["error"]["type"]) == (404, "not_found_error")
        async with aiohttp.ClientSession() as client, client.post(f"{base}/v1/messages", data=b"{", headers=KEYS) as response:
            assert response.status == 400
    assert upstream.double.answered == 0


@pytest.mark.parametrize("status", [400, 401, 429, 500, 529])
async def test_a_status_of_the_script_comes_in_place_of_an_answer(status: int) -> None:
    """An error uses up no step; what to wait for comes with it."""
    upstream = Upstream([Say("after")])
    upstream.then(Fault(status=status, retry_after="2"))
    async with serving(upstream) as base:
        found, headers, body = await post(base)
        assert (found, headers["retry-after"], json.loads(body)["type"]) == (status, "2", "error")
        assert b"after" in (await post(base))[2]


async def test_streams_break_fail_inside_and_come_compressed() -> None:
    """A cut ends without the last chunk, an error in the stream has its event, an encoding is undone to the same answer."""
    upstream = Upstream([Say("text " * 200)] * 3)
    upstream.then(CUT, Fault(error_after=4), Fault(encoding="gzip"))
    async with serving(upstream) as base:
        with pytest.raises(aiohttp.ClientPayloadError):
            await post(base, stream=True)
        events = (await post(base, stream=True))[2].split(b"\n\n")
        assert events[-2].startswith(b"event: error")
        assert len(events) == 6
        _, headers, body = await post(base)
        assert headers["content-encoding"] == "gzip"
        assert json.loads(zlib.decompress(body, 31))["type"] == "message"


async def test_it_knows_when_a_client_left() -> None:
    """A stalled stream waits for the client and notices that it goes."""
    upstream = Upstream([Say("text")])
    upstream.then(Fault(stall_after=100))
    async with serving(upstream) as base, aiohttp.ClientSession() as client:
        response = await client.post(f"{base}/v1/messages", json=ASKED | {"stream": True}, headers=KEYS)
        assert await response.content.readany()
        response.close()
        await asyncio.wait_for(upstream.left.wait(), 5)
