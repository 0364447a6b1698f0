"""What the next call would plan for nothing is planned while nobody waits."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests_support import Agent, World, code

from pumice.compact import planner
from pumice.engine import foresight, journal


class Plans:
    """Counts plans by who waits for them."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.made, plan = 0, planner.plan

        def counted(*args: Any, **options: Any) -> Any:
            self.made += 1
            return plan(*args, **options)

        patch.setattr(planner, "plan", counted)

    def take(self) -> int:
        made, self.made = self.made, 0
        return made


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plans]:
    yield Plans(monkeypatch)


def answer(view: Any) -> bytes:
    usage = {"input_tokens": view.tokens.total, "cache_read_input_tokens": 0, "output_tokens": 10}
    text = '{"id":"m","type":"message","role":"assistant","model":"x","content":[],"usage":'
    return (text + str(usage).replace("'", '"') + "}").encode()


async def work(agent: Agent, plans: Plans, steps: int, *, is_recorded: bool) -> tuple[int, int, int]:
    """Plans a call waited for in vain, plans made between calls, and epochs."""
    waited, between, epochs = 0, 0, 0
    for at in range(steps):
        agent.runs(f"c{at}", code(f"module{at}", 60))
        view = await agent.call()
        made = plans.take()
        waited += made if view.epoch == epochs else 0
        epochs = view.epoch
        if is_recorded:
            await agent.session.record(answer(view), view)
            between += plans.take()
    return waited, between, epochs


async def test_a_call_seldom_waits_for_a_plan_that_does_not_pay(world: World, plans: Plans) -> None:
    """With answers recorded the plans are made between the calls; the cut comes all the same."""
    agent = world.agent(window=200_000).says("Read everything.")
    waited, between, epochs = await work(agent, plans, 70, is_recorded=True)
    assert epochs >= 1
    assert between >= 1
    assert waited <= 2


async def test_without_answers_nothing_is_looked_ahead(world: World, plans: Plans) -> None:
    """A caller that records none gets its cut too: the calls themselves ask."""
    agent = world.agent(window=200_000).says("Read everything.")
    waited, between, epochs = await work(agent, plans, 70, is_recorded=False)
    assert epochs >= 1
    assert waited >= 1
    assert between == 0


async def test_what_was_weighed_survives_a_restart(world: World) -> None:
    """What a plan would have come to is on record with the next call, so that another process plans as little."""
    agent = world.agent(window=200_000).says("Read everything.")
    for at in range(60):
        view = await agent.runs(f"c{at}", code(f"module{at}", 60)).call()
        pulse = agent.session.tree.current["main"].pulse
        if pulse.preface:
            break
        await agent.session.record(answer(view), view)
    assert pulse.preface > 0
    other = world.agent(window=200_000)
    other.messages = agent.messages
    await other.call()
    assert other.session.tree.current["main"].pulse == pulse


async def test_a_broken_plan_between_calls_loses_no_answer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is on record before anything is weighed, and the session goes on."""
    agent = world.agent(window=200_000).says("Read everything.")
    view = await agent.call()

    def broken(_: Any) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(foresight, "look_ahead", broken)
    with pytest.raises(RuntimeError):
        await agent.session.record(answer(view), view)
    monkeypatch.undo()
    events = await world.store.ledger.load(agent.session.context.key)
    assert journal.ResponseEvent in {type(journal.read(event).header) for event in events}
    assert (await agent.runs("c", "ok").call()).call == 2
