"""A session that asks a model, and the steps that bring it to a cut."""

from typing import Any

from scripted import summarising
from tests_support import Agent, World, code

from pumice.compact.breaker import Breaker

WINDOW = 12_000


def talk(world: World, model: Any, **parts: Any) -> Agent:
    """An agent whose session summarises by a model."""
    world.model = model
    return world.agent(policy=summarising(**parts), window=WINDOW).says("Refactor the modules one by one.")


async def grow(agent: Agent, to_epoch: int = 1, start: int = 0) -> Any:
    """Work on until an epoch has begun; the last view."""
    for at in range(start, start + 40):
        agent.runs(f"c{at}", code(f"mod{at}", 12), tool="Read", file_path=f"src/mod{at}.py")
        view = await agent.call()
        if view.epoch >= to_epoch:
            return view
    raise AssertionError("no epoch began")


async def ready(agent: Agent, start: int = 0) -> None:
    """Enough steps for a cut asked for by hand to be worth it, far from the budget."""
    for at in range(start, start + 8):
        agent.runs(f"r{at}", code(f"part{at}", 24))
    await agent.says("go on").call()


def answers(agent: Agent) -> int:
    return len(agent.session.tree.answers)


def breaker(agent: Agent) -> Breaker:
    return agent.session.tree.current["main"].breaker
