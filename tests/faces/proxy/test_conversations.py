"""Conversations, agents and side requests that come in one stream of calls: each finds its own, and none disturbs another."""

import json
from itertools import pairwise
from typing import Any

import pytest
from gated import Gated, chat, step, worked
from tests_support import words

from pumice import wire
from pumice.faces.proxy.gate import Stage
from pumice.faces.proxy.turn import Turn
from pumice.store.home import memory_store
from pumice.wire.double import Double, Say

SUMMARY = "This session is being continued from a previous conversation.\n" + "It went well. " * 60


@pytest.fixture
async def gated() -> Any:
    made = Gated(upstream=Double([Say("ok")] * 300))
    yield made
    await made.close()


def extends(before: Turn, after: Turn, dialect: str = "anthropic") -> bool:
    """Whether the later of two requests has the earlier as its prefix."""
    one, other = ([unit.key for unit in wire.get(dialect).units(made.body)] for made in (before, after))
    return other[: len(one)] == one


def sessions(turns: list[Turn]) -> set[str]:
    return {made.told["x-pumice-session"] for made in turns}


async def test_conversations_that_open_alike_stay_apart(gated: Gated) -> None:
    """Two runs of one agent with the same first prompt, call by call in turn: each keeps its session, epochs and prefix."""
    runs = [worked(chat("Fix the build."), 30, name) for name in ("a", "b")]
    sent: list[list[Turn]] = [[], []]
    for pair in zip(*runs, strict=True):
        for at, body in enumerate(pair):
            sent[at].append(await gated.prepare(body))
    names = [sessions(turns[1:]) for turns in sent]
    assert [len(found) for found in names] == [1, 1]
    assert names[0] != names[1]
    for turns, other in zip(sent, ("def b3_", "def a3_"), strict=True):
        assert int(turns[-1].told["x-pumice-epoch"]) <= 3
        assert all(other not in made.body.decode() for made in turns)
        for before, after in pairwise(turns):
            assert before.told["x-pumice-epoch"] != after.told["x-pumice-epoch"] or extends(before, after)


async def test_a_new_conversation_with_a_known_opening_begins_anew(gated: Gated) -> None:
    """The same first prompt again, later: nothing of the first conversation is in it."""
    for body in worked(chat("Fix the build."), 20, "a"):
        await gated.prepare(body)
    fresh = await gated.prepare(chat("Fix the build."))
    assert fresh.body == json.dumps(chat("Fix the build."), separators=(",", ":")).encode()
    first, second = [await gated.prepare(body) for body in worked(chat("Fix the build."), 2, "b")]
    assert extends(first, second)
    assert "a3" not in second.body.decode()


async def test_a_clock_in_the_system_text_starts_no_new_conversation(gated: Gated) -> None:
    """What is volatile in the system text is left out of what a conversation is known by."""
    bodies = worked(chat("go", system="Now: 2026-11-30 10:00. Be careful."), 2)
    later = {**bodies[1], "system": [{"type": "text", "text": "Now: 2026-11-30 10:07. Be careful."}]}
    turns = [await gated.prepare(body) for body in (bodies[0], later)]
    assert len(sessions(turns)) == 1


async def test_side_calls_and_sub_agents_leave_the_main_lane_alone(gated: Gated) -> None:
    """A title with the session's own header, a sub-agent with and one without an id of its own: the main prefix holds."""
    mark = {"x_claude_code_session_id": "s1"}
    main: list[Turn] = []
    children: list[Turn] = []
    child = worked(chat("Look for usages.", system="You are a sub-agent."), 12, "c")
    for at, body in enumerate(worked(chat("Fix the build."), 12, "m")):
        main.append(await gated.prepare(body, **mark))
        title = chat("Write a title.", output_config={"format": {"type": "json_schema", "schema": {}}})
        assert (await gated.prepare(title, **mark)).stage is Stage.PASSED
        named = {"x_claude_code_agent_id": "explore"} if at % 2 else {}
        children.append(await gated.prepare(child[at], **mark, **named))
    assert sessions(main + children) == {"claude-code-s1"}
    for before, after in pairwise(main):
        assert before.told["x-pumice-epoch"] != after.told["x-pumice-epoch"] or extends(before, after)
    assert all("Look for usages" not in made.body.decode() for made in main)
    assert all("Fix the build" not in made.body.decode() for made in children)


async def test_an_edit_in_a_named_session_is_a_branch_of_it(gated: Gated) -> None:
    """A client that goes back and asks something else stays in its session."""
    bodies = worked(chat("go"), 6)
    for body in bodies:
        await gated.prepare(body, x_pumice_session="s")
    back = {
        **bodies[2],
        "messages": [*bodies[2]["messages"], {"role": "assistant", "content": "x"}, {"role": "user", "content": "other way"}],
    }
    made = await gated.prepare(back, x_pumice_session="s")
    assert made.told["x-pumice-session"] == "s"
    assert "m5" not in made.body.decode()


