"""Triggers at work in a session (F-C1): each loophole closed, each good moment used, each warning with its cause."""

from typing import Any

import pytest
from tests_support import Agent, World, code, words

from pumice.domain.decision import Cause
from pumice.domain.policy import Budget, Offload, Policy, Recent, Triggers


def policy(**parts: Any) -> Policy:
    """A policy whose only reason to cut is what a test gives it."""
    found: dict[str, Any] = {"budget": Budget(act=1.0, to=0.4), "order": ("recent",), "recent": Recent(shape="oldest")}
    return Policy("small", **(found | parts))


def told(agent: Agent, reported: int, read: int) -> bytes:
    usage = {"input_tokens": reported - read, "cache_read_input_tokens": read, "output_tokens": 10}
    text = '{"id":"m","type":"message","role":"assistant","model":"x","content":[],"usage":'
    return (text + str(usage).replace("'", '"') + "}").encode()


async def chat(agent: Agent, turns: int, start: int = 0) -> list[Any]:
    """Turns of a few words each."""
    views = []
    for at in range(start, start + turns):
        agent.says(f"And what about number {at}, please? I would like to know a little more about it.")
        views.append(await agent.call())
        agent.answers(f"Number {at} is fine, there is nothing more to be said about it than that it is fine.")
    return views


async def test_a_single_large_result_is_offloaded_as_it_arrives(world: World) -> None:
    """In a window of a million it would never fill anything; it is kept under the policy's name before the view goes out."""
    offload = Offload(single_result_over=5_000, pointer="workspace://logs/build-1187")
    agent = world.agent(policy=policy(offload=offload), window=1_000_000).says("Build it.")
    await agent.call()
    view = await agent.runs("c1", code("log", 1_500)).call()
    assert (view.epoch, view.tokens.total < 8_000) == (0, True)
    assert "workspace://logs/build-1187" in words(view.body)
    agent.runs("c2", code("other", 1_500)).runs("c3", "ok")
    later = await agent.call()
    assert later.body["messages"][: len(view.body["messages"])] == view.body["messages"]
    assert "workspace://logs/build-1187-2" in words(later.body)
    assert await world.store.artifacts.names(agent.session.context.key) == [
        *("b3", "b5"),
        *("logs/build-1187", "logs/build-1187-2"),
    ]
    restarted = world.agent(policy=policy(offload=offload), window=1_000_000)
    restarted.messages = agent.messages
    assert (await restarted.call()).raw == later.raw
    found = await restarted.session.read_range("workspace://logs/build-1187-2#L7", limit=1)
    assert found.text == code("other", 7).split("\n")[-1]


async def test_a_large_result_of_an_adopted_session_makes_a_cut_due(world: World) -> None:
    """The upstream has seen it whole; it goes when that pays."""
    chosen = policy(offload=Offload(single_result_over=5_000), order=("offload",))
    agent = world.agent(policy=chosen, window=1_000_000).says("Build it.").runs("c1", code("log", 1_500))
    for at in range(6):
        agent.runs(f"d{at}", f"result {at}")
    view = await agent.call()
    assert (view.epoch, view.cause) == (1, Cause.ADVISABLE)
    assert view.tokens.total < 8_000


async def test_many_tiny_turns_are_cut_in_the_end(world: World) -> None:
    """They fill no share of a large window; `turns` counts them."""
    agent = world.agent(policy=policy(triggers=Triggers(turns=30)), window=1_000_000)
    views = await chat(agent, 70)
    begun = [view.call for view in views if view.epoch and view.cause == Cause.ADVISABLE]
    assert begun[0] == 30
    assert views[-1].epoch == 2
    assert views[-1].tokens.total < views[28].tokens.total


