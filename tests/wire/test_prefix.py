"""Prefix stability: where two consecutive requests part, what it costs, and which field is to blame."""

import itertools
import json

import msgspec
import pytest

from pumice.measure import prices
from pumice.wire import prefix

LONG = "The quick brown fox jumps over the lazy dog. " * 40
TOOLS = [{"name": name, "input_schema": {"type": "object", "properties": {"a": {}, "b": {}}}} for name in ("Read", "Edit")]


def user(words: str) -> dict:
    return {"role": "user", "content": words}


def body(*messages: dict, **fields) -> dict:
    return {"model": "claude-opus-4-5", "max_tokens": 9, "system": "s", "tools": TOOLS, **fields, "messages": list(messages)}


def compare(before: dict, after: dict, dialect: str = "anthropic") -> prefix.PrefixReport:
    return prefix.compare(json.dumps(before).encode(), json.dumps(after).encode(), dialect)


def blamed(before: dict, after: dict, dialect: str = "anthropic") -> list[tuple[str, str]]:
    return [(found.path, found.kind) for found in compare(before, after, dialect).volatile]


def test_appending_is_stable():
    """New messages, a moved marker, string or list content and `stream` change no prefix."""
    marked = {"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]}
    report = compare(body(marked, stream=True), body(user("a"), {"role": "assistant", "content": "b"}, user("c")))
    assert report == prefix.PrefixReport(True, None, 0, 0.0, ())


def test_report_has_the_promised_shape():
    """The JSON of DESIGN §5, from the struct itself."""
    report = msgspec.to_builtins(compare(body(user("a")), body(user("b"))))
    assert report.keys() == {"stable", "diverges_at", "invalidated_tokens", "cost_usd", "volatile"}
    assert {"message", "block", "token"} <= report["diverges_at"].keys()


def test_divergence_names_message_block_and_token():
    """What is the same before the first differing character is not lost to the count of tokens before it."""
    parts = [{"type": "text", "text": word} for word in ("one", LONG + "x", "three")]
    other = [parts[0], {"type": "text", "text": LONG + "y"}, parts[2]]
    before, after = ({"role": "user", "content": content} for content in (parts, other))
    report = compare(body(user("a"), before, user("z")), body(user("a"), after, user("z")))
    assert report.diverges_at is not None
    assert (report.diverges_at.message, report.diverges_at.block, report.diverges_at.path) == (1, 1, "messages[1].content[1]")
    assert report.diverges_at.token > 480
    assert report.invalidated_tokens > 480


def test_cost_is_what_resending_costs_above_reading():
    """Known prices: lost tokens × (write − read); an unknown model has no cost."""
    report = compare(body(user(LONG)), body(user("b")))
    known = prices.of("claude-opus-4-5")
    assert report.cost_usd == pytest.approx(report.invalidated_tokens * (known.write - known.read))
    assert report.cost_usd > 0
    assert compare(body(user("a"), model="nobody-1"), body(user("b"), model="nobody-1")).cost_usd is None


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("Now: 2026-11-30T08:38:04Z.", "Now: 2026-11-30T08:39:10Z.", "timestamp"),
        ("It is 8:38 AM", "It is 8:39 AM", "timestamp"),
        ("epoch 1764492000", "epoch 1764492060", "timestamp"),
        ("Today is 2026-11-30.", "Today is 2026-12-01.", "date"),
        ("Today is November 30, 2026", "Today is December 1, 2026", "date"),
        ("今天是2026年11月30日", "今天是2026年12月1日", "date"),
        ("id 123e4567-e89b-12d3-a456-426614174000", "id 00000000-e89b-12d3-a456-426614174000", "uuid"),
        ("at commit 5bebb3b", "at commit 380cbe7", "hash"),
        ("call 12 of many", "call 13 of many", "counter"),
        ("gitStatus: clean\n", "gitStatus: M src/a.py\n", "status"),
        ("You are kind.", "You are strict.", "text"),
    ],
)
def test_volatile_text_of_the_head_is_named(before, after, kind):
    """The field and what kind of content it holds, wherever the dialect keeps its system text."""
    blocks = [{"type": "text", "text": "fixed"}, {"type": "text", "text": before}]
    later = [blocks[0], {"type": "text", "text": after}]
    assert blamed(body(user("a"), system=blocks), body(user("a"), system=later)) == [("system[1].text", kind)]
    assert blamed(body(user("a"), system=before), body(user("a"), system=after)) == [("system", kind)]
    chat = [{"model": "gpt-5", "messages": [{"role": "system", "content": text}, user("a")]} for text in (before, after)]
    assert blamed(*chat, "openai-chat") == [("messages[0].content", kind)]


