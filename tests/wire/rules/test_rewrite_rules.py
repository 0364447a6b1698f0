"""What an edit may do to reasoning: A29, A30, A35, A36, A41 and the way out, A37."""

import json

import pytest

from pumice import wire
from pumice.wire import rules

BINDS = "claude-fable-5-1"
FREE = "claude-opus-4-8"
DROP = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}


def thinking(words: str) -> dict:
    return {"type": "thinking", "thinking": words, "signature": f"signed {words}"}


def said(*blocks: dict) -> dict:
    return {"role": "assistant", "content": list(blocks)}


def user(words: str) -> dict:
    return {"role": "user", "content": words}


def text(words: str) -> dict:
    return {"type": "text", "text": words}


def call(ident: str) -> dict:
    return {"type": "tool_use", "id": ident, "name": "f", "input": {}}


def result(ident: str, words: str = "out") -> dict:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": ident, "content": words}]}


FIRST, SECOND, THIRD = (said(thinking(word), text(word)) for word in ("one", "two", "three"))
TALK = [user("a"), FIRST, user("b"), SECOND, user("c"), THIRD, user("d")]
LOOP = [user("a"), said(thinking("1"), call("t1")), result("t1"), said(thinking("2"), call("t2")), result("t2")]


def bare(message: dict) -> dict:
    return {**message, "content": [block for block in message["content"] if block["type"] != "thinking"]}


def broken(before: list[dict], after: list[dict], model: str = BINDS, *, head: dict | None = None, **fields) -> set[str]:
    old, new = (
        wire.get("anthropic").open(json.dumps({"model": model, "messages": messages, **more}).encode())
        for messages, more in ((before, head or {}), (after, {**(head or {}), **fields}))
    )
    return {violation.rule for violation in rules.check_rewrite(old, new)}


@pytest.mark.parametrize("model", [BINDS, FREE])
def test_growing_and_stripping_everything_behind_an_edit_are_safe(model):
    """Appending changes no prefix; an edit with all later reasoning removed leaves none to be wrong."""
    assert broken(TALK[:5], TALK, model) == set()
    stripped = [user("EDITED"), bare(FIRST), user("b"), bare(SECOND), user("c"), bare(THIRD), user("d")]
    assert broken(TALK, stripped, model) == set()


def test_reasoning_behind_an_edit_is_bound_to_the_old_prefix():
    """A35: only on models that sign over the prefix, by a floor of versions, however the name is spelled."""
    edited = [user("EDITED"), *TALK[1:]]
    for model in (
        BINDS,
        "anthropic/claude-opus-5.5",
        "claude-sonnet-5-5@20261001",
        "claude-haiku-5-5-20261001[1m]",
        "claude-x-7",
    ):
        assert broken(TALK, edited, model) == {"A35"}, model
    for model in (FREE, "claude-opus-5", "claude-opus-4-20250514", "claude-sonnet-5"):
        assert broken(TALK, edited, model) == set(), model


def test_a_removed_block_in_the_middle_leaves_a_hole():
    """A36: reasoning may go from some point on, not from between."""
    holed = [user("a"), FIRST, user("b"), bare(SECOND), *TALK[4:]]
    assert broken(TALK, holed) == {"A36"}
    assert broken(TALK, holed, FREE) == set()
    assert broken(TALK, [user("a"), FIRST, user("b"), bare(SECOND), user("c"), bare(THIRD), user("d")]) == set()


def test_drop_block_lets_the_provider_drop():
    """A37 lifts the binding for this request."""
    assert broken(TALK, [user("EDITED"), *TALK[1:]], thinking=DROP) == set()


def test_head_is_part_of_the_prefix():
    """A changed system text or tool breaks the binding; a marker or a deferred tool does not."""
    head = {"system": "s", "tools": [{"name": "f"}]}
    assert broken(TALK, TALK, head=head, system="t") == {"A35"}
    assert broken(TALK, TALK, head=head, tools=[{"name": "f"}, {"name": "g"}]) == {"A35"}
    assert broken(TALK, TALK, head=head, tools=[{"name": "f"}, {"name": "g", "defer_loading": True}]) == set()
    assert broken(TALK, TALK, head=head, system=[{**text("s"), "cache_control": {"type": "ephemeral"}}]) == set()


@pytest.mark.parametrize("model", [BINDS, FREE])
def test_latest_message_keeps_its_reasoning(model):
    """A29: the run of reasoning is complete, in order and unchanged, empty texts with a signature included."""
    empty = said(thinking(""), thinking("x"), call("t1"))
    before = [user("a"), empty, result("t1")]
    assert broken(before, before, model) == set()
    for blocks in ([thinking("x"), call("t1")], [thinking("x"), thinking(""), call("t1")], [call("t1")]):
        assert "A29" in broken(before, [user("a"), said(*blocks), result("t1")], model)


def test_reasoning_of_a_running_turn_is_untouchable():
    """A30: in a tool loop earlier reasoning stays too, until the turn is over; a whole folded step is no edit of it."""
    stripped = [LOOP[0], bare(LOOP[1]), *LOOP[2:]]
    assert "A30" in broken(LOOP, stripped, FREE)
    assert broken([*LOOP, said(text("done")), user("b")], [*stripped, said(text("done")), user("b")], FREE) == set()
    assert broken(LOOP, [LOOP[0], *LOOP[3:]], FREE) == set()
    assert broken(LOOP, stripped, thinking=DROP) == set()


def test_a_new_answer_under_a_call_id_used_before_is_no_rewrite():
    """A client that counts its calls from one again in each turn has taken nothing away from the earlier answer."""
    talk = [user("a"), said(thinking("one"), call("c1")), result("c1"), user("b")]
    assert broken(talk, [*talk, said(call("c0"), call("c1"))]) == set()


def test_shortened_results_do_not_touch_reasoning_on_models_that_do_not_bind():
    """An edit of an old result is legal there; binding models refuse what stands behind it."""
    shorter = [LOOP[0], LOOP[1], result("t1", "short"), *LOOP[3:]]
    assert broken(LOOP, shorter, FREE) == set()
    assert broken(LOOP, shorter) == {"A35"}


def test_fallback_blocks_stay_where_they_were():
    """A41: they delimit runs of reasoning."""
    before = [user("a"), said({"type": "fallback", "from": "x", "to": "y"}, text("one")), user("b")]
    assert broken(before, [user("a"), said(text("one")), user("b")], FREE) == {"A41"}
    assert broken(before, before, FREE) == set()


def test_chat_has_no_reasoning_to_bind():
    """The check is silent for dialects whose messages hold no reasoning."""
    request = wire.get("openai-chat").open(b'{"model":"gpt-5","messages":[]}')
    assert rules.check_rewrite(request, request) == ()
