"""What a cut took out can be asked of its view."""

from msgspec.structs import replace
from tests_support import Agent, World, code

from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.faces import settings


async def view_of(*order: str):
    world = World()
    chosen = replace(settings.policy("balanced"), name="chosen", order=order, first_sight=None)
    engine = AsyncEngine(world.store, Ports(clock=lambda: world.now), lambda _: chosen)
    agent = Agent(engine.session("s", policy="chosen", window=12_000))
    agent.says("Refactor the parts. Start with src/very_first.py please.")
    for at in range(50):
        agent.answers(f"I look for helper_{at}_here in part {at}.")
        agent.runs(f"c{at}", code(f"mod{at}", 12), tool="Read", file_path=f"src/mod{at}.py").says("go on")
    return await agent.call()


async def test_names_that_stand_nowhere_are_counted_and_the_most_important_named() -> None:
    """By the level that took them out; what nobody has used is no loss."""
    view = await view_of("recent")
    [loss] = view.losses
    assert loss.level == "recent"
    assert loss.folded > 50
    assert loss.lost >= 30
    assert len(loss.names) == 10
    assert all(name.startswith("src/mod") for name in loss.names), "paths are needed again more often than names"
    assert not any("field_" in name for name in loss.names)
    assert "src/very_first.py" not in loss.names


async def test_lines_that_come_back_are_no_losses() -> None:
    """The same history under a policy that keeps best lines loses less."""
    lost = [sum(loss.lost for loss in (await view_of(order)).losses) for order in ("recent", "offload")]
    assert lost[1] < lost[0]


async def test_a_view_that_was_never_cut_has_lost_nothing() -> None:
    """Before the first epoch there is nothing to tell."""
    agent = World().agent().says("hello")
    assert (await agent.call()).losses == ()


async def test_the_manifest_tells_of_each_level_what_it_freed_and_lost() -> None:
    """The rows of its economics, in the order the levels ran."""
    view = await view_of("mechanical", "recent")
    first, last = view.manifest.economics.levels
    assert [first.level, last.level] == ["mechanical", "recent"]
    assert (first.freed, last.freed) == (first.before - first.after, last.before - last.after)
    assert last.lost == next(loss.lost for loss in view.losses if loss.level == "recent") > 0
    assert last.names
    assert last.cost_usd == 0.0


async def test_what_a_sub_agent_has_found_is_lost_when_it_stands_nowhere() -> None:
    """Its report is a model's own words, but for the lists of files it went through."""
    world = World()
    chosen = replace(settings.policy("balanced"), name="chosen", order=("rebuild",), first_sight=None)
    agent = Agent(AsyncEngine(world.store, Ports(clock=lambda: world.now), lambda _: chosen).session("s", window=12_000))
    agent.says("Audit the parts with sub-agents.")
    for at in range(10):
        listed = "\n".join(f"- src/part_{at}/seen_{line}.py: fine" for line in range(60))
        found = f"The worst fault of all that I have found there is overflow_{at}_found in src/part_{at}/core.py.\n{listed}"
        agent.runs(f"c{at}", found, tool="Task", description="audit", prompt="audit one").says("go on")
    [loss] = (await agent.call()).losses
    assert "src/part_0/core.py" in loss.names
    assert loss.lost >= 10
    assert loss.lost < 60
