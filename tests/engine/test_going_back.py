"""A conversation that goes back into something it has said before, and on from there."""

import pytest
from tests_support import Agent, World, code


def talk(world: World) -> Agent:
    return world.agent(window=200_000).says("Look at the modules.")


async def worked(agent: Agent, steps: int, name: str) -> None:
    """Each step a call; the results are large enough to be excerpted as they arrive."""
    for at in range(steps):
        agent.runs(f"{name}{at}", code(f"{name}{at}", 400))
        await agent.call()


@pytest.mark.parametrize("back", [0, 1, 2])
@pytest.mark.parametrize("is_restarted", [False, True])
async def test_a_branch_that_is_taken_up_again_keeps_its_bytes(world: World, back: int, is_restarted: bool) -> None:
    """To its end or into its middle: what the upstream has seen of it is sent as it was, excerpts and their names too."""
    agent = talk(world)
    await worked(agent, 9, "a")
    first = list(agent.messages)
    sent = (await agent.call()).body["messages"]
    agent.messages = first[: 1 + 2 * 3]
    await worked(agent, 2, "b")
    if is_restarted:
        agent = talk(world)
    agent.messages = first[: len(first) - 2 * back]
    kept = len(agent.messages)
    view = await agent.says("And now something else.").call()
    assert view.body["messages"][:kept] == sent[:kept]
    assert view.epoch == 0


async def test_the_nearest_of_several_branches_is_gone_on_from(world: World) -> None:
    """Of two that share its beginning the one that shares more."""
    agent = talk(world)
    await worked(agent, 8, "a")
    long = list(agent.messages)
    sent = (await agent.call()).body["messages"]
    for at, name in ((2, "b"), (4, "c"), (1, "d")):
        agent.messages = long[: 1 + 2 * at]
        await worked(agent, 2, name)
    agent.messages = long[:13]
    view = await agent.says("On from the sixth.").call()
    assert view.body["messages"][:13] == sent[:13]


async def test_a_request_that_only_begins_alike_takes_no_branch_over(world: World) -> None:
    """Another conversation of the same name has said no more than the first words: the one before goes on where it was."""
    agent = talk(world)
    await worked(agent, 7, "a")
    long = list(agent.messages)
    sent = (await agent.call()).body["messages"]
    agent.messages = long[:1]
    await agent.call()
    agent.messages = long[:11]
    view = await agent.says("On from the fifth.").call()
    assert view.body["messages"][:11] == sent[:11]