async def test_minutes_are_counted_from_the_last_cut(world: World) -> None:
    """And the clock is the session's."""
    agent = world.agent(policy=policy(triggers=Triggers(minutes=10)), window=1_000_000)
    await chat(agent, 30)
    world.now = 599.0
    assert (await chat(agent, 1, 30))[0].epoch == 0
    world.now = 601.0
    assert (await chat(agent, 1, 31))[0].epoch == 1
    world.now = 1_200.0
    assert (await chat(agent, 1, 32))[0].epoch == 1


async def test_a_cheap_window_at_a_high_cost_is_cut_under_a_harder_policy(world: World) -> None:
    """What the session has spent counts, as reported; the step is an event and holds from the next epoch on."""
    chosen = policy(triggers=Triggers(cost_usd=1.0, on_cost="harder", degrade=("oldest-out", "newest")))
    agent = world.agent(policy=chosen, window=1_000_000)
    views = await chat(agent, 25)
    assert {view.manifest.policy for view in views} == {"small"}
    await agent.session.record(told(agent, 400_000, 0))
    assert agent.session.tree.spent.usd > 1.0
    (view,) = await chat(agent, 1, 25)
    assert view.epoch == 1
    assert view.manifest.policy == "oldest-out"
    assert any("the session has cost $1.5" in warning for warning in view.manifest.warnings)
    events = await world.store.ledger.load(agent.session.context.key)
    assert [event.kind for event in events].count("policy") == 1
    again = world.agent(policy=chosen, window=1_000_000)
    again.messages = agent.messages
    assert (await again.call()).manifest.policy == "oldest-out"


async def test_a_harder_policy_waits_for_its_epoch(world: World) -> None:
    """Until then the manifest says which one is coming."""
    chosen = policy(triggers=Triggers(cost_usd=1.0, on_cost="harder", degrade=("oldest-out",)))
    agent = world.agent(policy=chosen, window=1_000_000).says("go")
    await agent.call()
    await agent.session.record(told(agent, 400_000, 0))
    view = await agent.answers("done").says("and now?").call()
    assert (view.epoch, view.manifest.policy) == (0, "small")
    assert any("policy oldest-out from the next epoch on" in warning for warning in view.manifest.warnings)


async def test_the_end_of_a_phase_is_cut_once(world: World) -> None:
    """`end_phase` is an event; the next call has the cause, the one after that has not."""
    agent = world.agent(policy=policy(), window=1_000_000)
    await chat(agent, 30)
    await agent.session.end_phase("design")
    views = await chat(agent, 2, 30)
    assert [view.epoch for view in views] == [1, 1]
    assert views[0].cause == Cause.PHASE


async def test_a_model_switch_is_used(world: World) -> None:
    """Nothing of the view is cached for the new model, so a view above its target is cut at once."""
    agent = world.agent(policy=policy(budget=Budget(act=1.0, to=0.2)), window=10_000).says("go")
    for at in range(20):
        agent.runs(f"c{at}", code(f"mod{at}", 6))
    before = await agent.call()
    agent.model = "claude-opus-4-5"
    after = await agent.runs("x", "ok").call()
    assert (before.epoch, after.epoch, after.cause) == (0, 1, Cause.COLD)
    assert after.tokens.total < 0.5 * before.tokens.total


async def test_a_cut_that_does_not_pay_waits_for_a_cold_cache(world: World) -> None:
    """On a warm cache its rewrite would not come back within the calls expected; past the TTL it is free (K-E4)."""
    chosen = policy(triggers=Triggers(turns=4), budget=Budget(act=1.0, to=0.8))
    agent = world.agent(policy=chosen, window=1_000_000)
    assert {view.epoch for view in await chat(agent, 8)} == {0}
    world.now = 1_000.0
    (view,) = await chat(agent, 1, 8)
    assert (view.epoch, view.cause) == (1, Cause.COLD)


