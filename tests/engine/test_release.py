"""Sessions that are let go: the least recently asked for first, none that is in use, and the same bytes afterwards."""

from typing import Any

from tests_support import Agent, code


async def test_idle_sessions_go_and_come_back_with_the_same_bytes(world: Any) -> None:
    """Down to what memory holds; a session that was let go is read from the store when its next call comes."""
    engine = world.engine()
    agents = [Agent(engine.session(name, policy="balanced", window=30_000)).says("go") for name in ("old", "new")]
    for agent in agents:
        for at in range(30):
            agent.runs(f"c{at}", code(f"m{at}", 60), tool="Read", file_path=f"src/m{at}.py")
        view = await agent.call()
    old, new = (agent.session for agent in agents)
    assert old.weight > 100_000
    assert await engine.release(new.weight) == [], "sessions that take turns stay"
    world.now = 60.0
    assert engine.session("new", policy="balanced", window=30_000) is new
    assert await engine.release(old.weight + new.weight) == []
    assert await engine.release(new.weight) == [old]
    assert old.weight < 30_000, "what it held is free at once"
    assert engine.session("new", policy="balanced", window=30_000) is new
    again = Agent(engine.session("old", policy="balanced", window=30_000))
    again.messages = agents[0].messages
    assert again.session is not old
    assert (await again.call()).raw == view.raw


async def test_what_only_memory_holds_is_not_let_go(world: Any) -> None:
    """Messages that were added one by one and not sent yet stay."""
    engine = world.engine()
    session = engine.session("s", dialect="anthropic")
    await session.add([{"role": "user", "content": "hello"}])
    assert await engine.release(0) == []
    assert b"hello" in (await session.compile()).raw
