"""What a proxy tells of calls the engine had no part in, and the rungs below a whole compile."""

from typing import Any

import pytest
from tests_support import code, words

from pumice import wire
from pumice.domain.decision import Cause
from pumice.engine.terms import Rung, Terms
from pumice.errors import CannotFit

LOG = "\n".join(f"compiling unit {at} of the tree" for at in range(3000))


def worked(agent: Any, steps: int) -> Any:
    for at in range(len(agent.messages) // 2, len(agent.messages) // 2 + steps):
        agent.runs(f"c{at}", code(f"mod{at}", 60), tool="Read", file_path=f"src/mod{at}.py")
    return agent


async def test_a_held_call_adds_what_is_new_and_decides_nothing(world: Any) -> None:
    """Where cutting has failed, the last view goes out again with the new messages as they came, and stays so."""
    agent = worked(world.agent(window=60_000).says("go"), 3)
    before = await agent.call()
    held = await agent.runs("log", LOG).call(terms=Terms(Rung.HELD))
    assert held.raw.startswith(before.raw[:-2])
    assert held.epoch == before.epoch
    assert LOG.splitlines()[1500] in words(held.body)
    later = await agent.runs("more", "ok").call()
    assert later.raw.startswith(held.raw[:-2]), "what the upstream has seen whole is not excerpted later"


async def test_a_held_view_is_never_over_the_budget(world: Any) -> None:
    """A view that would not fit without a cut is refused, so that the next rung is taken."""
    agent = worked(world.agent().says("go"), 8)
    await agent.call()
    with pytest.raises(CannotFit):
        await worked(agent, 40).call(terms=Terms(Rung.HELD))


async def test_the_floor_is_an_epoch_with_the_cause_fault(world: Any) -> None:
    """A call that the engine has failed at goes out as the floor, valid and within the budget; the next one goes on from it."""
    agent = worked(world.agent().says("Never touch migrations/."), 40)
    view = await agent.call(terms=Terms(Rung.FLOOR))
    assert view.cause == Cause.FAULT
    assert view.tokens.total <= view.usable.tokens
    assert "Never touch migrations/." in words(view.body)
    assert wire.rules.check(view.raw, "anthropic") == ()
    later = await agent.runs("more", "ok").call()
    assert later.raw.startswith(view.raw[:-2])


async def test_the_smallest_view_goes_out_where_nothing_fits(world: Any) -> None:
    """Where even the floor is over the budget, the smallest view there is can be had, and is valid."""
    agent = worked(world.agent(window=4_000).says("go"), 3)
    agent.system = [{"type": "text", "text": "Be careful. " * 2000}]
    with pytest.raises(CannotFit):
        await agent.call()
    view = await agent.call(terms=Terms(Rung.LEAST))
    assert view.tokens.total > view.usable.tokens
    assert wire.rules.check(view.raw, "anthropic") == ()


async def test_what_was_sent_without_the_engine_is_not_excerpted_afterwards(world: Any) -> None:
    """Messages the upstream has seen as they came count as seen, in this process and in the next (K-P7a)."""
    agent = world.agent(window=60_000).says("build it")
    await agent.call()
    agent.runs("log", LOG)
    view = await agent.runs("more", "ok").call(terms=Terms(sent=3))
    assert LOG.splitlines()[1500] in words(view.body)
    restarted = world.agent(window=60_000)
    restarted.messages = list(agent.messages)
    assert (await restarted.runs("last", "ok").call()).raw.startswith(view.raw[:-2])


async def test_a_call_that_tore_the_prefix_is_an_epoch_and_lets_reasoning_go(world: Any) -> None:
    """After the client's own bytes went out for a rewritten conversation, reasoning may be bound to them: mismatches drop."""
    agent = worked(world.agent(model="claude-opus-5-5").says("go"), 3)
    before = await agent.call()
    view = await agent.runs("more", "ok").call(terms=Terms(is_torn=True))
    assert (view.epoch, view.cause) == (before.epoch + 1, Cause.FAULT)
    again = await agent.runs("last", "ok").call()
    for sent in (view, again):
        assert sent.body["thinking"]["block_binding"] == {"prefix_mismatch_behavior": "drop_block"}
        assert "thinking-binding-controls-2026-08-01" in sent.headers["anthropic-beta"]


async def test_an_agent_that_stepped_back_is_known_after_a_restart(world: Any) -> None:
    """That requests go through as they come is in the ledger, with its reason, until it is taken back."""
    agent = world.agent().says("go")
    await agent.call()
    await agent.session.step_back("it costs more")
    other = world.agent()
    assert (await other.session.loaded()).stepped_back == {"main": "it costs more"}
    await other.session.step_back("")
    assert not (await world.agent().session.loaded()).stepped_back["main"]
