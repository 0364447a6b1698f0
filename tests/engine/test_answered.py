"""What comes back from a model: from any callable, well, badly, without end or never, and what it has cost."""

import asyncio
import threading
import time
from typing import Any

import pytest
from asked import answers, breaker, ready, talk
from scripted import TELLS, Scripted, good
from tests_support import World, words

from pumice.compact.breaker import Breaker
from pumice.domain.message import Usage
from pumice.domain.policy import Questions, Summarize
from pumice.domain.ports import Answer
from pumice.domain.summary import Ask
from pumice.engine.waiting import unheld


@pytest.mark.parametrize("step", ["empty", "bad", "flawed"])
async def test_an_unusable_answer_gets_one_reminder(world: World, step: str) -> None:
    """Then the deterministic form stands, the failure is counted once, and the manifest says why."""
    model = Scripted(step)
    agent = talk(world, model)
    await ready(agent)
    view = await agent.session.compact()
    assert len(model.asked) == 2
    assert model.asked[1].prompt.startswith(model.asked[0].prompt)
    assert "<pumice:summary" in words(view.body)
    assert breaker(agent).failures == 1
    assert any("model's summary is not used" in warning for warning in view.manifest.warnings)


async def test_a_reminder_may_help(world: World) -> None:
    """What comes back well is used, and the breaker is closed again."""
    agent = talk(world, Scripted("empty", "good"))
    await ready(agent)
    assert TELLS in words((await agent.session.compact()).body)
    assert breaker(agent) == Breaker()


def blocking(ask: Ask) -> Answer:
    time.sleep(0.01)
    return Answer(good(ask))


class Told:
    """Some client library's answer."""

    def __init__(self, text: Any) -> None:
        self.text = text
        self.usage = None


@pytest.mark.parametrize("model", [blocking, good, lambda ask: Told(good(ask)), lambda ask: Scripted("good")(ask)])
async def test_any_callable_will_do(world: World, model: Any) -> None:
    """Blocking or awaitable, text or an object with a text."""
    agent = talk(world, model, questions=Questions(wait_seconds=5))
    await ready(agent)
    assert TELLS in words((await agent.session.compact()).body)


async def test_what_is_no_answer_is_a_failure(world: World) -> None:
    """A callable that returns something else is told so."""
    agent = talk(world, lambda ask: 7, questions=Questions(wait_seconds=5))
    await ready(agent)
    await agent.session.compact()
    events = await world.store.ledger.load(agent.session.context.key)
    (failed,) = [event for event in events if event.kind == "ask_failed"]
    assert b"int came from the model" in failed.data


async def test_an_answer_without_end_is_not_kept(world: World) -> None:
    """It would weigh on every later load of the session."""
    agent = talk(world, Scripted(lambda ask: "x" * 500_000))
    await ready(agent)
    await agent.session.compact()
    assert answers(agent) == 0
    assert [event.reason for event in agent.session.tree.failed.values()] == [
        "an answer of 500000 characters, expected 400000 at most"
    ]


async def test_questions_cost_money(world: World) -> None:
    """What the callable reports is in the manifest of the epoch and in what the session has cost."""
    agent = talk(world, Scripted("priced"))
    await ready(agent)
    before = agent.session.tree.spent.usd
    view = await agent.session.compact()
    asked = view.manifest.economics.asked
    assert (asked.questions, asked.input_tokens, asked.output_tokens) == (1, 10_000, 1_000)
    assert asked.cost_usd == pytest.approx((10_000 * 1.25 + 1_000 * 5) / 10**6)
    [row] = [row for row in view.manifest.economics.levels if row.level == "summarize"]
    assert row.cost_usd == asked.cost_usd
    assert agent.session.tree.spent.usd - before > asked.cost_usd


async def test_an_answer_that_may_not_stand_has_been_paid_for(world: World) -> None:
    """Cut off or refused, its usage counts as any; both questions of the level are counted, and both were answered."""
    agent = talk(world, Scripted("flawed", "priced"))
    await ready(agent)
    view = await agent.session.compact()
    assert TELLS in words(view.body)
    [row] = [row for row in view.manifest.economics.levels if row.level == "summarize"]
    assert (row.asked, row.answered) == (2, 2)
    assert row.cost_usd == pytest.approx(2 * (10_000 * 1.25 + 1_000 * 5) / 10**6)


async def test_what_is_not_kept_has_been_paid_for_too(world: World) -> None:
    """An answer without end leaves its usage on record, also for a process that starts later."""
    agent = talk(world, Scripted(lambda _: Answer("x" * 500_000, Usage(10_000, 1_000), "claude-haiku-4-5")))
    await ready(agent)
    asked = (await agent.session.compact()).manifest.economics.asked
    assert (asked.failed, asked.input_tokens) == (1, 10_000)
    assert asked.cost_usd == pytest.approx((10_000 * 1.25 + 1_000 * 5) / 10**6)
    other = talk(world, Scripted("fail"))
    other.messages = list(agent.messages)
    await other.call()
    assert other.session.tree.spent.asked_usd == pytest.approx(asked.cost_usd)


@pytest.mark.parametrize("usage", [None, Usage(1000, 50)])
async def test_a_cost_nobody_knows_is_none(world: World, usage: Usage | None) -> None:
    """A model without a price, or one that does not say what it used: not free, but unknown."""
    agent = talk(world, Scripted(lambda ask: Answer(good(ask), usage, "my-own-model")))
    await ready(agent)
    figures = (await agent.session.compact()).manifest.economics
    [row] = [row for row in figures.levels if row.level == "summarize"]
    assert (row.asked, row.answered, row.cost_usd, figures.asked.cost_usd) == (1, 1, None, None)


async def test_a_blocking_model_that_hangs_holds_nothing_up() -> None:
    """Its thread is one the interpreter does not wait for at its end; cancelled or over, what it says later is nothing."""
    hung, before = threading.Event(), set(threading.enumerate())
    task = asyncio.create_task(unheld(lambda _: hung.wait(30), None))
    await asyncio.sleep(0)
    (thread,) = set(threading.enumerate()) - before
    assert thread.daemon
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    hung.set()
    thread.join(5)
    await asyncio.sleep(0)
    assert await unheld(str.upper, "done") == "DONE"
    with pytest.raises(RuntimeError, match="StopIteration"):
        await unheld(next, iter(()))


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("same", "anthropic:claude-sonnet-4-5"),
        ("cheapest", "anthropic:claude-haiku-4-5"),
        ("gemini:g@http://x", "gemini:g@http://x"),
    ],
)
async def test_a_model_is_named_by_its_place_in_the_lane_or_by_its_address(world: World, written: str, asked: str) -> None:
    """`same` and `cheapest` become addresses of the lane's own dialect; anything else is taken as it is."""
    model = Scripted("good")
    agent = talk(world, model, summarize=Summarize(model=written, tokens=1500))
    await ready(agent)
    await agent.session.compact()
    assert [ask.model for ask in model.asked] == [asked]
