"""Bodies nobody should send: read, checked, repaired and compared without any error but a typed one."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import wire
from pumice.errors import PumiceError
from pumice.wire import prefix, rules, sse
from pumice.wire.double import Double, Say

KEYS = [
    *("type", "text", "role", "content", "id", "name", "input", "tool_use_id", "tool_calls", "function", "arguments"),
    *("tool_call_id", "source", "data", "media_type", "cache_control", "prompt_cache_breakpoint", "thinking", "signature"),
    *("tool", "image_url", "url", "system", "tools", "model", "messages", "stream", "input_schema", "tool_choice", "usage"),
    *(
        "block_binding",
        "choices",
        "message",
        "delta",
        "index",
        "tool_references",
        "defer_loading",
        "partial_json",
        "max_tokens",
    ),
    *("parts", "args", "response", "functionDeclarations", "mimeType", "content", "finishReason", "thoughtSignature"),
]
PARTS = ["text", "inlineData", "inline_data", "functionCall", "functionResponse", "toolCall", "toolResponse", "executableCode"]
WORDS = [
    *("text", "user", "assistant", "system", "tool", "tool_use", "tool_result", "thinking", "redacted_thinking", "image"),
    *("document", "image_url", "input_audio", "server_tool_use", "web_search_tool_result", "tool_reference", "tool_addition"),
    *("base64", "claude-fable-5-1", "gpt-5", "any", "enabled", "adaptive", "1h", "{}", "data:image/png;base64,aGk="),
    *("text_delta", "input_json_delta", "citations_delta"),
]
values = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | st.sampled_from(WORDS) | st.sampled_from(["", " ", "\ud800", "é"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=16,
)
block = st.dictionaries(st.sampled_from(KEYS), values, max_size=4).flatmap(
    lambda rest: st.sampled_from(WORDS).map(lambda kind: {**rest, "type": kind})
)
message = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system", "tool", "developer"])},
    optional={"content": st.lists(block, max_size=3) | values, "tool_calls": values, "tool_call_id": values, "x": values},
)
part = st.dictionaries(st.sampled_from([*PARTS, "thought", "thoughtSignature"]), values, max_size=3)
content = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "model", "function"]), "parts": st.lists(part | values, max_size=3) | values}
)
body = st.fixed_dictionaries(
    {"messages": st.lists(message, max_size=4) | values, "contents": st.lists(content, max_size=4) | values},
    optional=dict.fromkeys(
        (
            *("system", "tools", "model", "thinking", "tool_choice", "max_tokens", "stream", "cache_control"),
            *("systemInstruction", "generationConfig", "cachedContent", "candidates"),
        ),
        values,
    ),
)


def tried(do, *given_):
    try:
        return do(*given_)
    except PumiceError:
        return None


@pytest.mark.parametrize("name", list(wire.dialects))
@settings(max_examples=90, deadline=None)
@given(first=body, second=body)
def test_nothing_but_typed_errors(name, first, second):
    """Whatever shape the values have, every door answers or raises one of the family."""
    dialect = wire.get(name)
    raws = [json.dumps(item).encode() for item in (first, second)]
    tried(wire.detect, raws[0])
    tried(rules.check, raws[0], name)
    tried(prefix.compare, *raws, name)
    tried(dialect.read_response, raws[0])
    tried(Double([Say("x")]).answer, raws[0], name)
    request = tried(dialect.open, raws[0])
    if request is None:
        return
    tried(dialect.repair, request.messages)
    for raw in request.messages:
        found = tried(dialect.read_message, raw)
        if found:
            for forms in (dict.fromkeys(range(len(found.blocks)), "s"), {0: None}):
                tried(dialect.rewrite, found, forms)
            tried(dialect.remark, raw, raw)


@pytest.mark.parametrize("name", list(wire.dialects))
@settings(max_examples=50, deadline=None)
@given(
    events=st.lists(values | block, max_size=6),
    kinds=st.lists(
        st.sampled_from(["message_start", "content_block_start", "content_block_delta", "message_delta", "message_stop"]),
        max_size=6,
    ),
)
def test_streams_of_nonsense(name, events, kinds):
    """A stream of odd values gives an answer or none, never an error of another kind."""
    stream = wire.get(name).stream()
    lines = [
        json.dumps({**event, "type": kind} if isinstance(event, dict) else event)
        for event, kind in zip(events, [*kinds, *["x"] * 6], strict=False)
    ]
    tried(sse.read, [f"data: {line}\n\n".encode() for line in lines], stream)


@pytest.mark.parametrize("name", list(wire.dialects))
@pytest.mark.parametrize("depth", [400, 900, 100_000])
@pytest.mark.parametrize("leaf", [b"1", b'"\\ud800"'])
def test_deep_nesting(name, depth, leaf):
    """Nesting beyond what can be read is one typed error, at every door."""
    nested = b"[" * depth + leaf + b"]" * depth
    call = b'{"type":"tool_use","id":"x","name":"n","input":{"a":' + nested + b"}}"
    raw = b'{"model":"m","messages":[{"role":"assistant","content":[' + call + b"]}]}"
    for door in (
        rules.check,
        lambda body, _: wire.get(name).units(body),
        lambda body, dialect: prefix.compare(body, body, dialect),
    ):
        tried(door, raw, name)
