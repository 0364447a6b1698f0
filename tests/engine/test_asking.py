"""Questions to a model: early, late, in two processes, cut short; nothing waits that must not, nothing is lost."""

import asyncio

import pytest
from asked import WINDOW, answers, breaker, grow, ready, talk
from scripted import TELLS, Scripted, good, summarising, until
from tests_support import Agent, World, words

from pumice.domain.decision import Cause
from pumice.domain.policy import Questions, Summarize
from pumice.domain.ports import Answer
from pumice.domain.summary import Ask
from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine


async def test_a_cut_that_may_wait_uses_the_answer(world: World) -> None:
    """Asked for by hand, the cut shows what the model said; it is asked once, and told the policy's model."""
    model = Scripted("good")
    agent = talk(world, model)
    await ready(agent)
    view = await agent.session.compact()
    assert view.cause == Cause.REQUESTED
    assert TELLS in words(view.body)
    assert [ask.model for ask in model.asked] == ["scripted"]
    assert agent.session.tree.current["main"].cut.asks == ()


async def test_a_necessary_cut_waits_for_nobody(world: World) -> None:
    """The deterministic summary goes out now; the model's replaces it at the next epoch (DESIGN §7)."""
    model = Scripted("hang", "good")
    agent = talk(world, model)
    view = await grow(agent)
    assert view.cause == Cause.BUDGET
    assert TELLS not in words(view.body)
    assert "<pumice:summary" in words(view.body)
    await until(lambda: len(model.asked) == 1)
    model.gate.set()
    await until(lambda: answers(agent) == 1)
    assert (await agent.call()).raw == view.raw
    later = await grow(agent, 2, start=50)
    assert TELLS in words(later.body)


async def test_a_late_answer_that_may_not_stand_gets_the_one_reminder(world: World) -> None:
    """A necessary cut asks and goes out, the next reminds, the one after shows what came of that; nothing is asked thrice."""
    model = Scripted("bad", "good")
    agent = talk(world, model)
    await grow(agent)
    await agent.session.asker.settled()
    await grow(agent, 2, start=50)
    await agent.session.asker.settled()
    first, *later = model.asked
    [reminder] = [ask for ask in later if ask.reminds]
    assert (reminder.sources, reminder.material) == (first.sources, first.material)
    assert "These sections are missing" in reminder.prompt
    assert f"({first.sources[-1]})" not in words((await agent.call()).body)
    assert f"{first.sources[-1]} ⋯ {TELLS}" in words((await grow(agent, 3, start=100)).body)
    assert breaker(agent).failures == 0


async def test_a_late_reminder_is_the_last_word(world: World) -> None:
    """What is bad once more has failed, once; its blocks are never asked about again, and the ledger holds no question."""
    model = Scripted("bad")
    agent = talk(world, model)
    for epoch in range(1, 5):
        await grow(agent, epoch, start=50 * epoch)
        await agent.session.asker.settled()
        assert all(not ask.prompt + ask.material for ask in agent.session.tree.current["main"].cut.asks)
    about = [ask.sources for ask in model.asked]
    assert max(about.count(sources) for sources in about) == 2
    assert breaker(agent).failures == 2


async def test_an_answer_whose_sources_are_gone_is_not_used(world: World) -> None:
    """A client that has gone back before them is not told what no longer happened."""
    model = Scripted("hang")
    agent = talk(world, model)
    await grow(agent)
    await until(lambda: len(model.asked) == 1)
    model.gate.set()
    await until(lambda: answers(agent) == 1)
    model.script = ["fail"]
    agent.messages = agent.messages[:1]
    assert TELLS not in words((await grow(agent, 1, start=100)).body)


async def test_an_answer_that_comes_too_late_for_a_cut_that_may_wait_is_used_at_the_next(world: World) -> None:
    """The wait ends with the policy's time; the question is not put twice."""
    model = Scripted("hang", "good")
    agent = talk(world, model, questions=Questions(wait_seconds=0.02))
    await ready(agent)
    view = await agent.session.compact()
    assert TELLS not in words(view.body)
    assert breaker(agent).failures == 1
    model.gate.set()
    await until(lambda: answers(agent) == 1)
    await ready(agent, 50)
    assert TELLS in words((await agent.session.compact()).body)
    assert len({ask.key for ask in model.asked}) == len(model.asked)


