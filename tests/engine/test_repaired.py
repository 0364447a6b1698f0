"""What follows a view that had to be repaired."""

from typing import Any

import pytest

from pumice import wire
from pumice.errors import Unprovable


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


async def test_what_no_repair_helps_is_a_typed_error(world: Any) -> None:
    """Where leaving out an answer to no call breaks another rule the call is refused in words, and the session goes on."""
    agent = world.agent().says("go")
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    orphan = {"type": "tool_result", "tool_use_id": "c1", "content": "a.py"}
    agent.messages.append({"role": "assistant", "content": [search]})
    agent.messages.append({"role": "user", "content": [orphan]})
    agent.answers("hello").says("and now?")
    with pytest.raises(Unprovable, match="no valid request can be made") as found:
        await agent.call()
    assert found.value.rules == ("A14",)
    assert "pumice validate" in found.value.hint
    agent.messages[1:4] = []
    assert wire.rules.check((await agent.call()).raw, "anthropic") == ()
