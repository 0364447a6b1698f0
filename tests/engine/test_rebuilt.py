"""A view is rebuilt from state and evidence: by hand, and where a plan has failed."""

from msgspec.structs import replace
from tests_support import Agent, World, code, words

from pumice.domain.decision import Cause
from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.faces import settings


def rows(view, level: str) -> list[str]:
    return [row.id for row in view.manifest.rows if row.level == level and row.outcome == "fold"]


async def worked(agent: Agent, steps: int):
    agent.says("Refactor the parts. Never touch migrations/.")
    for at in range(steps):
        agent.answers(f"I think part {at} is fine, so I go on.").says("go on")
        agent.runs(f"c{at}", code(f"mod{at}", 12), tool="Read", file_path=f"src/mod{at}.py")
    return await agent.call()


async def test_a_caller_can_ask_for_a_view_that_carries_nothing_over() -> None:
    """Words, state and the newest evidence stand, what was told is gone, however small the view was."""
    agent = World().agent(window=60_000)
    before = await worked(agent, 8)
    assert before.cause == Cause.OPEN
    view = await agent.session.compact(reason="rebuild")
    assert view.cause == Cause.REQUESTED
    assert rows(view, "rebuild")
    text = words(view.body)
    assert "Never touch migrations/." in text
    assert "def mod7_3(" in text
    assert "I think part 3 is fine" not in text
    assert view.tokens.total < before.tokens.total


async def test_a_plan_that_does_not_prove_is_rebuilt_before_the_floor_is_taken() -> None:
    """A plan without the goal its policy asks for is made again from state: the newest reads, which the floor folds, stand."""
    world = World()
    balanced = settings.policy("balanced")
    keep = replace(balanced.keep, pins="none")
    weak = replace(balanced, name="weak", order=("mechanical",), first_sight=None, keep=keep, validate=("goal_present",))
    engine = AsyncEngine(world.store, Ports(clock=lambda: world.now), lambda _: weak)
    agent = Agent(engine.session("s", policy="weak", window=6_000))
    view = await worked(agent, 40)
    assert rows(view, "rebuild")
    assert not rows(view, "floor")
    text = words(view.body)
    assert all(f"def mod{at}_3(" in text for at in (39, 38, 37))
    assert view.tokens.total <= view.usable.tokens
