"""Streams: whatever way the bytes are split, the answer is the same, and only a whole answer is one."""

import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import wire
from pumice.wire import sse

TEXT = "héllo 你好 🎉"


def anthropic_events() -> list[dict]:
    usage = {"input_tokens": 5, "cache_read_input_tokens": 7, "cache_creation_input_tokens": 0, "output_tokens": 1}
    head = {"id": "m1", "type": "message", "role": "assistant", "model": "claude-opus-5", "content": [], "usage": usage}

    def delta(index: int, **members: str) -> dict:
        return {"type": "content_block_delta", "index": index, "delta": members}

    return [
        {"type": "message_start", "message": head},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
        delta(0, type="thinking_delta", thinking="hm"),
        delta(0, type="signature_delta", signature="SIG"),
        {"type": "content_block_stop", "index": 0},
        {"type": "ping"},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        delta(1, type="text_delta", text=TEXT[:4]),
        delta(1, type="text_delta", text=TEXT[4:]),
        {"type": "content_block_stop", "index": 1},
        {
            "type": "content_block_start",
            "index": 2,
            "content_block": {"type": "tool_use", "id": "t1", "name": "f", "input": {}},
        },
        delta(2, type="input_json_delta", partial_json='{"a": 1.0'),
        delta(2, type="input_json_delta", partial_json="0}"),
        {"type": "content_block_stop", "index": 2},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"},
    ]


def chat_chunks() -> list[dict]:
    def chunk(delta: dict, finish: str | None = None) -> dict:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {"id": "r1", "model": "gpt-5", "choices": [choice], "usage": None, "obfuscation": "xx"}

    def call(index: int, **function: str) -> dict:
        return {"index": index, "function": function}

    first = {"index": 0, "id": "c1", "type": "function", "function": {"name": "f", "arguments": ""}}
    second = {"index": 1, "id": "c2", "type": "function", "function": {"name": "g", "arguments": "{}"}}
    usage = {"prompt_tokens": 12, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 7}}
    return [
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": TEXT[:4]}),
        chunk({"content": TEXT[4:]}),
        chunk({"tool_calls": [first]}),
        chunk({"tool_calls": [call(0, arguments='{"a": 1.0'), second]}),
        chunk({"tool_calls": [call(0, arguments="0}")]}),
        chunk({}, "tool_calls"),
        {"id": "r1", "model": "gpt-5", "choices": [], "usage": usage},
    ]


def lines(events: list[dict], end: str, *, done: bool) -> bytes:
    found = [": keep-alive", ""]
    for event in events:
        found += ([f"event: {event['type']}"] if "type" in event else []) + [
            f"data: {json.dumps(event, ensure_ascii=False)}  ",
            "",
        ]
    return end.join([*found, *(["data: [DONE]", ""] if done else []), ""]).encode()


STREAMS = {"anthropic": anthropic_events, "openai-chat": chat_chunks}


def read(name: str, chunks: list[bytes]):
    return sse.read(chunks, wire.get(name).stream())


@pytest.mark.parametrize("name", list(STREAMS))
@settings(max_examples=60, deadline=None)
@given(cuts=st.lists(st.integers(0, 4000), max_size=12), end=st.sampled_from(["\n", "\r\n", "\r"]))
def test_answer_does_not_depend_on_how_the_bytes_were_split(name, cuts, end):
    """In the middle of a character, of a line, of CRLF, with pings, comments and trailing spaces: the same answer."""
    whole = lines(STREAMS[name](), end, done=name == "openai-chat")
    places = sorted({0, len(whole), *(cut % len(whole) for cut in cuts)})
    response = read(name, [whole[a:b] for a, b in itertools.pairwise(places)])
    blocks = response.blocks
    assert TEXT in [block.text for block in blocks]
    assert next((block.tool, block.call_id) for block in blocks if block.tool) == ("f", {"anthropic": "t1"}.get(name, "c1"))
    assert b"1.00" in response.messages[0].raw
    assert response.usage is not None
    assert (response.usage.input, response.usage.cache_read, response.usage.output) == (12, 7, 9)
    assert response.stop in ("tool_use", "tool_calls")


def test_thinking_keeps_text_and_signature():
    """A streamed thinking block is complete, so that it can be sent back."""
    response = read("anthropic", [lines(anthropic_events(), "\n", done=False)])
    assert json.loads(response.blocks[0].raw) == {"type": "thinking", "thinking": "hm", "signature": "SIG"}


@pytest.mark.parametrize("name", list(STREAMS))
def test_stream_without_its_end_is_no_answer(name):
    """A cut stream keeps its usage, has no message and says it is incomplete."""
    events = STREAMS[name]()[:-2]
    response = read(name, [lines(events, "\n", done=False)])
    assert (response.messages, response.stop) == ((), "incomplete")
    assert response.model


def test_error_after_200_is_no_answer():
    """An error inside the stream, or an event that is no JSON, ends the answer."""
    broken = {"type": "error", "error": {"type": "overloaded_error", "message": "x"}}
    for events in ([*anthropic_events()[:4], broken], [broken, *anthropic_events()]):
        assert read("anthropic", [lines(events, "\n", done=False)]).stop == "error"
    chat = lines([*chat_chunks(), {"error": {"message": "x"}}], "\n", done=True)
    assert (read("openai-chat", [chat]).messages, read("openai-chat", [chat]).stop) == ((), "error")
    assert read("anthropic", [b"data: {nonsense\n\n"]).stop == "error"


def test_calls_without_an_index():
    """Servers that leave the index out begin a new call with each id."""
    calls = [
        {"id": "c1", "function": {"name": "f", "arguments": "{}"}},
        {"id": "c2", "function": {"name": "g", "arguments": "{}"}},
    ]
    chunks = [{"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": None}]} for call in calls]
    done = {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}
    response = read("openai-chat", [lines([*chunks, done], "\n", done=False)])
    assert [block.call_id for block in response.blocks] == ["c1", "c2"]


def test_arguments_cut_off_are_kept():
    """What a model had written when its output ended is not lost."""
    events = [event for event in anthropic_events() if event.get("delta", {}).get("partial_json") != "0}"]
    response = read("anthropic", [lines(events, "\n", done=False)])
    assert response.blocks[2].text == '{"a": 1.0'


@pytest.mark.recordings
def test_recorded_streams_and_answers_are_read(exchanges):
    """Every recorded answer, streamed or not, gives a message and its usage."""
    for found in exchanges:
        dialect = wire.get(found.dialect)
        response = sse.read([found.response], dialect.stream()) if found.is_stream else dialect.read_response(found.response)
        assert response.messages, found.file
        assert response.usage is not None, found.file
        assert response.usage.input > 0, found.file
