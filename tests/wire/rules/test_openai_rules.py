"""Rules O1–O14: of each rule one request that keeps it and one that breaks it (provider-contracts §12)."""

import json

import pytest

from pumice.wire import rules

USER = {"role": "user", "content": "hi"}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}
BREAK = {"prompt_cache_breakpoint": {"mode": "explicit"}}


def call(ident: str = "c1", name: str = "f", arguments: object = "{}") -> dict:
    return {"id": ident, "type": "function", "function": {"name": name, "arguments": arguments}}


def calls(*items: dict, **more) -> dict:
    return {"role": "assistant", "content": None, "tool_calls": list(items), **more}


def tool(ident: str = "c1", content: object = "x") -> dict:
    return {"role": "tool", "tool_call_id": ident, "content": content}


def said(content: object) -> dict:
    return {"role": "assistant", "content": content}


def body(*messages: dict, **fields) -> dict:
    return {"model": "gpt-5", **fields, "messages": list(messages)}


PASS = {
    "O1": [body(USER, calls(call()), tool()), body(USER, calls(call(), call("c2")), tool("c2"), tool())],
    "O2": [body(USER, calls(call(), call("c2")), tool(), tool("c2"), USER)],
    "O3": [body(USER, calls(call()), tool(), calls(call()), tool())],
    "O4": [body(USER, calls(call(arguments="{not json")), tool())],
    "O5": [body(USER, said("hi")), body(USER, {"role": "assistant", "refusal": "no"})],
    "O6": [body(USER, calls(call()), tool(content=""))],
    "O7": [body(USER, calls(call()), tool(content=[{"type": "text", "text": "x"}]), {"role": "user", "content": [IMAGE]})],
    "O8": [body({"role": "developer", "content": "x"}, USER, said("a"), said("b"))],
    "O9": [
        body(
            USER, metadata={str(place): "x" for place in range(16)}, tools=[{"type": "function", "function": {"name": "a-1_B"}}]
        )
    ],
    "O10": [body(USER, calls(call(name="gone")), tool())],
    "O11": [body({"role": "user", "content": "as JSON"}, response_format={"type": "json_object"})],
    "O12": [body(USER, {"role": "assistant", "audio": {"id": "a1"}})],
    "O14": [body({"role": "user", "content": [{"type": "text", "text": "x", **BREAK}]}, model="gpt-5.6-sol")],
}
FAIL = {
    "O1": [body(tool()), body(USER, calls(call()), tool(), USER, tool()), body(USER, {"role": "tool", "content": "x"})],
    "O2": [
        body(USER, calls(call(), call("c2")), tool(), USER),
        body(USER, calls(call())),
        body(USER, calls(call()), USER, tool()),
    ],
    "O3": [body(USER, calls(call(), call()), tool()), body(USER, calls(call()), tool(), tool())],
    "O4": [body(USER, calls(call(arguments={"a": 1})), tool())],
    "O5": [body(USER, said(None)), body(USER, {"role": "assistant", "content": "x", "tool_calls": []})],
    "O6": [
        body({"role": "user", "content": None}),
        body(USER, calls(call()), tool(content=None)),
        body({"role": "user", "content": [{"type": "telepathy"}]}),
        {**body(), "messages": ["hi"]},
    ],
    "O7": [body(USER, calls(call()), tool(content=[IMAGE]))],
    "O8": [
        body(),
        body({"role": "critic", "content": "x"}),
        body({"role": "system", "content": "x"}, {"role": "developer", "content": "x"}),
    ],
    "O9": [body(USER, calls(call(name="a b")), tool()), body(USER, metadata={str(place): "x" for place in range(17)})],
    "O11": [body(USER, response_format={"type": "json_object"})],
    "O12": [body(USER, {"role": "assistant", "content": "x", "audio": {}})],
    "O14": [body({"role": "user", "content": [{"type": "text", "text": "x", **BREAK}]}), body(USER, prompt_cache_options={})],
}
NEVER_BROKEN_BY_ONE_REQUEST = {"O10": "allows something", "O13": "needs a count: below"}


def broken(request: dict, **more) -> set[str]:
    return {violation.rule for violation in rules.check(json.dumps(request).encode(), "openai-chat", **more)}


@pytest.mark.parametrize(("rule", "request_"), [(rule, request) for rule, requests in PASS.items() for request in requests])
def test_valid_request_passes(rule, request_):
    """A request that keeps the rule breaks no other either."""
    assert broken(request_) == set()


@pytest.mark.parametrize(("rule", "request_"), [(rule, request) for rule, requests in FAIL.items() for request in requests])
def test_broken_rule_is_named(rule, request_):
    """A request that breaks the rule is refused under its id."""
    assert rule in broken(request_)


def test_every_rule_has_its_fixtures():
    """No rule of the contract is forgotten."""
    assert {f"O{number}" for number in range(1, 15)} == FAIL.keys() | NEVER_BROKEN_BY_ONE_REQUEST.keys()


def test_input_over_the_window():
    """O13 is judged by the caller's count."""
    assert broken(body(USER), tokens=10, window=9) == {"O13"}
