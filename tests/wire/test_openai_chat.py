"""The Chat Completions dialect: what a message means, and that nothing else of it changes."""

import json

import pytest

from pumice import wire
from pumice.domain.block import Kind, Origin, Role
from pumice.errors import BadRequest

DIALECT = wire.get("openai-chat")


def call(name: str, arguments: str, ident: str = "c1") -> dict:
    return {"id": ident, "type": "function", "function": {"name": name, "arguments": arguments}}


def read(**members: object):
    return DIALECT.read_message(json.dumps(members).encode())


def test_blocks_of_an_assistant_message():
    """Content and each call are blocks; text of a call is its decoded leaves, or its string where it is no JSON."""
    calls = [call("f", '{"path": "/a", "n": 1}'), call("g", "{broken", "c2")]
    found = read(role="assistant", content="hi", tool_calls=calls).blocks
    assert [(block.kind, block.text, block.tool) for block in found] == [
        (Kind.TEXT, "hi", ""),
        (Kind.CALL, "/a\n1", "f"),
        (Kind.CALL, "{broken", "g"),
    ]


def test_a_tool_message_is_one_result():
    """A result's text is its text parts, whatever form the content has."""
    block = read(role="tool", tool_call_id="c1", content=[{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]).blocks[
        0
    ]
    assert (block.kind, block.call_id, block.text, block.origin, block.role) == (
        Kind.RESULT,
        "c1",
        "a\nb",
        Origin.TOOL,
        Role.TOOL,
    )


def test_keys_ignore_form_and_argument_order():
    """A string is a list of one text; arguments are compared decoded."""
    assert read(role="user", content="x").key == read(role="user", content=[{"type": "text", "text": "x"}]).key
    left, right = (
        read(role="assistant", content=None, tool_calls=[call("f", a)]) for a in ('{"a":1,"b":2}', '{"b": 2, "a": 1}')
    )
    assert left.key == right.key
    assert read(role="user", content="x").key != read(role="developer", content="x").key


def test_rewrite_of_content_calls_and_results():
    """A call that goes leaves the other's bytes; content that goes beside calls is null; a result keeps its id."""
    whole = read(role="assistant", content="hi", tool_calls=[call("f", '{"a": 1}'), call("g", "{}", "c2")])
    out = json.loads(DIALECT.rewrite(whole, {0: None, 1: '{"a":2}'}) or b"")
    assert out["content"] is None
    assert [item["function"]["arguments"] for item in out["tool_calls"]] == ['{"a":2}', "{}"]
    assert "tool_calls" not in json.loads(DIALECT.rewrite(whole, {1: None, 2: None}) or b"")
    assert DIALECT.rewrite(whole, {0: None, 1: None, 2: None}) is None
    result = read(role="tool", tool_call_id="c1", content="long")
    assert json.loads(DIALECT.rewrite(result, {0: "s"}) or b"") == {"role": "tool", "tool_call_id": "c1", "content": "s"}


def test_breakpoint_of_a_dropped_part_moves_to_its_neighbour():
    """Explicit cache breakpoints survive the part that carried them."""
    marked = {"type": "text", "text": "b", "prompt_cache_breakpoint": {"mode": "explicit"}}
    whole = read(role="user", content=[{"type": "text", "text": "a"}, marked])
    out = json.loads(DIALECT.rewrite(whole, {1: None}) or b"")
    assert out["content"] == [{"type": "text", "text": "a", "prompt_cache_breakpoint": {"mode": "explicit"}}]


def test_response_input_includes_what_was_cached():
    """`prompt_tokens` is already the whole input."""
    body = {
        "id": "r1",
        "model": "gpt-5",
        "choices": [{"message": {"role": "assistant", "content": "hi", "refusal": None}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}},
    }
    response = DIALECT.read_response(json.dumps(body).encode())
    assert (response.usage.input, response.usage.cache_read, response.stop) == (9, 4, "stop")
    assert [block.text for block in response.blocks] == ["hi"]


def test_unknown_role_is_an_error_that_names_it():
    """The message says what was given and what the format knows."""
    with pytest.raises(BadRequest, match=r"'critic'.*developer"):
        read(role="critic", content="x")
