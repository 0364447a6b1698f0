"""Rules A1–A41: of each rule one request that keeps it and one that breaks it (provider-contracts §12)."""

import base64
import json
import struct

import pytest

from pumice.wire import rules

CACHE = {"cache_control": {"type": "ephemeral"}}
HOUR = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
SEARCH = {"type": "web_search_20260318", "name": "web_search"}
PREFILL = "claude-opus-4-5"


def text(words: str = "hi", **more) -> dict:
    return {"type": "text", "text": words, **more}


def user(*content) -> dict:
    return {"role": "user", "content": list(content) or "hi"}


def assistant(*content) -> dict:
    return {"role": "assistant", "content": list(content) or "ok"}


def system(*content) -> dict:
    return {"role": "system", "content": list(content) or "note"}


def call(ident: str = "t1", **more) -> dict:
    return {"type": "tool_use", "id": ident, "name": "Read", "input": {}, **more}


def result(ident: str = "t1", content: object = "x", **more) -> dict:
    return {"type": "tool_result", "tool_use_id": ident, "content": content, **more}


def thinking(words: str = "hm") -> dict:
    return {"type": "thinking", "thinking": words, "signature": "s"}


def server(ident: str = "srvtoolu_1") -> dict:
    return {"type": "server_tool_use", "id": ident, "name": "web_search", "input": {"query": "q"}}


def found(ident: str = "srvtoolu_1") -> dict:
    return {"type": "web_search_tool_result", "tool_use_id": ident, "content": []}


def image(width: int, height: int, padding: int = 0) -> dict:
    header = (
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", width, height) + b"\x08\x06\x00\x00\x00" + bytes(padding)
    )
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(header).decode()}
    return {"type": "image", "source": source}


def body(*messages: dict, **fields) -> dict:
    return {"model": "claude-opus-4-8", "max_tokens": 100, **fields, "messages": list(messages)}


