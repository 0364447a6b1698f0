"""Questions to a model: late, empty, failing, without quota, in two processes; nothing waits that must not, nothing is lost."""

import asyncio
import threading
import time
from typing import Any

import pytest
from scripted import SECRET, TELLS, Scripted, good, summarising, until
from tests_support import Agent, World, code, words

from pumice.compact.breaker import Breaker
from pumice.domain.decision import Cause
from pumice.domain.policy import Breaker as Limits
from pumice.domain.policy import Questions, Summarize
from pumice.domain.ports import Answer
from pumice.domain.summary import Ask
from pumice.engine import asking
from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.engine.waiting import unheld

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


@pytest.mark.parametrize("step", ["empty", "bad"])
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


async def test_a_failing_model_leaves_the_deterministic_summary(world: World) -> None:
    """The error is on record without the secrets in it, and the same question is never put again."""
    model = Scripted("fail")
    agent = talk(world, model)
    await ready(agent)
    view = await agent.session.compact()
    assert "<pumice:summary" in words(view.body)
    assert breaker(agent).failures == 1
    events = await world.store.ledger.load(agent.session.context.key)
    (failed,) = [event for event in events if event.kind == "ask_failed"]
    assert b"connection reset" in failed.data
    assert SECRET.encode() not in failed.data
    await agent.call()
    assert len(model.asked) == 1


async def test_a_used_up_quota_opens_the_breaker_at_once(world: World) -> None:
    """No summaries, no questions: offload and the floor only, and the work goes on (B-B7)."""
    model = Scripted("quota")
    agent = talk(world, model, breaker=Limits(half_open_after=1000))
    first = await grow(agent)
    await until(lambda: breaker(agent).opened_at is not None)
    assert "<pumice:summary" in words(first.body)
    later = await grow(agent, 2, start=60)
    assert len(model.asked) == 1
    assert "<pumice:summary" not in words(later.body)
    assert later.tokens.total <= later.usable.tokens
    assert any("breaker is open" in warning for warning in later.manifest.warnings)


async def test_questions_refused_together_for_want_of_quota_are_one_failure(world: World) -> None:
    """The warning names the limit that was reached, not three for each question that was under way."""
    agent = talk(world, Scripted("good"))
    await agent.call()
    live = asking.Live("main", 1)
    for key in ("one", "two", "three"):
        asking.fail(agent.session, live, key, "429", is_quota=True)
    assert breaker(agent).failures == Limits().max_consecutive_failures
    assert breaker(agent).opened_at is not None


async def test_a_quota_error_after_another_failure_of_the_same_cut_still_opens(world: World) -> None:
    """Asking on would burn what is left (B-B7)."""
    agent = talk(world, Scripted("good"))
    await agent.call()
    live = asking.Live("main", 1)
    asking.fail(agent.session, live, "one", "reset")
    assert breaker(agent).opened_at is None
    asking.fail(agent.session, live, "two", "429", is_quota=True)
    assert breaker(agent).opened_at is not None


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


async def test_three_failures_in_a_row_open_the_breaker(world: World) -> None:
    """Each of another epoch; a cut that unloads does not close it, a request does."""
    model = Scripted("fail")
    agent = talk(world, model, breaker=Limits(half_open_after=1000))
    for epoch in (1, 2, 3):
        await grow(agent, epoch, start=100 * epoch)
        await until(lambda so_far=epoch: breaker(agent).failures == so_far)
    assert breaker(agent).opened_at is not None
    await grow(agent, 4, start=400)
    assert len(model.asked) == 3
    assert breaker(agent).opened_at is not None
    model.script = ["good"]
    await ready(agent, 900)
    view = await agent.session.compact("please")
    assert TELLS in words(view.body)
    assert breaker(agent) == Breaker()


async def test_an_open_breaker_lets_one_try_through(world: World) -> None:
    """After ten calls, or as many as the policy says; a failure there closes the door again."""
    model = Scripted("quota", "fail", "fail", "good")
    agent = talk(world, model, breaker=Limits(half_open_after=8))
    await grow(agent)
    await until(lambda: breaker(agent).opened_at is not None)
    opened = breaker(agent).opened_at
    assert opened is not None
    epoch, at = 1, 100
    while len(model.asked) == 1:
        epoch, at = epoch + 1, at + 50
        view = await grow(agent, epoch, start=at)
        await asyncio.sleep(0)
    tried = agent.session.tree.current["main"].calls
    assert tried - opened >= 8
    await until(lambda: len(agent.session.tree.failed) == 2)
    assert breaker(agent).opened_at == tried
    assert view.epoch == epoch


async def test_a_reviewer_is_asked_for_where_the_policy_says_so(world: World) -> None:
    """`on_open: human` is an event, a warning and a note in the view; work goes on."""
    agent = talk(world, Scripted("quota"), breaker=Limits(on_open="human", half_open_after=1000))
    await grow(agent)
    await until(lambda: breaker(agent).opened_at is not None)
    view = await grow(agent, 2, start=60)
    events = await world.store.ledger.load(agent.session.context.key)
    assert [event.kind for event in events].count("review") == 1
    assert any("review" in warning for warning in view.manifest.warnings)
    assert "should look at this session" in words(view.body)


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


async def test_an_open_breaker_does_not_keep_a_persons_words_away(world: World) -> None:
    """After the client's own compaction they are placed at once: that asks no model and sums nothing up."""
    agent = talk(world, Scripted("quota"), breaker=Limits(half_open_after=1000))
    await grow(agent)
    await until(lambda: breaker(agent).opened_at is not None)
    summary = "This session is being continued from a previous conversation. " + "The work went on as wished. " * 40
    agent.messages = [{"role": "user", "content": summary}, *agent.messages[-2:]]
    view = await agent.call()
    assert breaker(agent).opened_at is not None
    assert view.cause == Cause.CLIENT_COMPACT
    assert "Refactor the modules one by one." in words(view.body)
