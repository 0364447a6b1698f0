"""Whatever pairs are shortened or left out, the rewritten conversation is valid."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import wire
from pumice.domain.block import Kind
from pumice.wire import rules

turns = st.lists(st.tuples(st.booleans(), st.integers(0, 3), st.booleans()), min_size=1, max_size=5)
"""Per step: with a text before the calls, how many parallel calls, with an image in the results."""


def anthropic(steps) -> list[dict]:
    messages: list[dict] = [{"role": "user", "content": "go"}]
    for number, (says, calls, shows) in enumerate(steps):
        ids = [f"t{number}-{place}" for place in range(calls)]
        texts = [{"type": "text", "text": "I look"}] if says or not calls else []
        uses = [{"type": "tool_use", "id": ident, "name": "f", "input": {"n": 1}} for ident in ids]
        messages.append({"role": "assistant", "content": [*texts, *uses]})
        image = [{"type": "image", "source": {"type": "url", "url": "u"}}] if shows else []
        content = [{"type": "text", "text": "long " * 9, "cache_control": {"type": "ephemeral"}}, *image]
        results = [{"type": "tool_result", "tool_use_id": ident, "content": content} for ident in ids[-1:]]
        results = [{"type": "tool_result", "tool_use_id": ident, "content": "x"} for ident in ids[:-1]] + results
        messages.append({"role": "user", "content": results or "and?"})
    return messages


def chat(steps) -> list[dict]:
    messages: list[dict] = [{"role": "user", "content": "go"}]
    for number, (says, calls, _) in enumerate(steps):
        ids = [f"t{number}-{place}" for place in range(calls)]
        made = [{"id": ident, "type": "function", "function": {"name": "f", "arguments": "{}"}} for ident in ids]
        messages.append(
            {"role": "assistant", "content": "I look" if says or not calls else None, **({"tool_calls": made} if made else {})}
        )
        messages += [{"role": "tool", "tool_call_id": ident, "content": "long " * 9} for ident in ids]
        messages.append({"role": "user", "content": "and?"})
    return messages


def responses(steps) -> list[dict]:
    items: list[dict] = [{"role": "user", "content": "go"}]
    for number, (says, calls, shows) in enumerate(steps):
        ids = [f"t{number}-{place}" for place in range(calls)]
        if says or not calls:
            items.append({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look"}]})
        items += [{"type": "function_call", "call_id": ident, "name": "f", "arguments": "{}"} for ident in ids]
        image = [{"type": "input_image", "image_url": "data:image/png;base64,aGk="}] if shows else []
        said = [{"type": "input_text", "text": "long " * 9}, *image]
        items += [{"type": "function_call_output", "call_id": ident, "output": said} for ident in ids]
        items.append({"role": "user", "content": "and?"})
    return items


def violations(dialect, messages: list[bytes]) -> tuple:
    request = dialect.open(json.dumps({"model": "m", "max_tokens": 9, dialect.field: []}).encode())
    return rules.check(dialect.close(request, messages), dialect.name)


@pytest.mark.parametrize(("name", "build"), [("anthropic", anthropic), ("openai-chat", chat), ("openai-responses", responses)])
@settings(max_examples=80, deadline=None)
@given(steps=turns, choices=st.lists(st.sampled_from(["keep", "short", "drop"]), min_size=20, max_size=20))
def test_any_subset_of_pairs_may_be_shortened_or_left_out(name, build, steps, choices):
    """A call and its result go together; a shortened result keeps its pair; all else keeps its bytes."""
    dialect = wire.get(name)
    messages = [dialect.read_message(json.dumps(message).encode()) for message in build(steps)]
    ids = sorted({block.call_id for message in messages for block in message.blocks if block.call_id})
    choice = dict(zip(ids, choices, strict=False))
    written = []
    for message in messages:
        forms: dict[int, str | None] = {}
        for place, block in enumerate(message.blocks):
            wanted = choice.get(block.call_id)
            if wanted == "drop":
                forms[place] = None
            elif wanted == "short" and block.kind is Kind.RESULT:
                forms[place] = "⋯"
        raw = dialect.rewrite(message, forms)
        if not forms:
            assert raw == message.raw
        if raw is not None:
            written.append(raw)
            kept = [block for place, block in enumerate(message.blocks) if place not in forms]
            assert all(block.raw in raw for block in kept if "cache_control" not in raw.decode())
    assert [found.rule for found in violations(dialect, written) if found.rule != "A22"] == []
