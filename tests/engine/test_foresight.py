"""What the next call would plan for nothing is planned while nobody waits."""

from typing import Any

import pytest
from tests_support import Agent, World, code

from pumice.compact.economics import Pulse
from pumice.engine import journal
from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.faces import settings

LOOK = "engine:look-ahead"


class Points:
    """The fault points a session has passed."""

    def __init__(self, *, is_broken: bool = False) -> None:
        self.passed: list[str] = []
        self.is_broken = is_broken

    def __call__(self, name: str) -> None:
        self.passed.append(name)
        if self.is_broken and name == LOOK:
            raise RuntimeError("a fault of ours")


def agent(world: World, points: Points) -> Agent:
    engine = AsyncEngine(world.store, Ports(clock=lambda: 0.0, fault=points), settings.policy)
    return Agent(engine.session("s", policy="balanced", window=200_000)).says("Read everything.")


def answer(view: Any) -> bytes:
    usage = {"input_tokens": view.tokens.total, "cache_read_input_tokens": 0, "output_tokens": 10}
    text = '{"id":"m","type":"message","role":"assistant","model":"x","content":[],"usage":'
    return (text + str(usage).replace("'", '"') + "}").encode()


def pulse(agent: Agent) -> Pulse:
    return agent.session.tree.current["main"].pulse


async def work(agent: Agent, steps: int, *, is_recorded: bool) -> tuple[int, int]:
    """Plans that calls waited for in vain, and epochs."""
    waited, epochs = 0, 0
    for at in range(steps):
        before = pulse(agent).preface if at else 0
        view = await agent.runs(f"c{at}", code(f"module{at}", 60)).call()
        waited += pulse(agent).preface not in (0, before)
        epochs = view.epoch
        if is_recorded:
            await agent.session.record(answer(view), view)
    return waited, epochs


async def test_a_call_seldom_waits_for_a_plan_that_does_not_pay(world: World) -> None:
    """With answers recorded the plans are made between the calls; the cut comes all the same."""
    points = Points()
    waited, epochs = await work(agent(world, points), 70, is_recorded=True)
    assert epochs >= 1
    assert points.passed.count(LOOK) >= 1
    assert waited <= 1


async def test_without_answers_nothing_is_looked_ahead(world: World) -> None:
    """A caller that records none gets its cut too: the calls themselves ask."""
    points = Points()
    waited, epochs = await work(agent(world, points), 70, is_recorded=False)
    assert epochs >= 1
    assert points.passed.count(LOOK) == 0
    assert waited >= 1


async def test_what_was_weighed_survives_a_restart(world: World) -> None:
    """What a plan would have come to is on record with the next call, so that another process plans as little."""
    one = agent(world, Points())
    for at in range(60):
        view = await one.runs(f"c{at}", code(f"module{at}", 60)).call()
        if pulse(one).preface:
            break
        await one.session.record(answer(view), view)
    assert pulse(one).preface > 0
    other = agent(world, Points())
    other.messages = one.messages
    await other.call()
    assert pulse(other) == pulse(one)


async def test_a_fault_between_calls_loses_no_answer(world: World) -> None:
    """The answer is on record before anything is weighed, and the session goes on."""
    points = Points(is_broken=True)
    one = agent(world, points)
    at = 0
    with pytest.raises(RuntimeError, match="a fault of ours"):
        for at in range(70):
            view = await one.runs(f"c{at}", code(f"module{at}", 60)).call()
            await one.session.record(answer(view), view)
    events = [journal.read(event).header for event in await world.store.ledger.load(one.session.context.key)]
    assert sum(isinstance(event, journal.ResponseEvent) for event in events) == at + 1
    points.is_broken = False
    assert (await one.runs("last", "ok").call()).call == at + 2
