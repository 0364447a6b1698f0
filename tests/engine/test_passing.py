"""Requests that go on from what the provider holds are passed, whatever the window."""

import json

import pytest
from tests_support import World

BODY = {"model": "gpt-5", "previous_response_id": "resp_1", "input": [{"role": "user", "content": "word " * 5000}]}
ANSWER = {"id": "resp_2", "status": "completed", "output": [], "usage": {"input_tokens": 90_000, "output_tokens": 1}}


@pytest.mark.parametrize("given", [BODY, json.dumps(BODY), json.dumps(BODY).encode()], ids=["dict", "text", "bytes"])
async def test_a_delta_leaves_as_it_came(given):
    """Nothing is cut, opened or recorded: its view is the client's own request, and what answers it changes no lane (R10)."""
    session = World().engine().session("s", window=2000)
    view = await session.compile(given)
    assert view.body is given
    assert json.loads(view.raw) == BODY
    assert (view.lane, view.epoch, session.tree.lanes) == ("", 0, {})
    assert view.tokens.total > 5000
    assert any("provider holds" in warning for warning in view.manifest.warnings)
    await session.record(ANSWER)
    async with session.recording(view) as recorder:
        recorder.feed(b'data: {"type":"response.completed","response":{"id":"r","output":[]}}\n\n')
    assert await session.refused("context window of 2000 tokens", view) is None


async def test_a_conversation_goes_on_beside_a_delta():
    """A whole request of the same agent before and after stands in one lane, its prefix kept."""
    session = World().engine().session("s", window=20_000)
    whole = {"model": "gpt-5", "input": [{"role": "user", "content": "go"}]}
    first = await session.compile(whole)
    await session.compile(BODY)
    said = [*whole["input"], {"role": "assistant", "content": "done"}, {"role": "user", "content": "and?"}]
    second = await session.compile({**whole, "input": said})
    assert (first.lane, second.lane, second.epoch) == ("main", "main", 0)
    assert second.body["input"] == said
