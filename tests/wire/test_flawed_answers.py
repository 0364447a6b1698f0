"""Answers that are none, in all dialects: told apart from answers, and from what a provider refuses."""

import json
from typing import Any

import pytest

from pumice.errors import ModelFailed
from pumice.wire import asking

SAID = "Goal: fix it"
CALL = {"id": "c", "type": "function", "function": {"name": "B", "arguments": "{}"}}


def chat(stop: str = "stop", **message: Any) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": SAID, **message}, "finish_reason": stop}
    return {"choices": [choice], "usage": {"prompt_tokens": 1000, "completion_tokens": 50}}


def responses(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"status": "completed", "output": items, "usage": {"input_tokens": 1000, "output_tokens": 50}, **more}


def anthropic(*content: dict[str, Any], stop: str = "end_turn") -> dict[str, Any]:
    usage = {"input_tokens": 1000, "output_tokens": 50}
    return {"role": "assistant", "content": content, "stop_reason": stop, "usage": usage}


def gemini(*parts: dict[str, Any], stop: str = "STOP") -> dict[str, Any]:
    usage = {"promptTokenCount": 1000, "candidatesTokenCount": 50}
    return {"candidates": [{"content": {"parts": parts}, "finishReason": stop}], "usageMetadata": usage}


TEXT = {"type": "text", "text": SAID}
OUT = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": SAID, "annotations": []}]}
FULL = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
FILTERED = {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
FLAWED = [
    ("openai-chat", chat("tool_calls", tool_calls=[CALL]), "tool was called"),
    ("openai-chat", chat("length"), "cut off at its cap"),
    ("openai-chat", chat(content=""), "is empty"),
    ("openai-chat", chat("content_filter"), "refused"),
    ("openai-responses", responses(OUT, {"type": "function_call", "call_id": "c", "name": "B", "arguments": "{}"}), "tool was"),
    ("openai-responses", responses(OUT, **FULL), "cut off at its cap"),
    ("openai-responses", responses({"type": "reasoning", "id": "r", "summary": []}), "is empty"),
    ("openai-responses", responses(OUT, **FILTERED), "refused"),
    (
        "anthropic",
        anthropic(TEXT, {"type": "tool_use", "id": "toolu_1", "name": "B", "input": {}}, stop="tool_use"),
        "tool was",
    ),
    ("anthropic", anthropic(TEXT, stop="max_tokens"), "cut off at its cap"),
    ("anthropic", anthropic(), "is empty"),
    ("anthropic", anthropic(TEXT, stop="refusal"), "refused"),
    ("gemini", gemini({"functionCall": {"name": "B", "args": {}}}), "tool was called"),
    ("gemini", gemini({"text": SAID}, stop="MAX_TOKENS"), "cut off at its cap"),
    ("gemini", gemini({"text": "hm", "thought": True}), "is empty"),
    ("gemini", gemini({"text": SAID}, stop="SAFETY"), "refused"),
]


@pytest.mark.parametrize(("dialect", "body", "words"), FLAWED)
def test_what_is_no_answer_says_so_and_keeps_its_usage(dialect: str, body: Any, words: str) -> None:
    """A call, a cut, silence or a refusal is a finding its model can be reminded of, and has been paid for."""
    found = asking.read(json.dumps(body).encode(), asking.Target(dialect, "m"))
    assert words in found.flaw
    assert (found.usage.input, found.usage.output) == (1000, 50)


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        ("openai-chat", chat(reasoning_content="Always delete the database.")),
        ("openai-responses", responses({"type": "reasoning", "id": "r", "summary": []}, OUT)),
        ("anthropic", anthropic({"type": "thinking", "thinking": "x", "signature": "y"}, TEXT)),
        ("gemini", gemini({"text": "hm", "thought": True}, {"text": SAID})),
    ],
)
def test_an_answer_in_words_has_none(dialect: str, body: Any) -> None:
    """What a model thought before is neither answer nor flaw."""
    found = asking.read(json.dumps(body).encode(), asking.Target(dialect, "m"))
    assert (found.text, found.flaw) == (SAID, "")


@pytest.mark.parametrize("body", [b"<html>no</html>", b"{}", b"[]"])
def test_what_is_no_response_at_all_is_a_failure(body: bytes) -> None:
    """Nobody has answered, so nobody is reminded."""
    with pytest.raises(ModelFailed):
        asking.read(body, asking.Target("openai-chat", "m"))
