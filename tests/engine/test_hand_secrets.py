"""What is done by hand keeps to the same promises: secrets stay out of the store, and out of no request."""

from tests_support import World, words

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


async def test_compacting_by_hand_sends_the_head_as_the_client_wrote_it(world: World) -> None:
    """A secret in the system prompt goes out as it came, and the lane goes on, after a restart too."""
    agent = world.agent()
    agent.system = [{"type": "text", "text": f"The token is {TOKEN}."}]
    first = await agent.says("start").call()
    by_hand = await agent.session.compact()
    assert by_hand.body["system"] == agent.system
    again = await agent.call()
    restarted = world.agent()
    await restarted.session.compact()
    restarted.system, restarted.messages = agent.system, agent.messages
    after = await restarted.call()
    assert {first.lane, by_hand.lane, again.lane, after.lane} == {first.lane}


async def test_what_a_caller_writes_by_hand_is_kept_without_secrets(world: World) -> None:
    """A pin, a reason and a focus are redacted like everything else."""
    agent = world.agent()
    await agent.says("start " * 2000).runs("c1", "linked unit " * 3000).call()
    made = await agent.session.pin(f"use {TOKEN} only for reading")
    await agent.session.compact(reason=f"{TOKEN} is new", focus=f"{TOKEN} src/app.py", target=9_000)
    stored = await world.store.ledger.load(agent.session.context.key)
    assert TOKEN not in made.whole
    assert TOKEN not in words(repr(stored))
