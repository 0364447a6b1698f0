"""What follows a view that had to be repaired."""

from typing import Any

from pumice import wire


async def test_a_conversation_goes_on_after_a_repaired_end(world: Any) -> None:
    """A view may end with an answer of ours to a call without one; the next request still goes on from the client's own."""
    agent = world.agent(policy="none").says("go")
    call = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "ls"}}
    agent.messages.append({"role": "assistant", "content": [call]})
    repaired = await agent.call()
    assert len(repaired.body["messages"]) == len(agent.messages) + 1
    agent.messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "a.py"}]})
    view = await agent.call()
    assert view.body == agent.body()
    assert wire.rules.check(view.raw, "anthropic") == ()
