"""Models that charge more for every token of a large request: when a session is cut for that, how far, and what it costs."""

from itertools import pairwise

from tests_support import World, code

from pumice.measure import prices

MODEL = "claude-haiku-5-5"
CALLS = 34


async def test_a_cut_below_a_price_tier_lasts_until_it_has_paid(world: World) -> None:
    """Each stays below the tier for longer than the calls its break-even names, so the session is hardly ever above it."""
    (tier,) = prices.tiers(MODEL)
    agent = world.agent(model=MODEL, window=300_000).says("Read the modules one by one.")
    cuts, dear = [], 0
    for at in range(CALLS):
        agent.runs(f"c{at}", code(f"mod{at}", 250), tool="Read", file_path=f"src/mod{at}.py")
        view = await agent.call()
        dear += view.tokens.total > tier.above
        figures = view.manifest.economics
        if figures is not None and (not cuts or cuts[-1][0] != view.epoch):
            cuts.append((view.epoch, at, figures.break_even_calls))
    assert len(cuts) > 1
    assert dear <= 1
    assert all(later[1] - sooner[1] > sooner[2] for sooner, later in pairwise(cuts))