@pytest.mark.parametrize("mark", [{"x_claude_code_session_id": "s1"}, {}], ids=["named", "unnamed"])
async def test_a_clients_own_compaction_keeps_the_conversation(gated: Gated, mark: dict[str, str]) -> None:
    """After its summary the client goes on: the same session, and a person's rule stands there again."""
    bodies = worked(chat("Never touch migrations/."), 8)
    for body in bodies:
        before = await gated.prepare(body, **mark)
    kept = bodies[-1]["messages"][-4:]
    handed = {**bodies[-1], "messages": [{"role": "user", "content": SUMMARY}, *kept]}
    after = await gated.prepare(handed, **mark)
    assert sessions([before, after]) == {before.told["x-pumice-session"]}
    assert "Never touch migrations/." in after.body.decode()


async def test_a_summary_the_client_asks_for_is_not_cut(gated: Gated) -> None:
    """Claude Code's order to sum up goes out at the end of the view that stands, with nothing folded for it."""
    bodies = worked(chat("go"), 14)
    for body in bodies:
        before = await gated.prepare(body, x_claude_code_session_id="s1")
    order = "Your task is to create a detailed summary of the conversation so far. Put it into <summary> tags."
    asking = step(bodies[-1], "last", "done")
    asking["messages"][-1]["content"].append({"type": "text", "text": order})
    made = await gated.prepare(asking, x_claude_code_session_id="s1")
    assert made.told["x-pumice-epoch"] == before.told["x-pumice-epoch"]
    assert extends(before, made)


async def test_a_history_the_provider_manages_is_not_cut(gated: Gated) -> None:
    """With clear_tool_uses the client's bytes go through, however long; what it keeps there passes without a ledger (K-E1)."""
    edits = {"context_management": {"edits": [{"type": "clear_tool_uses_20250919"}]}}
    for body in worked(chat("go", **edits), 40)[::8]:
        made = await gated.prepare(body)
        assert (made.stage, made.body) == (Stage.PASSED, made.call.body)
    part = await gated.prepare({"model": "gpt-5", "input": "more", "previous_response_id": "r"}, "openai-responses")
    assert (part.stage, part.view) == (Stage.PASSED, None)


async def test_a_header_switches_the_engine_off_for_a_call(gated: Gated) -> None:
    """The client's bytes go; what was cut before is on record as torn, and the conversation goes on afterwards."""
    bodies = worked(chat("go"), 40)
    for body in bodies[:36]:
        before = await gated.prepare(body)
    off = await gated.prepare(bodies[36], x_pumice="off")
    assert (off.stage, off.body) == (Stage.OFF, off.call.body)
    after = await gated.prepare(bodies[37])
    assert int(after.told["x-pumice-epoch"]) > int(before.told["x-pumice-epoch"])
    assert len(after.body) < len(off.body)
    assert words(json.loads(after.body))


async def test_all_dialects_find_their_conversation(gated: Gated) -> None:
    """A chat of each dialect, three calls: one session each, and every view the next one's prefix."""
    for dialect in ("openai-chat", "openai-responses", "gemini"):
        turns = [await gated.prepare(body, dialect) for body in three(dialect)]
        assert len(sessions(turns)) == 1, dialect
        assert all(extends(before, after, dialect) for before, after in pairwise(turns))


def three(dialect: str) -> list[dict[str, Any]]:
    """The first three calls of a conversation."""
    if dialect == "gemini":
        turns = [{"role": role, "parts": [{"text": f"word {at}"}]} for at, role in enumerate(["user", "model"] * 3)]
        return [{"contents": turns[:count], "systemInstruction": {"parts": [{"text": "Be brief."}]}} for count in (1, 3, 5)]
    said = [{"role": role, "content": f"word {at}"} for at, role in enumerate(["user", "assistant"] * 3)]
    if dialect == "openai-responses":
        return [{"model": "gpt-5", "instructions": "Be brief.", "input": said[:count]} for count in (1, 3, 5)]
    return [{"model": "gpt-5", "messages": [{"role": "system", "content": "Be brief."}, *said[:count]]} for count in (1, 3, 5)]


def cuts(turns: list[Turn]) -> list[int]:
    return [at for at, (before, after) in enumerate(pairwise(turns), 1) if not extends(before, after)]


@pytest.mark.parametrize("restart", [0, 11], ids=["one process", "restarted"])
async def test_two_that_go_on_under_one_name_keep_their_prefixes(restart: int) -> None:
    """A session resumed by two clients at once, or agents without marks of their own: neither is cut for the other's sake."""
    store, mark = memory_store(), {"x_claude_code_session_id": "s"}
    gated, runs = Gated(store, window=20_000), [worked(chat("Fix the build."), 22, name) for name in ("a", "b")]
    views: list[list[Turn]] = [[], []]
    for at in range(22):
        gated = Gated(store, window=20_000) if at == restart else gated
        for run, bodies in enumerate(runs):
            views[run].append(await gated.prepare(bodies[at], **mark))
            assert ("def b3_", "def a3_")[run] not in views[run][-1].body.decode()
    alone = Gated(window=20_000)
    undisturbed = cuts([await alone.prepare(body, **mark) for body in runs[0]])
    assert [len(cuts(turns)) for turns in views] == [len(undisturbed)] * 2
    assert sessions([*views[0], *views[1]]) == {"claude-code-s"}
    assert (await gated.prepare(runs[0][-1], **mark)).body == views[0][-1].body
    for one in (gated, alone):
        await one.close()
