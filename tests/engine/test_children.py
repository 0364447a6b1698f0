"""What a sub-agent did can be reached from its parent's view."""

import re

from msgspec.structs import replace
from tests_support import Agent, World, words

from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.faces import settings

REPORT = "\n".join(
    ["The limit is set in src/limits.py.", *(f"I looked at file {at}, nothing to see there." for at in range(400)), "Done."]
)


async def test_a_conclusion_leads_to_the_lane_of_the_child() -> None:
    """The id of the call is the name the child compiles under; its own blocks come back by the handle."""
    world = World()
    policy = replace(settings.policy("balanced"), order=("isolate",), first_sight=None, name="isolating")
    engine = AsyncEngine(world.store, Ports(clock=lambda: world.now), lambda _: policy)
    session = engine.session("s", policy="isolating", window=5_000)
    parent, child = Agent(session), Agent(session)
    parent.says("Find the limit.")
    await parent.call()
    child.says("Where is the limit set?").runs("c1", "limits = 4711", tool="Bash")
    await child.call(agent="toolu_7")
    parent.runs("toolu_7", REPORT, tool="Task", description="Find it", prompt="Where is the limit set?")
    parent.answers("It is in src/limits.py.").says("Go on, and tell me more about it.").runs("c2", "ok")
    view = await parent.call()
    found = re.search(r"its work in (b\d+–b\d+)", words(view.body))
    assert found is not None
    work = await session.read_range(found[1])
    assert "Where is the limit set?" in work.text
    assert "limits = 4711" in work.text
    assert "The limit is set in src/limits.py." in words(view.body)
