"""What a client changes in what it has sent before: branches, names, forms, and what is only injected."""

import json
from typing import Any

from tests_support import code, words

from pumice.domain.decision import Cause

LOG = "\n".join(f"[{at}] compiled unit_{at * 7} in {at % 13} ms" for at in range(900))


def ids(view: Any) -> list[str]:
    return [row.id for row in view.manifest.rows if row.id.startswith("b")]


def tagged(tag: str, words_typed: str) -> dict[str, Any]:
    blocks = [f"<system-reminder>\n{tag}\n</system-reminder>", words_typed]
    return {"role": "user", "content": [{"type": "text", "text": text} for text in blocks]}


async def test_blocks_behind_an_edit_keep_names_and_forms(world: Any) -> None:
    """An excerpt chosen at first sight is sent again byte for byte on the branch an edit opens, under the same name."""
    agent = world.agent(window=60_000).says("build")
    await agent.call()
    first = await agent.runs("c1", "one").runs("c2", LOG).call()
    assert "<pumice:excerpt" in words(first.body)
    agent.messages[0] = {"role": "user", "content": "build it well"}
    agent.session.tree.current["main"].calibration = agent.session.tree.current["main"].calibration.grown(20_000, 10_000)
    second = await agent.call()
    assert second.cause == Cause.CLIENT_EDIT
    assert second.body["messages"][1:] == first.body["messages"][1:]
    assert ids(second)[1:] == ids(first)[1:]
    restarted = world.agent(window=60_000)
    restarted.messages = agent.messages
    assert (await restarted.call()).raw == second.raw


async def test_what_came_again_is_not_excerpted_for_the_first_time(world: Any) -> None:
    """A result that was whole in view stays whole behind an edit, whatever the counter has learnt since."""
    agent = world.agent(window=60_000).says("read")
    await agent.call()
    first = await agent.runs("c1", code("part", 45)).call()
    agent.messages[0] = {"role": "user", "content": "read it"}
    lane = agent.session.tree.current["main"]
    lane.calibration = lane.calibration.grown(30_000, 12_000)
    second = await agent.call()
    assert second.body["messages"][1:] == first.body["messages"][1:]


async def test_changed_injections_of_the_newest_prompt_are_said_and_counted(world: Any) -> None:
    """The same words with other tags around them: same name, the new bytes sent and counted, reported as volatile."""
    agent = world.agent()
    agent.messages = [tagged("The date is Monday.", "fix it")]
    first = await agent.call()
    agent.messages = [tagged("The date is Tuesday. " * 300, "fix it")]
    second = await agent.call()
    assert second.cause == Cause.CLIENT_EDIT
    assert words(second.body) == words(agent.body())
    assert second.tokens.total > first.tokens.total + 1000
    assert ids(second)[1] == ids(first)[1]
    assert any("injects" in note for note in second.manifest.repairs)
    again = await agent.call()
    assert (again.lane, again.epoch) == (second.lane, second.epoch)


async def test_an_edited_first_prompt_is_an_edit_however_long_its_reminder(world: Any) -> None:
    """Another first prompt under a long reminder starts over: rules of the abandoned one do not carry over."""
    reminder = "Codebase rules. " * 60
    agent = world.agent()
    agent.messages = [tagged(reminder, "Fix it. Never touch migrations/.")]
    agent.runs("c1", "x")
    await agent.call()
    agent.messages = [tagged(reminder + "It is Tuesday.", "Write docs.")]
    view = await agent.call()
    assert view.cause == Cause.CLIENT_EDIT
    assert "migrations" not in words(view.body)


async def test_a_client_compaction_keeps_the_system_message_of_a_chat(world: Any) -> None:
    """The system message in front stands in the view after the client's own compaction too (B-E2)."""
    session = world.engine().session("chat", window=30_000)
    system = {"role": "system", "content": "You are exact."}
    summary = "This session is being continued from a previous conversation. " + "It went well. " * 60
    for messages in ([system, {"role": "user", "content": "go"}], [system, {"role": "user", "content": summary}]):
        body = json.dumps({"model": "gpt-4o", "messages": messages}).encode()
        view = await session.compile(body, dialect="openai-chat")
        assert json.loads(view.raw)["messages"][0] == system
        assert (await session.compile(body, dialect="openai-chat")).lane == view.lane
    assert view.cause == Cause.CLIENT_COMPACT


async def test_the_system_message_of_a_chat_is_never_cut(world: Any) -> None:
    """In chats the head is a message: it stands first in every view, counts as head, and the preface follows it (B-E2)."""
    for policy in ("balanced", "newest"):
        session = world.engine().session(policy, window=9000, policy=policy)
        system = [{"role": "system", "content": "You are exact. " * 40}, {"role": "developer", "content": "Be brief."}]
        messages: list[dict[str, Any]] = [*system, {"role": "user", "content": "go"}]
        for at in range(20):
            function = {"name": "Read", "arguments": json.dumps({"file_path": f"src/p{at}.py"})}
            call = {"id": f"c{at}", "type": "function", "function": function}
            messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
            messages.append({"role": "tool", "tool_call_id": f"c{at}", "content": code(f"p{at}", 40)})
            view = await session.compile({"model": "gpt-4o", "messages": messages}, dialect="openai-chat")
            assert view.body["messages"][:2] == system
            assert view.tokens.head > 120
        assert view.epoch > 0
        rows = {row.id: row for row in view.manifest.rows}
        assert (rows["b1"].partition, rows["b1"].outcome) == ("system", "keep")
