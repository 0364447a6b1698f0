"""What tool definitions cost, which nobody used, whether they stood still, and that the advice does what it says."""

import json
from pathlib import Path
from typing import Any

import pytest
import small_sessions as small
from dieting import Client, deferred, tool
from tests_support import World

from pumice.domain.policy import read
from pumice.evaluate import toolcosts
from pumice.evaluate.toolcosts import SessionTools

NAMES = ("Read", "Edit", "mcp__hub__list", "mcp__hub__merge")
TALK = [small.user("Read."), *small.read(1, "src/a.py", "x = 1"), *small.read(2, "src/b.py", "y = 2"), small.said("fine")]


def measured(tmp_path: Path, *bodies: dict[str, Any], **options: Any) -> SessionTools:
    file = tmp_path / "session.json"
    file.write_text(json.dumps(bodies[0] if len(bodies) == 1 else list(bodies)), "utf-8")
    (found,) = toolcosts.measure(file, **options)
    return found


def body(messages: list[small.Message], tools: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"model": small.MODEL, "max_tokens": 900, "tools": tools, "messages": messages, **more}


def test_each_definition_has_its_tokens_its_calls_and_its_price(tmp_path: Path) -> None:
    """Dearest first; written to the cache once and read from it at every later call."""
    found = measured(tmp_path, body(TALK, [tool(name) for name in NAMES]))
    assert [one.tokens for one in found.tools] == sorted((one.tokens for one in found.tools), reverse=True)
    assert found.tokens == sum(one.tokens for one in found.tools)
    assert {one.tool: one.calls for one in found.tools} == {"Read": 2, "Edit": 0, "mcp__hub__list": 0, "mcp__hub__merge": 0}
    assert (found.calls, found.unused) == (3, 3)
    price = found.tokens * (3.75 + 2 * 0.30) / 1e6
    assert found.usd == pytest.approx(price, rel=1e-3)


async def test_the_advice_defers_just_the_unused(tmp_path: Path) -> None:
    """The printed part of a policy loads as it stands, and a session under it saves what was foretold."""
    found = measured(tmp_path, body(TALK, [tool(name) for name in NAMES]))
    assert found.saving is not None
    policy = read.read({"tools": found.saving.tools, "order": []}, name="advised")
    assert policy.tools is not None
    views = [await Client(World(), NAMES, tools=tools).call() for tools in (None, policy.tools)]
    assert deferred(views[1]) == list(NAMES[1:])
    saved = views[0].tokens.head - views[1].tokens.head
    assert saved == pytest.approx(found.saving.tokens, abs=8)


def test_nothing_is_advised_where_the_search_costs_more(tmp_path: Path) -> None:
    """One small unused tool is not worth a search, and a session that used all has nothing to defer."""
    small_one = {"name": "Rare", "input_schema": {"type": "object"}}
    assert measured(tmp_path, body(TALK, [tool("Read"), small_one])).saving is None
    whole = measured(tmp_path, body(TALK, [tool("Read")]))
    assert (whole.saving, whole.refusal, whole.unused) == (None, "", 0)


def test_where_nothing_can_wait_it_is_said(tmp_path: Path) -> None:
    """An older model, and Chat, have no deferral."""
    old = measured(tmp_path, body(TALK, [tool(name) for name in NAMES], model="claude-sonnet-4"))
    assert (old.saving, "not known to search" in old.refusal) == (None, True)
    assert measured(tmp_path, body(TALK, [tool(name) for name in NAMES]), model="claude-sonnet-4").refusal == old.refusal


def test_definitions_that_move_are_named(tmp_path: Path) -> None:
    """Shuffled, added and changed ones lose the cache; a deferred one that comes late does not."""
    tools = [tool(name) for name in NAMES[:2]]
    late = tool("Late", defer_loading=True)
    changed = [{**tools[0], "description": "Otherwise."}, tools[1], late]
    lists = [tools, tools, tools[::-1], tools, [*tools, late], changed, [*changed, tool("New")]]
    bodies = [body(TALK[: 1 + 2 * min(at, 2)], listed) for at, listed in enumerate(lists)]
    found = measured(tmp_path, *bodies)
    assert found.stable is False
    moves = [(moved.call, moved.kind) for moved in found.moved]
    assert moves == [(3, "tool_order"), (4, "tool_order"), (6, "text"), (7, "tools")]
    assert measured(tmp_path, *bodies[:2]).stable is True


def test_one_body_says_nothing_of_the_order_between_calls(tmp_path: Path) -> None:
    """Unknown is null."""
    assert measured(tmp_path, body(TALK, [tool("Read")])).stable is None


def test_a_recording_without_definitions_says_what_is_unseen(data: Path) -> None:
    """A Claude Code log shows none; its first bill tells that there were some."""
    (found,) = toolcosts.measure(data / "claude-code" / "13-db96e5c261-0.jsonl")
    assert found.tools == ()
    assert found.unseen_head_tokens > 20_000
