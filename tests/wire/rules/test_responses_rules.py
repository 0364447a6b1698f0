"""Rules R1–R19: of each rule one request or edit that keeps it and one that breaks it (provider-contracts §12)."""

import json

import pytest

from pumice import wire
from pumice.wire import rules

USER = {"role": "user", "content": "hi"}
BREAK = {"prompt_cache_breakpoint": {"mode": "explicit"}}
SEALED = {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAA"}
CHECK = {"pending_safety_checks": [{"id": "s1", "code": "c", "message": "m"}]}


def call(ident: str = "c1", **more) -> dict:
    return {"type": "function_call", "call_id": ident, "name": "f", "arguments": "{}", **more}


def output(ident: str = "c1", said: object = "x", **more) -> dict:
    return {"type": "function_call_output", "call_id": ident, "output": said, **more}


def reason(ident: str | None = "rs_1", **more) -> dict:
    named = {"id": ident} if ident else {}
    return {"type": "reasoning", "summary": [], "encrypted_content": "gAAB", **named, **more}


def said(words: str = "ok", **more) -> dict:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}], **more}


def body(*listed: dict, **fields) -> dict:
    return {"model": "gpt-5", **fields, "input": list(listed)}


SCREEN = {"type": "computer_screenshot", "image_url": "data:image/png;base64,aGk="}
COMPUTER = {"type": "computer_call", "id": "cu_1", "call_id": "c1", "action": {"type": "screenshot"}, **CHECK}
SCREENED = {"type": "computer_call_output", "call_id": "c1", "output": SCREEN}
PASS = {
    "R1": [body(USER, call(), output()), body(USER, call(), USER, output()), body(USER, call(**{"async": True}))],
    "R2": [
        body(output(), previous_response_id="resp_1"),
        body(USER, {"type": "function_call_output", "name": "goal_objective", "namespace": "agent", "output": "ship it"}),
        body({"type": "item_reference", "id": "fc_1"}, output()),
    ],
    "R3": [body(USER, reason(), call(), output()), body(USER, reason(None)), body(USER, reason(), reason("rs_2"), said())],
    "R6": [body(USER, call(id="fc_1"), output(id="fco_1")), body({**USER, "id": "anything"}, said(id="msg_1"))],
    "R7": [body(USER, reason(), said(), store=False), body(USER, reason(encrypted_content=None), said())],
    "R8": [body(USER, reason(), said())],
    "R10": [body(output(), previous_response_id="resp_1"), body(USER, previous_response_id=None, conversation=None)],
    "R11": [body(USER, said(phase="commentary"), call(), output(), said(phase="final_answer"))],
    "R13": [body(SEALED, USER), body(USER, SEALED, USER)],
    "R14": [
        body(USER, {"type": "compaction_trigger"}),
        body(USER, {"type": "additional_tools", "role": "developer", "tools": []}),
    ],
    "R15": [
        body(USER, COMPUTER, {**SCREENED, "acknowledged_safety_checks": CHECK["pending_safety_checks"]}),
        body({"type": "program", "id": "p1", "call_id": "c", "code": "1", "fingerprint": "fp"}),
        body({"type": "from_next_year", "any": 1}, USER),
        {**body(), "input": "hi"},
    ],
    "R17": [body(*[USER] * 20, conversation="conv_1")],
    "R18": [
        body({"role": "user", "content": [{"type": "input_text", "text": "x", **BREAK}]}, model="gpt-5.6-sol"),
        body(USER, call(), output(said=[{"type": "input_text", "text": "x", **BREAK}]), model="gpt-6-sol"),
    ],
    "R19": [
        body(USER, call(), call("c2"), output("c2"), output()),
        body(USER, call(), output(), call("c2"), output("c2")),
        body(USER, call(), output(), call(), output()),
    ],
}
FAIL = {
    "R1": [body(USER, call()), body(USER, call(), call("c2"), output()), body(USER, COMPUTER)],
    "R2": [body(USER, output()), body(USER, call(), output(), output()), body(USER, output(), call(), output())],
    "R3": [body(USER, reason(), USER), body(USER, reason()), body(USER, call(), reason(), output())],
    "R6": [body(USER, call(id="call_1"), output()), body(USER, said(id="c1")), body(USER, reason("x"), said())],
    "R7": [body(USER, reason(encrypted_content=None), said(), store=False)],
    "R8": [body(USER, reason(encrypted_content=""), said()), body(USER, reason(encrypted_content={}), said())],
    "R10": [body(USER, previous_response_id="resp_1", conversation="conv_1")],
    "R11": [body(USER, said(phase="middle"))],
    "R13": [body({"type": "compaction"}, USER)],
    "R14": [
        body({"type": "compaction_trigger"}, USER),
        body(USER, {"type": "additional_tools", "role": "user", "tools": []}),
    ],
    "R15": [
        body(USER, COMPUTER, SCREENED),
        body({"type": "program", "call_id": "c", "code": "1"}),
        body({"type": "mcp_call", "name": "f"}),
        body(USER, call(arguments={})),
        body({"role": "critic", "content": "x"}),
        body({"role": "user", "content": [{"type": "text", "text": "x"}]}),
        body(USER, call(), output(said=None)),
        {**body(), "input": ["hi"]},
    ],
    "R17": [body(*[USER] * 21, conversation="conv_1")],
    "R18": [
        body({"role": "user", "content": [{"type": "input_text", "text": "x", **BREAK}]}),
        body(USER, {**said(), "content": [{"type": "output_text", "text": "x", **BREAK}]}, model="gpt-5.6-sol"),
        body(USER, prompt_cache_options={"mode": "implicit"}),
    ],
}
STEP = (USER, reason(), call(id="fc_1"), output())
TWO = (USER, reason(), call(id="fc_1"), call("c2", id="fc_2"), output(), output("c2"), USER)
KEPT = {
    "R3": [((*STEP, USER), (USER, reason(None), USER))],
    "R4": [((*STEP, USER), (USER, call(), output(), USER)), (TWO, (USER, reason(), call(id="fc_1"), output(), USER))],
    "R5": [((*STEP, USER), (USER, reason(None), call(arguments='{"a": 1}'), output(), USER))],
    "R9": [((*STEP, USER), (USER, call(), output(), USER)), (STEP, (USER,)), (STEP, (*STEP, reason("rs_2"), said()))],
    "R11": [((USER, said(phase="commentary"), USER), (USER, said("short", phase="commentary"), USER))],
    "R13": [((USER, SEALED, USER), (SEALED, USER)), ((SEALED, USER), (SEALED, USER, said()))],
}
BROKEN = {
    "R3": [((*STEP, USER), (USER, reason(), said(), USER))],
    "R4": [((*STEP, USER), (USER, call(id="fc_1"), output(), USER))],
    "R5": [((*STEP, USER), (USER, reason(), call(id="fc_1", arguments='{"a": 1}'), output(), USER))],
    "R9": [(STEP, (USER, call(), output()))],
    "R11": [((USER, said(phase="commentary"), USER), (USER, said(), USER))],
    "R13": [((SEALED, USER), (USER,)), ((SEALED, USER), ({**SEALED, "encrypted_content": "gAAC"}, USER))],
}
ELSEWHERE = {"R12": "the provider says nothing: the double", "R16": "needs a count: below", "R19": "allows something"}