async def test_a_cut_within_the_budget_must_free_its_share(world: World) -> None:
    """At the share that triggers, a pass that would free less than `min_gain` is not made; over the budget it must be."""
    chosen = policy(budget=Budget(act=0.5, to=0.45, min_gain=0.6))
    agent = world.agent(policy=chosen, window=10_000).says("go")
    epochs = []
    for at in range(60):
        epochs.append(await agent.runs(f"c{at}", code(f"mod{at}", 6)).call())
        if epochs[-1].epoch:
            break
    assert epochs[-2].tokens.total > 0.9 * epochs[-2].usable.tokens
    assert epochs[-1].cause == Cause.BUDGET


async def test_the_manifest_warns_from_its_share_on(world: World) -> None:
    """With the numbers in tokens; below it says nothing."""
    agent = world.agent(policy=policy(budget=Budget(warn=0.5, act=0.9, to=0.4)), window=10_000).says("go")
    quiet = await agent.call()
    assert quiet.manifest.warnings == ()
    while (view := await agent.runs(f"c{agent.calls}", code(f"mod{agent.calls}", 6)).call()).tokens.total < 4_175:
        assert view.manifest.warnings == ()
    (warning,) = view.manifest.warnings
    assert warning == f"{view.tokens.total} tokens, {view.tokens.total / 8_350:.0%} of usable (8350); above 7515 a cut is made"


async def test_cuts_that_follow_each_other_faster_than_the_cache_lives_are_advised_against(world: World) -> None:
    """The advice names both times and the keys to change; slower ones are not remarked on."""
    agent = world.agent(policy=policy(budget=Budget(act=0.6, to=0.5)), window=10_000).says("go")
    advised: dict[int, bool] = {}
    for at in range(60):
        world.now += 5.0 if at < 35 else 100.0
        view = await agent.runs(f"c{at}", code(f"mod{at}", 6)).call()
        advised[view.epoch] = any("cache entries live 300" in warning for warning in view.manifest.warnings)
    assert advised[1] is False
    assert advised[2] is True
    assert advised[max(advised)] is False


async def test_a_changed_tool_is_named(world: World) -> None:
    """Hit rate falls when the head moves: the field or tool that did it is in the warning."""
    agent = world.agent(policy=policy(), window=100_000).says("go")
    agent.system = [{"type": "text", "text": "You are careful."}]
    await agent.call()
    agent.system = [{"type": "text", "text": "You are careful. It is Tuesday."}]
    view = await agent.answers("done").says("on").call()
    assert [warning for warning in view.manifest.warnings if "head" in warning] == [
        "the head has changed, so nothing cached before it is read: system[0] is another"
    ]
    assert (await agent.answers("done").says("on").call()).manifest.warnings == ()


async def test_too_many_read_backs_say_that_the_policy_hides_too_much(world: World) -> None:
    """A quarter of what left the view was fetched again."""
    agent = world.agent(policy=policy(budget=Budget(act=0.5, to=0.3)), window=10_000).says("go")
    while (view := await agent.runs(f"c{agent.calls}", code(f"mod{agent.calls}", 6)).call()).epoch == 0:
        continue
    hidden = [row for row in view.manifest.rows if row.outcome == "fold"]
    for row in hidden[: len(hidden) // 3]:
        agent.session.reads.reset()
        await agent.session.read_range(row.pointer)
    view = await agent.runs("z", "ok").call()
    assert any("offloads too eagerly" in warning for warning in view.manifest.warnings)


async def test_break_even_and_levels_are_printed(world: World) -> None:
    """The figures of an epoch say what each level did and when the cut has paid for itself."""
    agent = world.agent(policy=policy(order=("mechanical", "recent")), window=10_000).says("go")
    while (view := await agent.runs(f"c{agent.calls}", code(f"mod{agent.calls}", 6)).call()).epoch == 0:
        continue
    figures = view.manifest.economics
    assert [row.level for row in figures.levels] == ["mechanical", "recent"]
    assert figures.levels[-1].after == figures.after
    assert figures.levels[-1].ratio == pytest.approx(figures.after / figures.levels[-1].before, abs=1e-4)
    assert figures.break_even_calls == pytest.approx(1.15 * figures.after / (0.1 * (figures.before - figures.after)))
    assert figures.necessary
