"""Every call of a conversation is on the books, also one that went through without the engine."""

from gated import Gated, chat, step

from pumice.domain.account import Account
from pumice.faces.proxy.gate import Stage
from pumice.wire.double import Double, Say


async def rows(gated: Gated) -> list[Account]:
    return await gated.store.accounts.since("local")


async def test_calls_that_pass_are_booked_beside_those_that_do_not() -> None:
    """A switched-off call in a conversation neither saves nor loses; streams are heard as plain answers are."""
    gated = Gated(upstream=Double([Say("ok")] * 9))
    body = chat("build it")
    await gated.send(body)
    body = step(body, "a", "made")
    off, _ = await gated.send({**body, "stream": True}, x_pumice="off")
    body = step(body, "b", "made again")
    await gated.send(body)
    found = await rows(gated)
    assert off.stage is Stage.OFF
    assert [row.stage for row in found] == [Stage.COMPILED, Stage.OFF, Stage.COMPILED]
    assert [row.saved_usd for row in found] == [0.0, 0.0, 0.0]
    assert len({row.key for row in found}) == 1
    assert found[1].sent is not None
    await gated.close()
