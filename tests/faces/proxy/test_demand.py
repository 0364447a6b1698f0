"""What a call asks for is found whether or not the request before it is at hand."""

import json
from typing import Any

import pytest

from pumice import wire
from pumice.faces.proxy.emulate import demand
from pumice.faces.proxy.emulate.setting import Emulation, Mode
from pumice.faces.proxy.gate import Call

EMULATION = Emulation(Mode.ON)
TRIGGER = {"type": "compaction_trigger"}
MANAGED = {"context_management": [{"type": "compaction", "compact_threshold": 20_000}]}
BLOCK = {"type": "compaction", "content": "What was said."}


def said(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


OLD = [said("Go."), said("On."), said("More.")]
ANTHROPIC: dict[str, Any] = {"model": "claude-opus-4-8", "max_tokens": 9, "messages": OLD}
RESPONSES: dict[str, Any] = {"model": "gpt-5.1", "input": OLD}
CASES: dict[str, tuple[str, dict[str, Any], dict[str, Any], bool]] = {
    "nothing": ("anthropic", ANTHROPIC, {**ANTHROPIC, "messages": [*OLD, said("x")]}, False),
    "the same again": ("anthropic", ANTHROPIC, ANTHROPIC, False),
    "a block at the end": (
        "anthropic",
        ANTHROPIC,
        {**ANTHROPIC, "messages": [*OLD, {"role": "assistant", "content": [BLOCK]}, said("x")]},
        True,
    ),
    "a block in place of all": (
        "anthropic",
        ANTHROPIC,
        {**ANTHROPIC, "messages": [{"role": "assistant", "content": [BLOCK]}, said("x")]},
        True,
    ),
    "a field": ("anthropic", ANTHROPIC, {**ANTHROPIC, "context_management": {"edits": [{"type": "compact_20260112"}]}}, True),
    "a trigger": ("openai-responses", RESPONSES, {**RESPONSES, "input": [*OLD, TRIGGER]}, True),
    "a trigger alone": ("openai-responses", RESPONSES, {**RESPONSES, "input": [TRIGGER]}, True),
    "a threshold": ("openai-responses", RESPONSES, {**RESPONSES, **MANAGED}, True),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_asked_is_found_in_what_is_new(name: str) -> None:
    """Only what stood in a request that asked for nothing is not looked at again; without one all is."""
    dialect, before, now, asks = CASES[name]
    opener, path = wire.get(dialect), "/v1/messages" if dialect == "anthropic" else "/v1/responses"
    known = opener.open(json.dumps(before).encode())
    body = json.dumps(now).encode()
    call = Call(dialect, body, {}, path)
    for last in (None, known):
        found = demand.read(call, opener.open(body, last), EMULATION, last)
        assert (found is not None) is asks


def test_a_request_of_a_model_that_was_not_looked_at_says_nothing_of_the_next() -> None:
    """Where the provider did the work for one model, an item may stand in what was sent to it."""
    upstreams = {"anthropic": "https://api.anthropic.com"}
    item = {**ANTHROPIC, "messages": [{"role": "assistant", "content": [BLOCK]}, said("x")]}
    opener = wire.get("anthropic")
    known = opener.open(json.dumps(item).encode())
    body = json.dumps({**item, "model": "other-model"}).encode()
    found = demand.read(
        Call("anthropic", body, {}, "/v1/messages"), opener.open(body, known), Emulation(Mode.AUTO, upstreams), known
    )
    assert found is not None
