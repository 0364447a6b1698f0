"""What is told of a cut that is made while the provider's cache holds nothing of the view."""

from tests_support import World, code

from pumice.domain.decision import Cause


async def test_a_cut_after_a_pause_has_paid_for_itself_at_once(world: World) -> None:
    """The cache entry has run out, so all of the next request is written whatever it is."""
    agent = world.agent(window=60_000).says("Read the modules one by one.")
    for at in range(40):
        agent.runs(f"c{at}", code(f"mod{at}", 40), tool="Read", file_path=f"src/mod{at}.py")
        await agent.call()
    world.now += 3600
    view = await agent.runs("last", code("last", 40)).call()
    assert view.cause is Cause.COLD
    assert view.manifest.economics.break_even_calls == 0
