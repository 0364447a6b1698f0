"""A pin of a scope stands for callers within it; for others its drop is on record."""

import pytest
from tests_support import Agent, World, words

from pumice.errors import InvalidInput

SCOPE = "tenant:acme/user:u1"
WORDS = "Order A-77-19 may be cancelled until noon."


async def opened(world: World, scope: str, messages: list) -> Agent:
    agent = Agent(world.engine().session("s", scope=scope, policy="balanced", window=30_000))
    agent.messages = messages
    return agent


async def test_a_pin_holds_within_its_scope_and_its_drop_is_on_record_elsewhere(world: World) -> None:
    """The same session asked for in another task does not show it, and the manifest says why."""
    agent = await opened(world, f"{SCOPE}/task:t1", [])
    await agent.says("Help the customer.").call()
    pin = await agent.session.pin(WORDS, scope=f"{SCOPE}/task:t1")
    await agent.session.pin("Always greet.", scope="user:u1")
    agent.answers("ok " * 2000).says("go on").answers("yes " * 2000).says("more")
    view = await agent.session.compact()
    view = await agent.call()
    assert WORDS in words(view.body) and "Always greet." in words(view.body)
    assert not any(row.id.startswith("pin:") for row in view.manifest.rows)

    other = await opened(world, f"{SCOPE}/task:t2", agent.messages)
    other.answers("sure " * 3000).says("and on")
    await other.call()
    await other.session.compact()
    view = await other.call()
    assert WORDS not in words(view.body) and "Always greet." in words(view.body)
    [row] = [row for row in view.manifest.rows if row.id == f"pin:{pin.id}"]
    assert (row.outcome, row.reason) == ("drop", f"of scope {SCOPE}/task:t1, which is not the caller's")


async def test_a_pin_of_another_tenant_is_refused(world: World) -> None:
    """What one tenant pins is never another's."""
    agent = await opened(world, SCOPE, [])
    with pytest.raises(InvalidInput, match="tenant acme"):
        await agent.session.pin(WORDS, scope="tenant:other")
