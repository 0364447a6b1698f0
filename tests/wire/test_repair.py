"""Invalid input is made valid on the wire, each change said; valid input stays as it is (coding-agents §5 A)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import wire
from pumice.wire import repair, rules

A, C = wire.get("anthropic"), wire.get("openai-chat")
PAIRING = {"A4", "A5", "A6", "A7", "A8", "A10", "O1", "O2", "O3", "R1", "R2"}


def user(*content) -> dict:
    return {"role": "user", "content": list(content) or "hi"}


def assistant(*content) -> dict:
    return {"role": "assistant", "content": list(content) or "ok"}


def text(words: str = "hi") -> dict:
    return {"type": "text", "text": words}


def call(ident: str) -> dict:
    return {"type": "tool_use", "id": ident, "name": "f", "input": {}}


def result(ident: str, words: str = "out", **more) -> dict:
    return {"type": "tool_result", "tool_use_id": ident, "content": words, **more}


def repaired(*messages: dict) -> tuple[list[dict], tuple[str, ...]]:
    found = A.repair([json.dumps(message).encode() for message in messages])
    return [json.loads(raw) for raw in found.messages], found.sentences


def results(messages: list[dict]) -> list[tuple[str, str]]:
    blocks = [block for message in messages if isinstance(message["content"], list) for block in message["content"]]
    return [(block["tool_use_id"], block["content"]) for block in blocks if block["type"] == "tool_result"]


def broken(messages, dialect: str = "anthropic") -> set[str]:
    body = {"model": "m", wire.get(dialect).field: messages}
    return {violation.rule for violation in rules.check(json.dumps(body).encode(), dialect)} & PAIRING


def test_a1_result_whose_call_is_gone_is_left_out():
    """A half of a pair is never sent."""
    messages, sentences = repaired(user(result("c1"), text()), assistant(), user())
    assert messages[0]["content"] == [text()]
    assert sentences == ("messages[0]: a result for 'c1' answers no call before it, or one that is answered; it is left out",)


def test_a2_call_without_result_gets_an_aborted_one_directly_behind_it():
    """The same one every time, so that the prefix stays when the conversation goes on."""
    first, sentences = repaired(user(), assistant(call("c1")))
    later, _ = repaired(user(), assistant(call("c1")), user("U2"), assistant())
    assert later[: len(first)] == first
    assert first[2]["content"][0]["is_error"] is True
    assert "'c1' (f) has no result" in sentences[0]


def test_a3_a_lost_result_of_a_batch():
    """Of parallel calls the ones that were answered keep their results."""
    messages, _ = repaired(user(), assistant(call("c1"), call("c2"), call("c3")), user(result("c1"), result("c3"), text()))
    assert [ident for ident, _ in results(messages)] == ["c1", "c3", "c2"]
    assert broken(messages) == set()


def test_a5_an_error_closes_a_call():
    """Rejections are results like any other."""
    messages = (user(), assistant(call("c1")), user(result("c1", "rejected", is_error=True)))
    assert repaired(*messages) == (list(messages), ())


def test_a6_server_tools_are_left_alone():
    """What the provider runs itself is paired by the provider."""
    server = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    messages = (user(), assistant(server, found, text()), user())
    assert repaired(*messages) == (list(messages), ())


def test_a9_result_of_a_call_that_compacted_itself_away():
    """The list still ends with the user's turn."""
    messages, sentences = repaired(user(), assistant(), user(result("k1")))
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert messages[2]["content"] == [text(repair.FILLER)]
    assert len(sentences) == 2


def test_a11_ids_that_models_reuse_are_paired_by_occurrence():
    """In a later turn an id may come again; inside one message the later call gets a suffix, its result with it."""
    turns = (user(), assistant(call("x")), user(result("x", "a")), assistant(call("x")), user(result("x", "b")))
    assert repaired(*turns) == (list(turns), ())
    messages, sentences = repaired(user(), assistant(call("x"), call("x")), user(result("x", "a"), result("x", "b")))
    assert [block["id"] for block in messages[1]["content"]] == ["x", "x-2"]
    assert results(messages) == [("x", "a"), ("x-2", "b")]
    assert "sent as 'x-2'" in sentences[0]


def test_suffix_respects_the_limit_and_ids_that_are_taken():
    """At most 64 characters, and never another call's id."""
    long = "x" * 64
    assert repair.pair([long, long, "y", "y", "y-2"], []).ids == (long, "x" * 62 + "-2", "y", "y-3", "y-2")


def test_a13_late_duplicate_is_left_out():
    """A result that comes twice is sent once."""
    messages, sentences = repaired(user(), assistant(call("c1")), user(result("c1")), user(), user(result("c1", "again")))
    assert results(messages) == [("c1", "out")]
    assert len(sentences) == 1


def test_results_are_sent_directly_behind_their_calls():
    """Text or a system message that stands between comes after them."""
    messages, sentences = repaired(
        user(), assistant(call("c1")), {"role": "system", "content": "s"}, user(text(), result("c1"))
    )
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "system"]
    assert [block["type"] for block in messages[2]["content"]] == ["tool_result", "text"]
    assert "directly behind" in sentences[0]