async def test_a_session_that_is_stored_never_asks_again(world: World) -> None:
    """A process that starts on the same store shows the same bytes and puts no question."""
    agent = talk(world, Scripted("good"))
    await ready(agent)
    view = await agent.session.compact()
    silent = Scripted("fail")
    other = talk(world, silent)
    other.messages = agent.messages
    assert (await other.call()).raw == view.raw
    assert await other.session.rebuild(view.call) == await agent.session.rebuild(view.call)
    assert silent.asked == []


async def test_killed_between_question_and_answer_a_session_loses_nothing(world: World) -> None:
    """The next process shows the deterministic summary and goes on; its own next cut asks anew."""
    agent = talk(world, Scripted("hang"))
    view = await grow(agent)
    other = talk(world, model := Scripted("good"))
    other.messages = list(agent.messages)
    assert (await other.call()).raw == view.raw
    await grow(other, 2, start=200)
    await until(lambda: answers(other) == 1)
    assert len(model.asked) == 1
    await agent.session.close()


async def test_of_two_processes_one_answer_counts(world: World) -> None:
    """Both ask, the second to be answered takes the first's answer, and both show the same."""
    first, second = Scripted("good"), Scripted(lambda ask: good(ask).replace("planned", "hoped"))
    one = talk(world, first)
    await ready(one)
    other = talk(world, second)
    other.messages = list(one.messages)
    await other.call()
    views = await asyncio.gather(one.session.compact(), other.session.compact())
    shown = {view.raw for view in views}
    assert len(shown) == 1
    assert len([name for name in ("planned", "hoped") if name in words(views[0].body)]) == 1


async def test_closing_stops_what_is_under_way(world: World) -> None:
    """No task is left behind, nothing is recorded for it, and the session can be opened again."""
    world.model = model = Scripted("hang")
    engine = world.engine()
    agent = Agent(engine.session("s", policy=summarising(), window=WINDOW)).says("Refactor the modules.")
    await grow(agent)
    await until(lambda: len(model.asked) == 1)
    await agent.session.close()
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []
    assert answers(agent) == 0
    assert agent.session.tree.failed == {}


class Continuing(Scripted):
    """A model that can be asked at the end of the live view."""

    def __init__(self) -> None:
        super().__init__("fail")
        self.views: list[tuple[str, bytes]] = []

    async def continuing(self, ask: Ask, dialect: str, view: bytes) -> Answer:
        self.asked.append(ask)
        self.views.append((dialect, view))
        return Answer(good(ask))


async def test_a_model_that_can_is_asked_at_the_end_of_the_live_view(world: World) -> None:
    """What stands in the view is not sent again: its prefix is in the cache as the lane last sent it (K-E8)."""
    model = Continuing()
    agent = talk(world, model, summarize=Summarize(model="same", tokens=1500))
    await ready(agent)
    sent = await agent.call()
    view = await agent.session.compact()
    assert TELLS in words(view.body)
    assert model.asked[0].material == ""
    assert model.views == [("anthropic", sent.raw)]


class Stop(Exception):
    """The process ends here."""


async def test_a_step_that_dies_with_its_answer_asks_no_second_time(world: World) -> None:
    """Cut short between the answer and the cut, the step that is made again uses what was answered."""
    model = Scripted("good")
    world.model = model
    left = [10**6]

    def fault(name: str) -> None:
        left[0] -= name == "engine:after-append"
        if left[0] == 0 and name == "engine:after-append":
            raise Stop

    engine = AsyncEngine(world.store, Ports(clock=lambda: 0.0, model=model, fault=fault), lambda _: summarising())
    agent = Agent(engine.session("s", policy=summarising(), window=WINDOW)).says("Refactor the modules.")
    await ready(agent)
    left[0] = 2
    with pytest.raises(Stop):
        await agent.session.compact()
    assert len(model.asked) == 1
    other = talk(world, second := Scripted("good"))
    other.messages = list(agent.messages)
    assert (await other.call()).epoch == 0
    assert TELLS in words((await other.session.compact()).body)
    assert TELLS in words((await agent.session.compact()).body)
    assert (len(model.asked), len(second.asked)) == (1, 0)
