"""Whose call it is and which conversation it belongs to: by the marks of real clients, and nothing names a credential."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from pumice import wire
from pumice.faces.proxy import assembly, side
from pumice.faces.proxy.gate import Call
from pumice.faces.proxy.identity import Named, named
from pumice.faces.proxy.managed import Managed, managed
from pumice.store.keys import Identity

HASHED = Identity(b"k" * 32)


def of(
    body: dict[str, Any], dialect: str = "anthropic", path: str = "/v1/messages", is_alone: bool = True, **headers: str
) -> Named:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    raw = json.dumps(body).encode()
    return named(Call(dialect, raw, sent, path), wire.get(dialect).open(raw), HASHED, is_alone=is_alone)


HELLO: dict[str, Any] = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [{"role": "user", "content": "hello"}]}
ITEMS: dict[str, Any] = {"model": "gpt-5", "input": [{"role": "user", "content": "hello"}]}


def test_our_own_header_wins() -> None:
    """A caller that names its session gets it, whatever else its client sends."""
    found = of(HELLO, x_pumice_session="build-42", x_claude_code_session_id="cc", thread_id="t")
    assert (found.session, found.agent) == ("build-42", "main")


def test_claude_code_is_known_by_session_and_agent() -> None:
    """Sub-agents share the session and have an id of their own; the metadata says the same where a header is missing."""
    told = json.dumps({"device_id": "d", "account_uuid": "a", "session_id": "s1"})
    older = "user_ab12_account_a_session_s1"
    assert of(HELLO, x_claude_code_session_id="s1").session == "claude-code-s1"
    assert of(HELLO, x_claude_code_session_id="s1", x_claude_code_agent_id="x").agent == "x"
    for user in (told, older):
        assert of({**HELLO, "metadata": {"user_id": user}}).session == "claude-code-s1"
    assert of({**HELLO, "metadata": {"user_id": "customer 7"}}).session == ""


def test_codex_is_known_by_its_thread_alone() -> None:
    """A sub-agent shares session and cache key with its parent: neither names a conversation (real-clients)."""
    main = of({**ITEMS, "prompt_cache_key": "p"}, "openai-responses", thread_id="p", session_id="p")
    child = of({**ITEMS, "prompt_cache_key": "p"}, "openai-responses", thread_id="c", session_id="p")
    assert (main.session, child.session) == ("codex-p", "codex-c")
    keyed = of({**ITEMS, "prompt_cache_key": "p"}, "openai-responses")
    assert (keyed.session, bool(keyed.group)) == ("", True)


def test_the_scope_comes_from_the_credential_and_holds_none() -> None:
    """The same key is the same user in any header, another key another; neither stands in the scope."""
    mine = {of(HELLO, x_api_key="sk-1").scope, of(HELLO, authorization="Bearer sk-1").scope}
    mine |= {of(HELLO, path="/v1beta/x?key=sk-1&alt=sse").scope}
    assert len(mine) == 1
    assert "sk-1" not in mine.pop()
    assert of(HELLO, x_api_key="sk-1").scope != of(HELLO, x_api_key="sk-2").scope
    assert of(HELLO).scope == "tenant:local"


def token(expires: int) -> str:
    """A JSON web token of one and the same subject; nobody has signed it."""
    claims = base64.urlsafe_b64encode(json.dumps({"iss": "i", "sub": "u", "exp": expires}).encode()).decode().rstrip("=")
    return f"e30.{claims}.{expires}"


CLAIMED = {**HELLO, "metadata": {"user_id": json.dumps({"account_uuid": "a", "session_id": "s"})}}
LOGINS = [(HELLO, [token(1), token(2)]), (CLAIMED, ["sk-ant-oat01-1", "sk-ant-oat01-2"])]


@pytest.mark.parametrize(("body", "tokens"), LOGINS, ids=["subject", "account"])
def test_who_a_login_says_it_is_counts_only_where_one_person_can_connect(body: dict[str, Any], tokens: list[str]) -> None:
    """A renewed token ends no session there; elsewhere anyone could name another's account, so the token itself counts."""
    alone, shared = ({of(body, is_alone=here, authorization=f"Bearer {one}").scope for one in tokens} for here in (True, False))
    assert (len(alone), len(shared)) == (1, 2)
    assert alone.isdisjoint(shared)
    assert of(HELLO, authorization="Bearer sk-ant-oat01-1").scope != of(HELLO, authorization="Bearer sk-ant-oat01-2").scope


@pytest.mark.parametrize("is_alone", [True, False])
async def test_a_stranger_who_names_a_subject_is_in_no_session_of_it(tmp_path: Path, is_alone: bool) -> None:
    """Through the gate of a proxy that others can reach, what one login has said is no part of another's session."""
    gate = assembly.gate("balanced", home=tmp_path, is_alone=is_alone)
    calls = []
    for bearer in (token(1), token(2)):
        headers = {"authorization": f"Bearer {bearer}", "x-pumice-session": "s"}
        calls.append((await gate.prepare(Call("anthropic", json.dumps(HELLO).encode(), headers, "/v1/messages"))).told)
    assert [told["x-pumice-call"] for told in calls] == (["1", "2"] if is_alone else ["1", "1"])
    await gate.close()