def test_empty_texts_and_messages_are_left_out():
    """What providers refuse as empty goes; a whole list of it becomes one short message."""
    messages, _ = repaired(user(text(" "), text("a")), assistant(text("")), user())
    assert messages == [user(text("a")), user()]
    assert repaired(user(text("")))[0] == [user(text(repair.FILLER))]


def test_untouched_messages_keep_their_bytes():
    """Repairing one message rewrites no other."""
    raws = [
        b'{"role": "user",  "content":"\\u00e9"}',
        json.dumps(assistant(call("c1"))).encode(),
        b'{ "role":"user","content":"x"}',
    ]
    found = A.repair(raws)
    assert [found.messages[0], found.messages[1], found.messages[3]] == raws


def test_chat_lists_are_repaired_alike():
    """Aborted, orphaned, reused and displaced results of Chat Completions."""
    calls = [{"id": ident, "type": "function", "function": {"name": "f", "arguments": "{}"}} for ident in ("x", "x", "y")]
    tools = [{"role": "tool", "tool_call_id": ident, "content": words} for ident, words in (("x", "a"), ("z", "?"), ("x", "b"))]
    asks = {"role": "user", "content": "hi"}
    raws = [json.dumps(message).encode() for message in (asks, {"role": "assistant", "tool_calls": calls}, asks, *tools)]
    found = C.repair(raws)
    messages = [json.loads(raw) for raw in found.messages]
    assert [call["id"] for call in messages[1]["tool_calls"]] == ["x", "x-2", "y"]
    assert [(message["tool_call_id"], message["content"][:1]) for message in messages[2:5]] == [
        ("x", "a"),
        ("x-2", "b"),
        ("y", "T"),
    ]
    assert messages[5] == asks
    assert broken(messages, "openai-chat") == set()
    assert len(found.sentences) == 4


def test_chat_result_without_any_id_stays():
    """It is the client's own; nothing says which call it answers."""
    raws = [b'{"role":"user","content":"x"}', b'{"role":"tool","content":"x"}']
    assert C.repair(raws).messages == tuple(raws)


ids = st.sampled_from(["a", "b", "a-2", "é" * 64])
blocks = st.one_of(ids.map(call), ids.map(result), st.sampled_from([text(), text(""), text(" ")]))
anthropic_messages = st.lists(
    st.one_of(
        st.lists(blocks.filter(lambda block: block["type"] != "tool_result"), max_size=4).map(
            lambda b: {"role": "assistant", "content": b}
        ),
        st.lists(blocks.filter(lambda block: block["type"] != "tool_use"), max_size=4).map(
            lambda b: {"role": "user", "content": b}
        ),
        st.just({"role": "system", "content": "s"}),
        st.sampled_from(["", "hi"]).map(lambda words: {"role": "user", "content": words}),
    ),
    max_size=8,
)
chat_calls = st.lists(
    ids.map(lambda ident: {"id": ident, "function": {"name": "f", "arguments": "{}"}}), min_size=1, max_size=3
)
chat_messages = st.lists(
    st.one_of(
        chat_calls.map(lambda calls: {"role": "assistant", "content": None, "tool_calls": calls}),
        ids.map(lambda ident: {"role": "tool", "tool_call_id": ident, "content": "x"}),
        st.sampled_from(["user", "assistant", "system"]).map(lambda role: {"role": role, "content": "hi"}),
    ),
    max_size=8,
)


items = st.lists(
    st.one_of(
        ids.map(lambda ident: {"type": "function_call", "call_id": ident, "name": "f", "arguments": "{}"}),
        ids.map(lambda ident: {"type": "function_call_output", "call_id": ident, "output": "x"}),
        st.sampled_from(["user", "assistant", "developer"]).map(lambda role: {"role": role, "content": "hi"}),
    ),
    max_size=8,
)


@pytest.mark.parametrize(
    ("name", "lists"), [("anthropic", anthropic_messages), ("openai-chat", chat_messages), ("openai-responses", items)]
)
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_repaired_lists_keep_the_pairing_rules(name, lists, data):
    """Arbitrary, parallel, dangling, orphaned and reused ids come out valid, and a second repair changes nothing."""
    dialect = wire.get(name)
    messages = data.draw(lists)
    raws = [json.dumps(message).encode() for message in messages]
    found = dialect.repair(raws)
    assert broken([json.loads(raw) for raw in found.messages], name) == set()
    assert dialect.repair(found.messages) == repair.Repaired(found.messages)
    if not broken(messages, name):
        assert found.messages == tuple(raws)


def test_a_system_message_keeps_a_user_message_before_it():
    """Where the message a system message stood behind is left out, a short one takes its place (A17)."""
    answer = {"role": "assistant", "content": "fine"}
    orphan = {"role": "user", "content": [result("gone")]}
    system = {"role": "system", "content": "Be brief."}
    found = wire.get("anthropic").repair([json.dumps(m).encode() for m in (answer, orphan, system)])
    assert [json.loads(raw)["role"] for raw in found.messages] == ["assistant", "user", "system"]
    assert any("short user message" in sentence for sentence in found.sentences)
