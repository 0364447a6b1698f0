"""The diet of a lane: untouched where the policy is silent, decided once, the same at every later call."""

import json
from typing import Any

import pytest
from dieting import DEFERRING, SEARCH, Client, deferred, function, loaded, policy, sent, tool, unmarked
from tests_support import World

import pumice
from pumice import wire
from pumice.domain.decision import Cause, Outcome
from pumice.domain.policy import Tools
from pumice.wire import rules

NAMES = ("Read", "Edit", "Bash", "mcp__hub__list", "mcp__hub__merge", "mcp__hub__close")
WAITING = ["Edit", "Bash", "mcp__hub__list", "mcp__hub__merge", "mcp__hub__close"]
MARK = {"cache_control": {"type": "ephemeral"}}


def keys(view: Any) -> list[bytes]:
    return [unit.key for unit in wire.get("anthropic").units(view.raw)]


@pytest.mark.parametrize("tools", [None, Tools()], ids=["silent", "order_only"])
async def test_without_a_word_of_the_policy_nothing_changes(world: World, tools: Tools | None) -> None:
    """The request leaves as the client's own bytes."""
    client = Client(world, NAMES, tools=tools)
    raw = json.dumps(client.body()).encode()
    view = await client.session.compile(raw, dialect="anthropic")
    assert view.raw == raw
    assert client.session.tree.current["main"].diet is None or tools is not None


async def test_unused_tools_wait_behind_a_search(world: World) -> None:
    """All but kept ones are deferred, the provider's search stands last, and each definition is else the client's."""
    client = Client(world, NAMES)
    view = await client.call()
    assert deferred(view) == WAITING
    assert loaded(view) == ["Read", SEARCH["name"]]
    assert sent(view)[-1] == SEARCH
    theirs = [{key: value for key, value in item.items() if key != "defer_loading"} for item in sent(view)[:-1]]
    assert theirs == client.tools
    assert rules.check(view.raw, "anthropic") == ()


async def test_the_head_is_the_same_at_every_later_call(world: World) -> None:
    """Through shuffled tools, use of a deferred one, cuts and a restart the tools are the very same bytes."""
    client = Client(world, NAMES)
    first = sent(await client.call())
    for at in range(30):
        client.uses(NAMES[at % 6], f"c{at}", "word " * 2000)
        client.tools = client.tools[1:] + client.tools[:1]
        if at % 7 == 3:
            client.restart()
        view = await client.call()
        assert sent(view) == first
    assert view.epoch > 0
    assert view.lane == "main"


async def test_past_views_are_rebuilt_byte_for_byte(world: World) -> None:
    """What a call sent of its tools comes back from the ledger, by another process too."""
    client = Client(world, NAMES)
    views = [await client.call()]
    for at in range(4):
        views.append(await client.uses("Bash", f"c{at}").call())
    client.restart()
    for view in views:
        assert await client.session.rebuild(view.call) == view.raw


async def test_tools_that_calls_have_used_stay_loaded(world: World) -> None:
    """A lane that begins with a history defers only what that never used."""
    client = Client(world, NAMES, tools=None)
    await client.uses("Bash", "c1").call()
    client.policy = policy(DEFERRING)
    client.restart()
    client.model = "claude-opus-4-5"
    view = await client.call()
    assert view.cause == Cause.MODEL
    assert "Bash" in loaded(view)
    assert deferred(view) == [name for name in WAITING if name != "Bash"]


async def test_a_lane_under_way_is_left_alone(world: World) -> None:
    """Between the first call of a lane and the next lane no policy changes its head."""
    client = Client(world, NAMES, tools=None)
    before = sent(await client.call())
    client.policy = policy(DEFERRING)
    client.restart()
    assert sent(await client.uses("Read", "c1").call()) == before


async def test_an_adopted_conversation_keeps_its_tools(world: World) -> None:
    """What the provider's cache holds of a conversation first seen in its middle is not thrown away, and it is said."""
    client = Client(world, NAMES).uses("Bash", "c1")
    view = await client.call()
    assert deferred(view) == []
    assert any("first seen" in warning for warning in view.manifest.warnings)