TOOLS = [{"name": "Read", "input_schema": {"type": "object"}}]
DEFERRED = {"name": "Rare", "defer_loading": True}
PASS = {
    "A1": [body(user())],
    "A2": [body(user()), body(assistant({"type": "compaction", "content": "s"}), user())],
    "A3": [body(user(), user(), assistant(), assistant(), user())],
    "A4": [
        body(user(), assistant(call(), call("t2"), call("t3")), user(result(), result("t2"), result("t3"))),
        body(user(), assistant(call()), assistant(call("t2")), user(result("t2"), result())),
    ],
    "A5": [body(user(), assistant(call(), call("t2")), user(result()), user(result("t2")))],
    "A6": [body(user(), assistant(call()), user(result(), text()))],
    "A7": [body(user(), assistant(call()), user(result()), assistant(call()), user(result()))],
    "A8": [body(user(), assistant(call()), user(result()), assistant(), user(), assistant(call()), user(result()))],
    "A9": [body(user(), assistant(call(input={"a": 1})), user({"type": "tool_result", "tool_use_id": "t1"}))],
    "A10": [body(user(text("x"))), body(user(), assistant(call()), user(result(content="")))],
    "A11": [body(user(), assistant(text("The")), model=PREFILL), body(user(), assistant(), user(), system())],
    "A12": [body(user(), assistant(text(), server()), tools=[SEARCH])],
    "A13": [
        body(user(), assistant(server(), found(), text()), user()),
        body(user(), assistant(call(), server()), user(result()), assistant(found(), text()), user(), tools=[*TOOLS, SEARCH]),
    ],
    "A14": [body(user(), assistant(call(), server()), user(result()), tools=[*TOOLS, SEARCH])],
    "A15": [body(user(), assistant(call()), user(result(), text("note")))],
    "A16": [body(user(), assistant(call(toolset_name="computer")), user(result(toolset_name="computer", content=[text()])))],
    "A17": [
        body(user(), system(), system(), assistant(), user()),
        body(user(), assistant(call()), user(result()), system()),
        body(user(), assistant(server(), found()), system(), assistant(), user()),
        body(user(), system(), model="claude-sonnet-5-5"),
    ],
    "A18": [
        body(user(), system({"type": "tool_addition", "tool": {"type": "tool_reference", "tool_name": "Read"}}), tools=TOOLS)
    ],
    "A19": [
        body(
            user(),
            assistant(call()),
            user(result(content=[{"type": "tool_reference", "tool_name": "Rare"}])),
            tools=[*TOOLS, DEFERRED],
        )
    ],
    "A20": [body(user(), assistant(call(name="Gone")), user(result()), tools=TOOLS)],
    "A21": [body(user(), assistant(call()), user(result()), tools=TOOLS, model="claude-3-5-sonnet-20241022")],
    "A22": [body(user(text(**CACHE)), system=[text(**CACHE), text(**CACHE)], tools=[{**TOOLS[0], **CACHE}])],
    "A23": [body(user(text(**CACHE)), system=[text(**HOUR)]), body(user(text(**HOUR)), **HOUR)],
    "A24": [body(user(image(8000, 10)))],
    "A26": [body(user(), max_tokens=0)],
    "A27": [body(user(), tool_choice={"type": "any"}), body(user(), tool_choice={"type": "auto"}, model="claude-fable-5-2")],
    "A31": [
        body(
            user(),
            assistant(thinking(), call()),
            user(result()),
            assistant(call("t2")),
            user(result("t2"), text()),
            thinking={"type": "enabled", "budget_tokens": 1024},
        ),
        body(user(), assistant(call()), user(result()), thinking={"type": "adaptive"}),
        body(user(), assistant(call()), user(result()), assistant(), user(), thinking={"type": "enabled"}),
    ],
    "A37": [body(user(), thinking={"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}})],
    "A41": [body(user(), assistant({"type": "connector_text", "x": 1}, {"type": "fallback", "from": "a", "to": "b"}), user())],
}
FAIL = {
    "A1": [body()],
    "A2": [body(assistant(), user()), body(system(), user()), body(assistant(text(), {"type": "compaction"}), user())],
    "A4": [
        body(user(), assistant(call()), user()),
        body(user(), assistant(call(), call("t2")), user(result()), assistant(), user()),
        body(user(), assistant(call())),
    ],
    "A5": [body(user(), assistant(call(), call("t2")), user(result()), system(), user(result("t2")))],
    "A6": [body(user(), assistant(call()), user(text(), result())), body(user(), assistant(call()), user(), user(result()))],
    "A7": [body(user(result())), body(user(), assistant(call()), user(result()), assistant(), user(result()))],
    "A8": [
        body(user(), assistant(call(), call()), user(result())),
        body(user(), assistant(call()), user(result(), result())),
        body(user(), assistant(call()), user(result()), user(result())),
    ],
    "A9": [
        body(user(), assistant(call(input="{}")), user(result())),
        body(user(), assistant(call()), user(result(content=[{"type": "thinking"}]))),
        body(user({"type": "telepathy"})),
        body({"role": "tool", "content": "x"}),
        body(user(), assistant(result()), user()),
        body({"role": "user", "content": 3}),
        {**body(), "messages": ["hi"]},
    ],
    "A10": [
        body(user(text(" \n"))),
        body({"role": "user", "content": ""}),
        body({"role": "user", "content": []}),
        body(user(), {"role": "assistant", "content": []}, user()),
    ],
    "A11": [
        body(user(), assistant()),
        body(user(), assistant(text("The ")), model=PREFILL),
        body(user(), assistant(), model=PREFILL, thinking={"type": "enabled"}),
        body(user(), assistant(), model="anthropic/claude-sonnet-4-6@20260101[1m]"),
    ],
    "A13": [
        body(user(), assistant(server(), call()), user(result()), assistant(text()), user(), tools=[SEARCH]),
        body(user(), assistant(found()), user()),
        body(user(), assistant(server()), user(result("srvtoolu_1")), tools=[SEARCH]),
    ],
    "A14": [
        body(user(), assistant(call(), server()), user(result(), text()), tools=[SEARCH]),
        body(user(), assistant(call(), server()), user(result()), tools=TOOLS),
    ],
    "A16": [
        body(user(), assistant(call(toolset_name="computer")), user(result())),
        body(
            user(),
            assistant(call(toolset_name="computer")),
            user(result(toolset_name="computer", content=[{"type": "document", "source": {"type": "text", "data": "x"}}])),
        ),
    ],
    "A17": [
        body(user(), assistant(), system(), assistant(), user()),
        body(user(), system(), user()),
        body(user(), assistant(call()), system(), user(result())),
        body(user(), system(), model="claude-sonnet-5"),
        body(user(), system(), model="claude-opus-4-5"),
    ],
    "A18": [body(user(), system({"type": "tool_addition", "tool": {"tool_name": "New"}}), tools=TOOLS)],
    "A19": [
        body(user(), assistant(call()), user(result(content=[{"type": "tool_reference", "tool_name": "No"}])), tools=TOOLS),
        body(user(), tools=[DEFERRED]),
        body(user(), tools=[*TOOLS, {"type": "tool_search_tool_bm25_20251119", "name": "s", "defer_loading": True}]),
    ],
    "A21": [body(user(), assistant(call()), user(result()), model="claude-3-5-sonnet-20241022")],
    "A22": [
        body(user(*[text(**CACHE)] * 3), system=[text(**CACHE)], **CACHE),
        body(user(), assistant({**thinking(), **CACHE}, text()), user()),
        body(user(), assistant(call()), user(result(content=[text(**CACHE)] * 5))),
    ],
    "A23": [body(user(text(**HOUR)), system=[text(**CACHE)]), body(user(text(**CACHE)), **HOUR)],
    "A24": [
        body(user(image(8001, 10))),
        body(user(*[image(2001, 10)] * 21)),
        body(user(*[image(1, 1)] * 601)),
        body(user(image(1, 1, 8_000_000))),
        body(user(text("x" * 33_600_000))),
    ],
    "A26": [body(user(), max_tokens=0, stream=True), body(user(), max_tokens=0, tool_choice={"type": "any"})],
    "A27": [
        body(user(), tool_choice={"type": "any"}, thinking={"type": "enabled"}, model=PREFILL),
        body(user(), tool_choice={"type": "tool", "name": "Read"}, model="claude-mythos-5-1"),
        body(user(), tool_choice={"type": "any"}, model="us.anthropic.claude-opus-5-5-20260901-v1:0"),
    ],
    "A31": [body(user(), assistant(text(), call()), user(result()), thinking={"type": "enabled", "budget_tokens": 1024})],
    "A37": [
        body(user(), thinking={"type": "disabled", "block_binding": {"prefix_mismatch_behavior": "error"}}),
        body(user(), thinking={"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "maybe"}}),
    ],
}
NEVER_BROKEN_BY_ONE_REQUEST = {
    "A3": "allows something",
    "A12": "allows something",
    "A15": "quality",
    "A20": "cost; A14 covers running server tools",
    "A25": "needs a count: below",
    "A28": "needs headers: below",
    "A29": "an edit: test_rewrite_rules",
    "A30": "an edit",
    "A32": "quality",
    "A33": "allows something",
    "A34": "cost",
    "A35": "an edit",
    "A36": "an edit",
    "A38": "a model switch; silent",
    "A39": "an answer",
    "A40": "allows something",
    "A41": "an edit",
}


def broken(request: dict, **more) -> set[str]:
    return {violation.rule for violation in rules.check(json.dumps(request).encode(), "anthropic", **more)}


@pytest.mark.parametrize(("rule", "request_"), [(rule, request) for rule, requests in PASS.items() for request in requests])
def test_valid_request_passes(rule, request_):
    """A request that keeps the rule breaks no other either."""
    assert broken(request_) == set()


@pytest.mark.parametrize(("rule", "request_"), [(rule, request) for rule, requests in FAIL.items() for request in requests])
def test_broken_rule_is_named(rule, request_):
    """A request that breaks the rule is refused under its id."""
    assert rule in broken(request_)


def test_every_rule_has_its_fixtures():
    """No rule of the contract is forgotten: it has a failing request or a reason why none can exist."""
    numbered = {f"A{number}" for number in range(1, 42)}
    assert numbered == FAIL.keys() | NEVER_BROKEN_BY_ONE_REQUEST.keys()
    assert not FAIL.keys() & NEVER_BROKEN_BY_ONE_REQUEST.keys()
    assert FAIL.keys() <= PASS.keys()


def test_input_over_the_window():
    """A25 is judged by the caller's count; 200k windows take fewer images (A24)."""
    assert broken(body(user()), tokens=10, window=9) == {"A25"}
    assert broken(body(user()), tokens=9, window=9) == set()
    assert broken(body(user(*[image(1, 1)] * 101)), window=200_000) == {"A24"}


def test_beta_fields_travel_with_their_header():
    """A28 is judged where the headers are known."""
    edits = body(user(), context_management={"edits": []})
    assert broken(edits) == set()
    assert broken(edits, betas=[]) == {"A28"}
    assert broken(edits, betas=["context-management-2025-06-27"]) == set()


def test_violation_says_where_and_why():
    """A JSON path and a sentence that names the id."""
    (violation,) = rules.check(json.dumps(body(user(), assistant(text(), call("tX")), user())).encode(), "anthropic")
    assert (violation.rule, violation.path) == ("A4", "messages[1].content[1]")
    assert "'tX'" in violation.message


def test_other_vendors_models_are_not_judged_by_claudes_versions():
    """Behind a compatible endpoint, prefill and system messages are the endpoint's business."""
    assert broken(body(user(), assistant(), model="glm-5")) == set()
    assert broken(body(user(), system(), model="glm-5")) == set()
