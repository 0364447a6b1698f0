"""Deferred tools on the wire: outside the prefix, refused with a marker, found by a search whose bill is a sum."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from pumice import wire
from pumice.domain.diet import Diet
from pumice.errors import InvalidInput
from pumice.wire import prefix, rules, sse, tools
from pumice.wire.double import Double, Say, Use

SEARCH = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}
READ, RARE = {"name": "Read"}, {"name": "Rare", "description": "Rarely."}
MARK = {"cache_control": {"type": "ephemeral"}}


def body(*listed: dict[str, Any], **more: Any) -> bytes:
    head = {"model": "claude-sonnet-4-5", "max_tokens": 99, "tools": listed}
    return json.dumps({**head, "messages": [{"role": "user", "content": "go"}], **more}).encode()


def test_a_deferred_tool_that_comes_late_extends_the_prefix() -> None:
    """The provider's cache is not lost by it; by a loaded one it is (K §1.4)."""
    before = body(READ, SEARCH)
    assert prefix.compare(before, body(READ, {**RARE, "defer_loading": True}, SEARCH), "anthropic").stable
    assert not prefix.compare(before, body(READ, RARE, SEARCH), "anthropic").stable


def test_a_deferred_tool_takes_no_marker() -> None:
    """The provider refuses both together; a loaded one may have one."""
    assert rules.check(body(READ, {**RARE, "defer_loading": False, **MARK}, SEARCH), "anthropic") == ()
    (found,) = rules.check(body(READ, {**RARE, "defer_loading": True, **MARK}, SEARCH), "anthropic")
    assert (found.rule, found.path) == ("A22", "tools[1].cache_control")


def test_two_markers_that_meet_stay_one() -> None:
    """Markers of deferred tools move behind; where the next loaded tool has its own, that one stands."""
    long = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
    request = wire.get("anthropic").open(body({**RARE, **long}, {**READ, **MARK}, {"name": "Other", **MARK}))
    made = tools.written(request, Diet(names=("Rare", "Read", "Other"), deferred=("Rare", "Other")))
    assert made is not None
    assert [item.get("cache_control") for item in json.loads(made)] == [
        None,
        MARK["cache_control"],
        None,
        MARK["cache_control"],
    ]


def test_a_recorded_search_is_read_for_what_it_is(data: Path) -> None:
    """The real answer's block names what it loads, and its bill of two calls measures no request."""
    name = "test_tool_search__test_anthropic_native_tool_search_streaming.yaml"
    recorded = yaml.safe_load((data / "provider-cassettes" / name).read_text("utf-8"))["interactions"][0]
    response = sse.read([recorded["response"]["body"]["string"].encode()], wire.get("anthropic").stream())
    assert frozenset().union(*map(tools.loads, response.blocks)) == {"get_exchange_rate"}
    assert response.usage is not None
    assert (response.usage.input, response.usage.is_sum) == (1591, True)


def test_figures_that_list_their_calls_are_no_sum() -> None:
    """With `iterations` the last call's own input is known (K §1.4)."""
    said = [{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}]
    usage = {"input_tokens": 90, "output_tokens": 1, "iterations": [{"type": "message", "input_tokens": 50}]}
    answer = {"id": "m", "role": "assistant", "model": "x", "content": said, "usage": usage}
    found = wire.get("anthropic").read_response(json.dumps(answer).encode()).usage
    assert found is not None
    assert (found.input, found.is_sum) == (50, False)


@pytest.mark.parametrize("stream", [False, True])
def test_the_double_searches_before_it_calls(stream: bool) -> None:
    """A tool that waits is found first, in the same answer, and billed as two calls."""
    double = Double([Say("Looking.", (Use("Rare", {"a": 1}),)), Say("Looking.", (Use("Rare"),))])
    listed = [READ, {**RARE, "defer_loading": True}, SEARCH]
    reply = double.answer(body(*listed, stream=stream), "anthropic")
    dialect = wire.get("anthropic")
    response = sse.read(reply.chunks(50), dialect.stream()) if stream else dialect.read_response(reply.body)
    kinds = [json.loads(block.raw)["type"] for block in response.blocks]
    assert kinds == ["text", "server_tool_use", "tool_search_tool_result", "tool_use"]
    assert response.usage is not None
    assert response.usage.is_sum
    said = json.loads(response.messages[0].raw)
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": said["content"][-1]["id"], "content": "ok"}]}
    later = body(*listed, messages=[{"role": "user", "content": "go"}, said, result])
    again = dialect.read_response(double.answer(later, "anthropic").body)
    assert [json.loads(block.raw)["type"] for block in again.blocks] == ["text", "tool_use"]


def test_the_double_cannot_call_what_it_does_not_see() -> None:
    """A script that calls a deferred tool nobody can find is wrong, and says so."""
    with pytest.raises(InvalidInput, match="'Rare', which is deferred"):
        Double([Say(calls=(Use("Rare"),))]).answer(body(READ, {**RARE, "defer_loading": True}), "anthropic")


def test_what_the_clients_own_search_found_can_be_called() -> None:
    """A client may search itself: a reference in the result of its tool is as good as one of the provider's."""
    use = {"type": "tool_use", "id": "t1", "name": "Read", "input": {}}
    found = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "tool_reference", "tool_name": "Rare"}]}
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [found]},
    ]
    asked = body(READ, {**RARE, "defer_loading": True}, messages=messages)
    reply = Double([Say(calls=(Use("Rare"),))]).answer(asked, "anthropic")
    assert [block.tool for block in wire.get("anthropic").read_response(reply.body).blocks] == ["Rare"]
