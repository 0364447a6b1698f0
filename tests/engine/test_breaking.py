"""A model that fails, or whose quota is used up: the breaker opens, lets a try through and closes again, and work goes on."""

import asyncio

from asked import breaker, grow, ready, talk
from scripted import SECRET, TELLS, Scripted, until
from tests_support import World, words

from pumice.compact.breaker import Breaker
from pumice.domain.decision import Cause
from pumice.domain.policy import Breaker as Limits
from pumice.engine import asking


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
    await ready(agent, 950)
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
