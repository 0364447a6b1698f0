"""A session's books: what its client's own requests would have been, and a restart that goes on with them."""

import msgspec
from tests_support import World

from pumice.domain.message import Usage
from pumice.engine import books
from pumice.engine.books import Books

LOG = "\n".join(f"12:00:{number % 60:02} worker {number} compiled unit {number * 7919}" for number in range(4000))


async def test_what_is_shaped_is_counted_beside_what_came(world: World) -> None:
    """Until something is shaped both sizes are the same; an excerpt makes the view smaller than the client's request."""
    agent = world.agent(window=100_000).says("build it")
    agent.runs("c1", "linked unit 1")
    plain = await agent.call()
    assert plain.full == plain.tokens.total
    agent.runs("c2", LOG)
    shaped = await agent.call()
    assert shaped.tokens.total < plain.tokens.total + 10_000
    assert shaped.full > shaped.tokens.total + 30_000


async def test_books_go_on_in_another_process(world: World) -> None:
    """Rows are compared with the agent's call before, also where another process entered it; questions are paid once."""
    agent = world.agent(window=100_000).says("build it")
    session, store = agent.session, agent.session.context.store
    first = books.facts(session, await agent.call(), stage="compiled", usage=Usage(2_000, 10, 0, 2_000), at=60.0)
    mine = Books(store.accounts, session.context.key)
    asked = await mine.enter(msgspec.structs.replace(first, asked_total_usd=0.25))
    assert (asked.policy, asked.asked_usd) == ("balanced", 0.25)
    other = Books(store.accounts, session.context.key)
    again = msgspec.structs.replace(first, at=90.0, usage=Usage(2_100, 10, 2_000, 100), asked_total_usd=0.25)
    row = await other.enter(again)
    assert row.asked_usd == 0
    assert row.full_cost_usd is not None
    assert row.full_cost_usd < (asked.full_cost_usd or 0)
    assert await store.accounts.of_session(session.context.key) == [asked, row]
    assert not await other.costs_more()


async def test_an_observed_call_is_the_clients_own(world: World) -> None:
    """What the engine compiled stands beside what went upstream."""
    agent = world.agent(window=100_000).says("build it")
    agent.runs("c1", LOG)
    view = await agent.call()
    found = books.observed(books.facts(agent.session, view, stage="observed", usage=None, at=60.0))
    assert found.sent == found.full == view.full
    assert found.observed == view.tokens.total


async def test_a_read_back_is_told_from_work(world: World) -> None:
    """A call that only brings back what had left the window is pumice's own; one that does work beside it is not."""
    agent = world.agent(window=100_000).says("build it")
    agent.runs("c1", LOG)
    await agent.call()
    agent.runs("c2", "worker 7 compiled unit 55433", tool="read_range", pointer="workspace://artifacts/b3")
    found = books.facts(agent.session, await agent.call(), stage="compiled", usage=None, at=60.0)
    assert (found.full, found.read_backs) == (0, 1)
    assert 0 < found.read_back_tokens < 40
    agent.runs("c3", "made")
    view = await agent.call()
    work = books.facts(agent.session, view, stage="compiled", usage=None, at=90.0)
    assert work.read_backs == 0
    assert view.full - 90 < (work.full or 0) < view.full, "what was read back is no part of the client's own history"