async def test_a_forced_tool_is_loaded(world: World) -> None:
    """A request that wants a deferred tool called gets a prefix that holds it, on record as a change of the head."""
    client = Client(world, NAMES)
    await client.call()
    client.more = {"tool_choice": {"type": "tool", "name": "mcp__hub__merge"}}
    view = await client.uses("Read", "c1").call()
    assert "mcp__hub__merge" in loaded(view)
    assert view.cause == Cause.CLIENT_HEAD
    client.more = {"tool_choice": {"type": "auto"}}
    after = await client.uses("Read", "c2").call()
    assert (after.lane, sent(after)) == (view.lane, sent(view))


async def test_a_late_server_costs_no_cache(world: World) -> None:
    """Tools that come later wait with the rest: for the provider the longer request extends the one before."""
    client = Client(world, NAMES)
    before = await client.call()
    client.tools = [*client.tools, tool("mcp__late__open"), tool("mcp__late__shut")]
    after = await client.uses("Read", "c1").call()
    assert deferred(after) == [*WAITING, "mcp__late__open", "mcp__late__shut"]
    assert keys(after)[: len(keys(before))] == keys(before)
    assert after.cause == Cause.CLIENT_HEAD
    assert client.session.tree.calls[after.call].epoch == 0


async def test_a_rewind_keeps_the_head(world: World) -> None:
    """A branch shares the head its parent has in the cache, whatever was used since."""
    client = Client(world, NAMES)
    before = sent(await client.call())
    client.uses("Bash", "c1")
    await client.call()
    client.messages = [{"role": "user", "content": "another way"}]
    view = await client.call()
    assert view.cause == Cause.CLIENT_EDIT
    assert sent(view) == before


async def test_a_compaction_by_hand_keeps_the_head(world: World) -> None:
    """What is asked for between calls moves the messages, not the tools."""
    client = Client(world, NAMES)
    before = await client.call()
    for at in range(6):
        await client.uses("Read", f"c{at}", f"word{at} " * 1500).call()
    view = await client.session.compact(target=8_000)
    assert view.epoch > before.epoch
    assert sent(view) == sent(before)


def test_the_one_call_form_defers_too() -> None:
    """A conversation that is compacted anyway gets its diet with it; the carry keeps it."""
    client = Client(World(), NAMES)
    for at in range(8):
        client.uses("Bash", f"c{at}", f"word{at} " * 800)
    made = pumice.compact(client.body(), target=9_000, policy=policy())
    found = [item["name"] for item in made.body["tools"] if item.get("defer_loading")]
    assert found == [name for name in WAITING if name != "Bash"]
    client.uses("Read", "more")
    again = pumice.compact(client.body(), target=9_000, policy=policy(), carry=made.carry)
    assert again.body["tools"] == made.body["tools"]


async def test_a_client_that_goes_on_from_the_view_is_understood(world: World) -> None:
    """The compiled tools sent back are the same lane and the same bytes, not a client that defers by itself."""
    client = Client(world, NAMES)
    view = await client.call()
    again = await client.session.compile(view.raw, dialect="anthropic")
    assert (again.lane, again.epoch, again.raw) == (view.lane, view.epoch, view.raw)
    body = json.loads(view.raw)
    body["messages"] = [*body["messages"], {"role": "assistant", "content": "yes"}, {"role": "user", "content": "on"}]
    grown = await client.session.compile(body, dialect="anthropic")
    assert (grown.lane, sent(grown)) == (view.lane, sent(view))


async def test_a_dict_comes_back_with_its_diet(world: World) -> None:
    """A body given as a dict is answered with one that holds the tools as they leave."""
    client = Client(world, NAMES)
    view = await client.session.compile(client.body(), dialect="anthropic")
    assert view.body == json.loads(view.raw)
    assert deferred(view) == WAITING