@pytest.mark.parametrize("key", ["jwt i u", "sk-ant-oat a"])
def test_no_key_spells_a_login(key: str) -> None:
    """Whoever knows somebody's account or subject can send its name as a key: that is another scope."""
    logins = {of(body, authorization=f"Bearer {tokens[0]}").scope for body, tokens in LOGINS}
    assert of(CLAIMED, x_api_key=key).scope not in logins
    assert of(CLAIMED, authorization=key).scope not in logins


@pytest.mark.parametrize(
    ("asked", "is_narrowed"), [("project:web", True), ("tenant:acme", False), ("user:other", False), ("nonsense", False)]
)
def test_a_header_can_only_narrow(asked: str, is_narrowed: bool) -> None:
    """A project inside one's own scope, never another tenant or user (DESIGN §5)."""
    own = of(HELLO, x_api_key="sk-1").scope
    found = of(HELLO, x_api_key="sk-1", x_pumice_scope=asked)
    assert found.is_narrowed is is_narrowed
    assert (found.scope == own) is not is_narrowed
    assert own.rpartition("/")[2] in found.scope


def test_a_mark_that_is_no_name_is_hashed() -> None:
    """Control characters and endless marks stand in no name."""
    for strange in ("a\nb", "x" * 5000):
        assert of(HELLO, x_pumice_session=strange).session.startswith("named-")


SCHEMA = {"type": "json_schema", "schema": {"type": "object"}}


@pytest.mark.parametrize(
    ("dialect", "extra", "headers", "expected"),
    [
        ("anthropic", {}, {}, ""),
        ("anthropic", {"output_config": {"format": SCHEMA}}, {"x-claude-code-session-id": "s"}, "title"),
        ("anthropic", {"max_tokens": 1}, {}, "probe"),
        ("anthropic", {"max_tokens": 1, "tools": [{"name": "Read", "input_schema": {}}]}, {}, ""),
        ("openai-chat", {"response_format": {"type": "json_schema"}}, {}, "title"),
        ("gemini", {"generationConfig": {"responseJsonSchema": {}}}, {"user-agent": "GeminiCLI/0.61"}, "router"),
        ("gemini", {}, {"x-gemini-api-privileged-user-id": "i"}, "compaction"),
        ("gemini", {}, {}, ""),
    ],
)
def test_side_requests_of_clients_are_known(dialect: str, extra: Any, headers: Any, expected: str) -> None:
    """Titles, probes, routers and foreign compactions open no lane; a conversation without tools does."""
    contents = [{"role": "user", "parts": [{"text": "hello"}]}]
    body = {"contents": contents, **extra} if dialect == "gemini" else {**HELLO, **extra}
    raw = json.dumps(body).encode()
    assert side.reason(Call(dialect, raw, headers, "/"), wire.get(dialect).open(raw)) == expected


def test_an_answer_of_a_schema_inside_a_conversation_is_a_step_of_it() -> None:
    """Once the model has spoken it is a conversation, however its answers are shaped."""
    said = [*HELLO["messages"], {"role": "assistant", "content": "hi"}, {"role": "user", "content": "and?"}]
    raw = json.dumps({**HELLO, "messages": said, "response_format": SCHEMA}).encode()
    assert side.reason(Call("openai-chat", raw, {}, "/"), wire.get("openai-chat").open(raw)) == ""


@pytest.mark.parametrize(
    ("dialect", "extra", "expected"),
    [
        ("anthropic", {}, Managed.NO),
        ("anthropic", {"context_management": {"edits": [{"type": "clear_thinking_20251015"}]}}, Managed.NO),
        ("anthropic", {"context_management": {"edits": [{"type": "clear_tool_uses_20250919"}]}}, Managed.WHOLE),
        ("anthropic", {"context_management": {"edits": [{"type": "compact_20260112"}]}}, Managed.WHOLE),
        ("anthropic", {"compaction": {"type": "summarize"}}, Managed.WHOLE),
        ("anthropic", {"thread": {"id": "t"}}, Managed.PART),
        ("openai-responses", {"truncation": "auto"}, Managed.WHOLE),
        ("openai-responses", {"truncation": "disabled", "previous_response_id": None}, Managed.NO),
        ("openai-responses", {"context_management": [{"type": "compaction"}]}, Managed.WHOLE),
        ("openai-responses", {"previous_response_id": "resp_1"}, Managed.PART),
        ("openai-responses", {"conversation": "conv_1"}, Managed.PART),
        ("gemini", {"cachedContent": "cachedContents/x"}, Managed.PART),
    ],
)
def test_who_manages_the_history(dialect: str, extra: Any, expected: Managed) -> None:
    """Every way of asking the provider to do it, and the routine one that is none (K-E1)."""
    base = {"gemini": {"contents": []}, "openai-responses": ITEMS}.get(dialect, HELLO)
    assert managed(wire.get(dialect).open(json.dumps({**base, **extra}).encode())) is expected
