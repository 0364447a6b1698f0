"""`--observe` changes nothing and says what would have been; a session that costs more is left alone by itself (F-H10)."""

import asyncio

import msgspec
from gated import Gated, chat, worked

from pumice.faces.proxy.gate import Stage
from pumice.faces.proxy.observing import ObserveGate
from pumice.wire.double import Double, Say


async def test_observed_calls_go_through_and_stand_on_the_books() -> None:
    """Every byte is the client's; on record is the smaller view, and what it would have cost beside what was paid."""
    gated = Gated(kind=ObserveGate, upstream=Double([Say("ok")] * 99))
    for body in worked(chat("go", stream=True), 26):
        made, reply = await gated.send(body)
        assert (made.body, made.stage, reply.status) == (made.call.body, Stage.OBSERVED, 200)
    rows = await gated.store.accounts.since("local")
    assert [row.stage for row in rows] == ["observed"] * 26
    last = rows[-1]
    assert last.observed is not None
    assert last.sent is not None
    assert last.observed < 30_000 < last.sent
    assert last.is_own
    assert last.key.session.startswith("auto-observed-")
    await gated.close()


async def test_what_was_only_observed_binds_nothing() -> None:
    """A proxy that compiles later adopts the conversation: no decision nobody was sent is in force."""
    watching = Gated(kind=ObserveGate, upstream=Double([Say("ok")] * 99))
    bodies = worked(chat("go"), 30)
    for body in bodies:
        await watching.send(body)
    await watching.close()
    gated = Gated(watching.store, window=100_000)
    made = await gated.prepare(bodies[-1])
    assert (made.body, made.told["x-pumice-epoch"]) == (made.call.body, "0")
    await gated.close()


async def test_a_fault_beside_an_observed_call_is_on_nobody() -> None:
    """The call has its answer; the fault is raised to whoever records it, and counted there."""

    def fault(name: str) -> None:
        raise RuntimeError(name)

    gated = Gated(kind=ObserveGate, fault=fault, upstream=Double([Say("ok")]))
    made = await gated.prepare(chat("go"))
    assert gated.ask(made).status == 200
    await gated.gate.broken(made)
    await asyncio.sleep(0)
    await gated.close()


async def test_a_session_that_costs_more_is_left_alone() -> None:
    """Once the books say so, the client's own requests go, in this process and the next; reasoning that moved may go."""
    gated = Gated(upstream=Double([Say("ok")] * 99))
    bodies = worked(chat("go", model="claude-opus-5-5"), 12)
    made, _ = await gated.send(bodies[0])
    assert made.stage is Stage.COMPILED
    (row,) = await gated.store.accounts.since("local")
    for at in range(40):
        lost = msgspec.structs.replace(row, at=row.at + at, epoch=at // 4, cost_usd=2.0, full_cost_usd=0.1, is_own=False)
        await gated.store.accounts.add(lost)
    await gated.close()
    other = Gated(gated.store, upstream=Double([Say("ok")] * 99))
    stages = [(await other.send(body))[0].stage for body in bodies[1:4]]
    assert stages == [Stage.COMPILED, Stage.OFF, Stage.OFF]
    await other.close()
    third = Gated(gated.store, upstream=Double([]))
    assert (await third.prepare(bodies[5])).stage is Stage.OFF
    await third.close()
