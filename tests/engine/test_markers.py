"""Cache markers are transport: a view carries those of the current request, never those of an older one."""

import copy
from typing import Any

import pytest
from tests_support import Agent, World

LOG = "\n".join(f"[{at}] compiled unit_{at * 7} in {at % 13} ms" for at in range(900))
MARKER = {"type": "ephemeral"}


def mark_last(messages: list[dict[str, Any]]) -> None:
    """One marker, on the newest block: how clients do it at every call."""
    for message in messages:
        if isinstance(message["content"], str):
            message["content"] = [{"type": "text", "text": message["content"]}]
        for block in message["content"]:
            block.pop("cache_control", None)
    messages[-1]["content"][-1]["cache_control"] = MARKER


def marked(body: Any) -> list[int]:
    """Messages that carry a marker."""
    return [
        at
        for at, message in enumerate(body["messages"])
        if any("cache_control" in block for block in message["content"] if isinstance(block, dict))
    ]


def shorten_results(messages: list[dict[str, Any]]) -> None:
    """What clients do that clear old results themselves."""
    for block in (block for message in messages for block in message["content"]):
        if isinstance(block, dict) and block["type"] == "tool_result":
            block["content"] = "[cleared]"


def keep(messages: list[dict[str, Any]]) -> None:
    """A client that changes nothing of what it has sent."""


async def play(agent: Agent, change: Any, *, own: bool) -> None:
    """Ten calls with large results; the client goes on from its own history or from the views it got."""
    for at in range(10):
        mark_last(agent.messages)
        view = await agent.call()
        assert marked(view.body) == [len(view.body["messages"]) - 1]
        assert await agent.session.rebuild(view.call) == view.raw
        agent.messages = copy.deepcopy(agent.messages if own else view.body["messages"])
        change(agent.messages)
        agent.runs(f"c{at}", LOG)


@pytest.mark.parametrize("change", [keep, shorten_results])
async def test_markers_of_excerpted_results_do_not_add_up(world: World, change: Any) -> None:
    """A marker that moves on leaves the excerpt, and the placeholder, it stood on: five in a request are refused (K-A22)."""
    await play(world.agent(window=60_000).says("build"), change, own=True)


async def test_markers_do_not_add_up_when_a_client_goes_on_from_views(world: World) -> None:
    """The same for a client that keeps the compiled body as its history."""
    await play(world.agent(window=60_000).says("build"), keep, own=False)
