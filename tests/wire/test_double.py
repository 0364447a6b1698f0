"""The provider double: answers like a provider, refuses what the rules refuse, and remembers what it cached and signed."""

import json

import pytest

from pumice import wire
from pumice.measure.window import learn_limit
from pumice.wire import sse
from pumice.wire.double import Double, Say, Use

LONG = "The quick brown fox jumps over the lazy dog. " * 600
MARK = {"cache_control": {"type": "ephemeral"}}
SCRIPT = [Say("I look 你好", (Use("Read", {"path": "/a", "n": 1}), Use("Grep"))), Say("done")]
BINDS = "claude-fable-5-2"


def user(words: str) -> dict:
    return {"role": "user", "content": words}


MODELS = {"anthropic": "claude-opus-4-5", "gemini": "gemini-3-pro"}


def ask(double: Double, messages: list[dict], dialect: str = "anthropic", *, at: float = 0.0, **fields):
    model = MODELS.get(dialect, "gpt-5")
    if dialect == "gemini":
        body = json.dumps({"contents": messages}).encode()
        return double.answer(body, dialect, at=at, model=model, is_stream=fields.get("stream", False))
    body = {"model": model, "max_tokens": 99, **fields, wire.get(dialect).field: messages}
    return double.answer(json.dumps(body).encode(), dialect, at=at)


@pytest.mark.parametrize("dialect", list(wire.dialects))
def test_plain_and_streamed_answers_say_the_same(dialect):
    """One script in both forms: texts, calls, ids, usage and stop reason are equal."""
    reader = wire.get(dialect)
    said = [json.loads(reader.user("hi"))]
    plain = ask(Double(SCRIPT), said, dialect)
    streamed = ask(Double(SCRIPT), said, dialect, stream=True, stream_options={"include_usage": True})
    whole, read = reader.read_response(plain.body), sse.read(streamed.chunks(7), reader.stream())
    assert (plain.status, streamed.status, streamed.is_stream) == (200, 200, True)
    assert [(b.text, b.tool, b.call_id) for b in read.blocks] == [(b.text, b.tool, b.call_id) for b in whole.blocks]
    assert [block.text for block in whole.blocks] == ["I look 你好", "/a\n1", ""]
    assert (whole.usage, whole.stop, whole.id) == (read.usage, read.stop, read.id)


def test_a_step_may_look_at_the_request_before_it_speaks():
    """A function says a step, and whatever is beyond the script; what was refused is said with its reason."""
    double = Double([lambda request: Say(f"{len(request.messages)} so far")], beyond=lambda request: Say(request.model))
    reader = wire.get("anthropic")
    said = [reader.read_response(ask(double, [user("hi")]).body).blocks[0].text for _ in range(3)]
    assert said == ["1 so far", MODELS["anthropic"], MODELS["anthropic"]]
    assert ask(double, []).status == 400
    assert [violation.path for violation in double.refused] == ["messages"]


@pytest.mark.parametrize("dialect", list(wire.dialects))
def test_a_loop_of_calls_and_results_goes_through(dialect):
    """What the double answers can be sent back to it."""
    double = Double(SCRIPT)
    reader = wire.get(dialect)
    said = json.loads(reader.user("hi"))
    first = reader.read_response(ask(double, [said], dialect).body).messages[0]
    results = [json.loads(reader.aborted(block)) for block in first.blocks if block.call_id]
    reply = ask(double, [said, json.loads(first.raw), *results], dialect)
    assert reply.status == 200
    assert reader.read_response(reply.body).blocks[0].text == "done"
    assert (double.answered, len(double.requests)) == (2, 2)


def test_what_the_rules_refuse_is_refused_in_the_providers_shape():
    """400 with the rule's id, without using up the script."""
    double = Double(SCRIPT)
    reply = ask(
        double, [user("hi"), {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]}]
    )
    error = json.loads(reply.body)
    assert (reply.status, error["type"], error["error"]["type"]) == (400, "error", "invalid_request_error")
    assert error["error"]["message"].startswith("messages.1.content.0: ")
    assert "(A4)" in error["error"]["message"]
    chat = json.loads(ask(double, [{"role": "tool", "tool_call_id": "c", "content": "x"}], "openai-chat").body)
    assert (chat["error"]["type"], chat["error"]["param"]) == ("invalid_request_error", "messages[0]")
    assert double.answered == 0