def test_shuffled_tools_and_keys_are_named():
    """Order counts for a cache: of tools, and of keys inside schemas and arguments."""
    shuffled = compare(body(user("a")), body(user("a"), tools=TOOLS[::-1]))
    assert not shuffled.stable
    assert [(found.path, found.kind) for found in shuffled.volatile] == [("tools", "tool_order")]
    schema = {"type": "object", "properties": {"b": {}, "a": {}}}
    keys = compare(body(user("a")), body(user("a"), tools=[{**TOOLS[0], "input_schema": schema}, TOOLS[1]]))
    assert not keys.stable
    assert [(found.path, found.kind) for found in keys.volatile] == [("tools[0].input_schema.properties", "key_order")]
    calls = [{"type": "tool_use", "id": "t", "name": "Read", "input": value} for value in ({"a": 1, "b": 2}, {"b": 2, "a": 1})]
    bodies = [body(user("a"), {"role": "assistant", "content": [call]}) for call in calls]
    assert blamed(*bodies) == [("messages[1].content[0]", "key_order")]
    assert compare(body(user("a")), body(user("a"), tools=[dict(reversed(tool.items())) for tool in TOOLS])).stable


def test_added_and_changed_tools_are_named():
    """A late tool server costs the whole prefix; a changed description is named by its field."""
    added = compare(body(user(LONG)), body(user(LONG), tools=[*TOOLS, {"name": "New"}]))
    assert (added.stable, added.volatile[0].kind) == (False, "tools")
    assert added.invalidated_tokens > 480
    dated = [[{**TOOLS[0], "description": f"v {day}"}] for day in ("2026-11-30", "2026-12-01")]
    assert blamed(body(user("a"), tools=dated[0]), body(user("a"), tools=dated[1])) == [("tools[0].description", "date")]


def test_model_and_parameters_behind_the_head():
    """Another model shares nothing; a changed tool choice or thinking mode keeps only the head."""
    whole = compare(body(user(LONG)), body(user(LONG), model="claude-opus-4-6"))
    assert whole.diverges_at is not None
    assert (whole.diverges_at.path, whole.diverges_at.token) == ("model", 0)
    partly = compare(body(user(LONG)), body(user(LONG), thinking={"type": "adaptive"}))
    assert partly.diverges_at is not None
    assert partly.diverges_at.path == "thinking"
    assert 0 < partly.invalidated_tokens < whole.invalidated_tokens


def test_clock_in_a_message_is_named_but_a_plain_edit_is_not():
    """An edited message is the client's right; a clock in one is a leak."""
    assert blamed(body(user("at 10:01 do x"), user("b")), body(user("at 10:02 do x"), user("b"))) == [
        ("messages[0].content", "timestamp")
    ]
    assert blamed(body(user("do x"), user("b")), body(user("do y"), user("b"))) == []


def test_a_shorter_request_does_not_extend_a_longer_one():
    """After a client's own compaction the rest of what was cached is of no use."""
    report = compare(body(user("a"), {"role": "assistant", "content": LONG}), body(user("a")))
    assert not report.stable
    assert report.diverges_at is not None
    assert report.diverges_at.message == 1
    assert report.invalidated_tokens > 480


@pytest.mark.recordings
def test_recorded_cache_tests_are_stable(exchanges):
    """Successive recorded requests whose provider reported a cache hit extend each other."""
    found = [item for item in exchanges if "cache_prefix_stable" in item.file or "cache_prefix_is_reused" in item.file]
    pairs = [(a, b) for a, b in itertools.pairwise(found) if a.file == b.file]
    assert pairs
    for before, after in pairs:
        assert prefix.compare(before.request, after.request, before.dialect).stable, before.file
