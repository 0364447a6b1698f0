"""Naming the dialect of a body."""

import json

import pytest

from pumice import wire
from pumice.errors import BadRequest, UnknownDialect

USER = {"role": "user", "content": "hi"}


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"model": "claude-opus-4-5", "max_tokens": 1, "messages": [USER]}, "anthropic"),
        ({"system": "s", "messages": [USER]}, "anthropic"),
        ([{"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "n", "input": {}}]}], "anthropic"),
        ({"model": "gpt-5", "messages": [USER]}, "openai-chat"),
        ({"model": "llama", "messages": [{"role": "system", "content": "s"}, USER]}, "openai-chat"),
        ([{"role": "tool", "tool_call_id": "c", "content": "x"}], "openai-chat"),
        ({"messages": [USER], "tools": [{"type": "function", "function": {"name": "f"}}]}, "openai-chat"),
        ({"contents": []}, "gemini"),
        ({"input": "hi"}, "openai-responses"),
        ([USER, {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}], "openai-responses"),
        ([{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}], "openai-responses"),
        ([{"role": "user", "parts": [{"text": "hi"}]}], "gemini"),
    ],
)
def test_dialect_is_named_by_what_only_it_has(body, name):
    """Evidence in keys, tools, roles and blocks decides before the model's name."""
    assert wire.detect(json.dumps(body).encode()) == name


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ([USER], "anthropic or openai-chat"),
        ({"system": "s", "n": 1, "messages": [USER]}, "anthropic or openai-chat"),
        ({"prompt": "hi"}, "anthropic or openai-chat"),
    ],
)
def test_unknown_or_ambiguous_names_the_candidates(body, words):
    """The error says which dialects it could be."""
    with pytest.raises(UnknownDialect, match=words):
        wire.detect(json.dumps(body).encode())


def test_names_and_bytes_nobody_knows():
    """A name that is no dialect and a body that is no JSON are typed errors."""
    with pytest.raises(UnknownDialect, match="'x' is no dialect"):
        wire.get("x")
    with pytest.raises(BadRequest):
        wire.detect(b"nope")
