"""A question at the end of a live view: what the client wanted of its own answer does not hold for this one."""

import json
from typing import Any

import pytest

from pumice.domain.summary import Ask
from pumice.wire import asking
from pumice.wire.double import Double, Say

ASK = Ask("summary", "sum it up", 4000)
JSON_SCHEMA = {"type": "json_schema", "schema": {"type": "object"}}
BODIES: dict[str, dict[str, Any]] = {
    "anthropic": {"model": "claude-sonnet-4-5", "max_tokens": 64, "messages": [{"role": "user", "content": "x"}]},
    "openai-chat": {"model": "gpt-5", "messages": [{"role": "user", "content": "x"}]},
    "openai-responses": {"model": "gpt-5", "input": [{"role": "user", "content": "x"}]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "x"}]}]},
}
MODELS = {"gemini": "gemini-2.5-pro", "anthropic": "claude-sonnet-4-5"}
CHAT_TOOL = {"type": "function", "function": {"name": "B", "parameters": {"type": "object", "properties": {}}}}
TOOL = {"type": "function", "name": "B", "parameters": {"type": "object", "properties": {}}}
FREE = [
    (
        "anthropic",
        {"stream": True, "stop_sequences": ["\n"], "output_config": {"format": JSON_SCHEMA, "effort": "low"}},
        {"max_tokens": 4000, "output_config": {"effort": "low"}},
    ),
    (
        "anthropic",
        {"tools": [{"name": "B", "input_schema": {"type": "object"}}], "tool_choice": {"type": "tool", "name": "B"}},
        {"max_tokens": 4000, "tools": [{"name": "B", "input_schema": {"type": "object"}}], "tool_choice": {"type": "none"}},
    ),
    (
        "openai-chat",
        {
            "max_tokens": 500,
            "response_format": {"type": "json_object"},
            "stop": ["\n"],
            "n": 2,
            "logprobs": True,
            "store": True,
        },
        {"max_tokens": 12_000},
    ),
    ("openai-chat", {"max_tokens": 90_000, "max_completion_tokens": 80_000}, {"max_completion_tokens": 80_000}),
    (
        "openai-chat",
        {"stream": True, "stream_options": {}, "tools": [CHAT_TOOL], "tool_choice": "required"},
        {"max_completion_tokens": 12_000, "tools": [CHAT_TOOL], "tool_choice": "none"},
    ),
    (
        "openai-responses",
        {"text": {"format": JSON_SCHEMA, "verbosity": "low"}, "store": True, "background": True, "stream": True},
        {"max_output_tokens": 12_000, "text": {"verbosity": "low"}, "store": False},
    ),
    (
        "openai-responses",
        {"tools": [TOOL], "tool_choice": {"type": "allowed_tools", "mode": "required", "tools": [TOOL]}},
        {"max_output_tokens": 12_000, "tools": [TOOL], "tool_choice": "none", "store": False},
    ),
    (
        "gemini",
        {
            "generation_config": {
                "max_output_tokens": 9,
                "responseMimeType": "application/json",
                "response_schema": {},
                "seed": 1,
            },
            "tools": [{"functionDeclarations": [{"name": "B"}]}],
            "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["B"]}},
        },
        {
            "generation_config": {"seed": 1, "max_output_tokens": 12_000},
            "tools": [{"functionDeclarations": [{"name": "B"}]}],
            "toolConfig": {"functionCallingConfig": {"mode": "NONE"}},
        },
    ),
]


def asked(dialect: str, settings: dict[str, Any], cap: str = "") -> bytes:
    target = asking.Target(dialect, MODELS.get(dialect, "gpt-5"), cap)
    return asking.continuing(ASK, target, json.dumps({**BODIES[dialect], **settings}).encode())


@pytest.mark.parametrize(("dialect", "settings", "left"), FREE)
def test_a_question_may_be_answered_in_words_and_leaves_no_trace(dialect: str, settings: Any, left: Any) -> None:
    """One cap, in the client's own field; no form, call or stop forced, nothing streamed, kept or done in the background."""
    sent = json.loads(asked(dialect, settings))
    messages = next(name for name in ("messages", "input", "contents") if name in sent)
    assert {name: value for name, value in sent.items() if name not in (messages, "model")} == left
    assert sent[messages][:-1] == BODIES[dialect][messages]


@pytest.mark.parametrize(("dialect", "settings", "left"), FREE)
def test_a_strict_provider_takes_it(dialect: str, settings: Any, left: Any) -> None:
    """What is left of the settings is a valid request still."""
    reply = Double([Say("done")]).answer(asked(dialect, settings), dialect, model=MODELS.get(dialect, ""))
    assert reply.status == 200, reply.body


@pytest.mark.parametrize(
    ("dialect", "choice"),
    [
        ("anthropic", {"type": "auto", "disable_parallel_tool_use": True}),
        ("openai-chat", "auto"),
        ("openai-chat", {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [CHAT_TOOL]}}),
        ("openai-responses", "none"),
    ],
)
def test_a_choice_that_leaves_words_free_stays(dialect: str, choice: Any) -> None:
    """To change it would make the cache cold for nothing (K-C7)."""
    tools = {"anthropic": [{"name": "B", "input_schema": {}}], "openai-chat": [CHAT_TOOL], "openai-responses": [TOOL]}
    assert json.loads(asked(dialect, {"tools": tools[dialect], "tool_choice": choice}))["tool_choice"] == choice


def test_a_servers_own_name_of_the_cap_is_for_clients_without_one() -> None:
    """Where the client has named a cap, its server knows that name."""
    assert "max_completion_tokens" not in json.loads(asked("openai-chat", {}, "max_tokens"))
    sent = json.loads(asked("openai-chat", {"max_completion_tokens": 5, "max_tokens": None}, "max_tokens"))
    assert (sent.get("max_completion_tokens"), sent.get("max_tokens")) == (12_000, None)
