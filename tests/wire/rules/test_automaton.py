"""The automaton: resumed from any kept state it says what a check of the whole says."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import wire
from pumice.wire import rules

ids = st.sampled_from(["t1", "t2", "srvtoolu_1"])
block = st.one_of(
    st.fixed_dictionaries({"type": st.just("text"), "text": st.sampled_from(["hi", "", " "])}),
    st.fixed_dictionaries({"type": st.just("tool_use"), "id": ids, "name": st.just("f"), "input": st.just({})}),
    st.fixed_dictionaries({"type": st.just("tool_result"), "tool_use_id": ids}),
    st.fixed_dictionaries({"type": st.just("server_tool_use"), "id": ids, "name": st.just("f"), "input": st.just({})}),
    st.fixed_dictionaries({"type": st.just("web_search_tool_result"), "tool_use_id": ids}),
    st.fixed_dictionaries({"type": st.just("thinking"), "thinking": st.just(""), "signature": st.just("s")}),
    st.fixed_dictionaries({"type": st.just("text"), "text": st.just("x"), "cache_control": st.just({"type": "ephemeral"})}),
    st.fixed_dictionaries({"type": st.sampled_from(["image", "odd", 3])}),
)
roles = st.sampled_from(["user", "assistant", "system", "tool", "developer", "odd", None])
call = st.fixed_dictionaries({"id": ids, "function": st.fixed_dictionaries({"name": st.just("f"), "arguments": st.just("{}")})})
message = st.one_of(
    st.fixed_dictionaries(
        {"role": roles, "content": st.none() | st.just("hi") | st.lists(block, max_size=4)},
        optional={"tool_calls": st.lists(call, max_size=2), "tool_call_id": ids},
    ),
    st.sampled_from([None, 1, [], {}]),
)


@pytest.mark.parametrize("dialect", list(wire.dialects))
@settings(max_examples=150, deadline=None)
@given(messages=st.lists(message, max_size=8), at=st.integers(0, 8), other=st.lists(message, max_size=3))
def test_resumed_check_equals_whole_check(dialect, messages, at, other):
    """The state at the end of a prefix is a value: feeding it one way does not change what it says the other way."""
    body = json.dumps({"model": "claude-opus-4-8", wire.get(dialect).field: messages}).encode()
    request = wire.get(dialect).open(body)
    state = rules.start(dialect, request.model)
    for raw in request.messages[:at]:
        state = state.feed(raw)
    kept = state
    for raw in other:
        state = state.feed(json.dumps(raw).encode())
    state.finish(request.fields)
    for raw in request.messages[at:]:
        kept = kept.feed(raw)
    assert kept.finish(request.fields) == rules.check(body, dialect)


@pytest.mark.recordings
def test_what_providers_accepted_breaks_no_rule(exchanges):
    """Every recorded request that was answered with 200 passes."""
    assert exchanges
    for found in exchanges:
        violations = rules.check(found.request, found.dialect, model=found.model)
        assert violations == (), (found.file, violations)