async def test_markers_stand_on_what_the_provider_caches(world: World) -> None:
    """A marker on a deferred tool moves to the next loaded one: the provider refuses both together."""
    client = Client(world, NAMES)
    client.tools[-1] = {**client.tools[-1], **MARK}
    view = await client.call()
    assert [item["name"] for item in sent(view) if "cache_control" in item] == [SEARCH["name"]]
    client.tools[-1] = tool(NAMES[-1])
    client.tools[0] = {**client.tools[0], **MARK}
    later = await client.uses("Read", "c1").call()
    assert [item["name"] for item in sent(later) if "cache_control" in item] == ["Read"]
    assert unmarked(later) == unmarked(view)
    assert later.lane == view.lane


async def test_what_a_search_has_found_counts(world: World) -> None:
    """Deferred definitions cost nothing until a search loads them, and are counted as long as its result stands."""
    silent = await Client(World(), NAMES, tools=None).call()
    client = Client(world, NAMES)
    before = await client.call()
    assert before.tokens.head < silent.tokens.head - 300
    after = await client.finds("Edit").call()
    rows = {row.id: row for row in after.manifest.rows}
    assert rows["head:tool:Bash"].outcome == Outcome.FOLD
    assert rows["head:tool:Bash"].tokens == 0
    assert rows["head:tool:Edit"].outcome == Outcome.KEEP
    assert rows["head:tool:Edit"].tokens > 50
    assert rows[f"head:tool:{SEARCH['name']}"].outcome == Outcome.PLACED
    assert after.tokens.head - before.tokens.head > 60
    assert rules.check(after.raw, "anthropic") == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"model": "claude-sonnet-4"}, "not known to search tools"),
        ({"model": "glm-5"}, "not known to search tools"),
        ({"tool_choice": {"type": "any"}}, "tool_choice"),
        ({"tools": [*(tool(name) for name in NAMES), tool("Rare", defer_loading=True)]}, "defers tools itself"),
        ({"tools": [*(tool(name) for name in NAMES), tool("Read")]}, "named 'Read'"),
    ],
)
async def test_where_nothing_can_be_deferred_the_manifest_says_why(world: World, change: dict[str, Any], said: str) -> None:
    """The tools leave as they came, with one warning in words."""
    client = Client(world, NAMES)
    raw = json.dumps({**client.body(), **change}).encode()
    view = await client.session.compile(raw, dialect="anthropic")
    assert view.raw == raw
    assert [said in warning for warning in view.manifest.warnings if "defer_unused_over" in warning] == [True]


async def test_chat_has_no_deferral(world: World) -> None:
    """Tools of a dialect without deferral all stay, with a warning, but in one order."""
    session = world.engine().session("chat", policy=policy(), window=60_000)
    body = {"model": "gpt-5", "tools": list(map(function, NAMES)), "messages": [{"role": "user", "content": "go"}]}
    view = await session.compile(json.dumps(body).encode(), dialect="openai-chat")
    assert view.raw == json.dumps(body).encode()
    assert any("openai-chat has no deferral" in warning for warning in view.manifest.warnings)
    shuffled = {**body, "tools": body["tools"][::-1]}
    again = await session.compile(json.dumps(shuffled).encode(), dialect="openai-chat")
    assert (sent(again), again.lane) == (body["tools"], view.lane)


async def test_reasoning_signed_over_the_tools_keeps_them(world: World) -> None:
    """Where a model binds its reasoning to its prefix, a diet that comes late does not break it (K-A35)."""
    client = Client(world, NAMES, tools=None, model="claude-fable-5-1")
    thought = {"type": "thinking", "thinking": "hm", "signature": "s" * 40}
    client.messages += [
        {"role": "assistant", "content": [thought, {"type": "text", "text": "Well."}]},
        {"role": "user", "content": "on"},
    ]
    await client.call()
    client.policy = policy(DEFERRING)
    client.restart()
    client.tools = [*client.tools, tool("Late")]
    view = await client.call()
    assert (view.cause, deferred(view)) == (Cause.CLIENT_HEAD, [])
    assert any("signed over the tools" in warning for warning in view.manifest.warnings)