def test_too_long_a_prompt_names_the_limit():
    """In words that clients, and our own reader of such errors, understand."""
    reply = ask(Double(SCRIPT), [user("word " * 170_000)])
    words = json.loads(reply.body)["error"]["message"]
    assert words.startswith("prompt is too long: ")
    assert learn_limit(words) == 200_000
    chat = json.loads(ask(Double(SCRIPT), [user("word " * 420_000)], "openai-chat").body)["error"]
    assert chat["code"] == "context_length_exceeded"
    assert learn_limit(chat["message"])


def test_cache_is_read_where_the_prefix_stays_and_while_it_lives():
    """Written at the marker, read by the next call, lost with the prefix and after its time."""
    marked = [{"role": "user", "content": [{"type": "text", "text": LONG, **MARK}]}]
    double = Double([])

    def usage(messages: list[dict], at: float) -> tuple[int, int]:
        found = json.loads(ask(double, messages, at=at).body)["usage"]
        return found["cache_creation_input_tokens"], found["cache_read_input_tokens"]

    written, read = usage(marked, 0.0)
    assert written > 4096
    assert read == 0
    again = [
        *marked,
        {"role": "assistant", "content": "ok"},
        {"role": "user", "content": [{"type": "text", "text": "b", **MARK}]},
    ]
    assert usage(again, 10.0)[1] == written
    assert usage([user("other"), *again], 20.0)[1] == 0
    assert usage(again, 9_999.0)[1] == 0
    assert usage([user(LONG)], 0.0) == (0, 0)


def test_chat_caches_without_markers():
    """`cached_tokens` in steps of the provider, inside `prompt_tokens`."""
    double = Double([])
    ask(double, [user(LONG)], "openai-chat")
    usage = json.loads(ask(double, [user(LONG), {"role": "assistant", "content": "ok"}, user("b")], "openai-chat").body)[
        "usage"
    ]
    assert 0 < usage["prompt_tokens_details"]["cached_tokens"] < usage["prompt_tokens"]


def talk(double: Double, model: str) -> list[dict]:
    messages = [user("one")]
    for words in ("two", "three"):
        content = json.loads(ask(double, messages, model=model).body)["content"]
        messages += [{"role": "assistant", "content": content}, user(words)]
    return messages


THINKS = [Say("a", thinking="hm"), Say("b", thinking="so"), Say("c"), Say("d")]


def test_reasoning_is_bound_to_its_prefix_on_models_that_bind():
    """An echo passes; an edit before signed reasoning is refused; stripping it, or drop_block, is the way out."""
    double = Double(THINKS)
    messages = talk(double, BINDS)
    assert [block["type"] for block in messages[1]["content"]] == ["thinking", "text"]
    edited = [user("EDITED"), *messages[1:]]
    refused = ask(double, edited, model=BINDS)
    assert refused.status == 400
    assert "bound to a different conversation" in json.loads(refused.body)["error"]["message"]
    bare = [
        {**m, "content": [b for b in m["content"] if b["type"] != "thinking"]} if m["role"] == "assistant" else m
        for m in edited
    ]
    assert ask(double, bare, model=BINDS).status == 200
    drop = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
    dropped = json.loads(ask(double, edited, model=BINDS, thinking=drop).body)["input_transformations"]
    assert [found["path"] for found in dropped] == ["messages.1.content.0", "messages.3.content.0"]
    assert ask(double, messages, model=BINDS).status == 200
    assert ask(double, messages, model=BINDS, system="new").status == 400


def test_other_models_sign_only_the_words():
    """An earlier edit is fine there; changed reasoning is not."""
    double = Double(THINKS)
    messages = talk(double, "claude-opus-4-5")
    assert ask(double, [user("EDITED"), *messages[1:]]).status == 200
    forged = json.loads(json.dumps(messages))
    forged[1]["content"][0]["thinking"] = "other"
    assert ask(double, forged).status == 400


def test_script_that_is_over_says_so():
    """A test that asks once too often sees it in the answer."""
    assert b"no further step" in ask(Double([]), [user("hi")]).body