def broken(request: dict, **more) -> set[str]:
    return {violation.rule for violation in rules.check(json.dumps(request).encode(), "openai-responses", **more)}


def edited(before, after, model: str = "gpt-5") -> set[str]:
    opened = (json.dumps(body(*listed, model=model)).encode() for listed in (before, after))
    return {found.rule for found in rules.check_rewrite(*map(wire.get("openai-responses").open, opened))}


@pytest.mark.parametrize(("rule", "request_"), [(rule, request) for rule, requests in PASS.items() for request in requests])
def test_valid_request_passes(rule, request_):
    """A request that keeps the rule breaks no other either."""
    assert broken(request_) == set()


@pytest.mark.parametrize(("rule", "request_"), [(rule, request) for rule, requests in FAIL.items() for request in requests])
def test_broken_rule_is_named(rule, request_):
    """A request that breaks the rule is refused under its id."""
    assert rule in broken(request_)


@pytest.mark.parametrize(("rule", "edit"), [(rule, edit) for rule, edits in KEPT.items() for edit in edits])
def test_valid_edit_passes(rule, edit):
    """An edit that undoes its ties breaks no rule."""
    assert edited(*edit) == set()


@pytest.mark.parametrize(("rule", "edit"), [(rule, edit) for rule, edits in BROKEN.items() for edit in edits])
def test_broken_edit_is_named(rule, edit):
    """One that leaves an item without its company is refused under its id."""
    assert rule in edited(*edit)


def test_reasoning_that_is_void_anyway_may_go():
    """Models that bind reasoning to its prefix drop it behind an edit themselves (R12): R9 asks for nothing there."""
    assert edited(STEP, (USER, call(), output()), "gpt-6.2-sol") == set()


def test_every_rule_has_its_fixtures():
    """No rule of the contract is forgotten."""
    assert {f"R{number}" for number in range(1, 20)} == FAIL.keys() | BROKEN.keys() | ELSEWHERE.keys()


def test_input_over_the_window():
    """R16 is judged by the caller's count, unless the provider is asked to cut."""
    assert broken(body(USER), tokens=10, window=9) == {"R16"}
    assert broken(body(USER, truncation="auto"), tokens=10, window=9) == set()
