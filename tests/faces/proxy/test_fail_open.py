"""Whatever breaks in the engine or its store, the call goes through, on the next safe step of the ladder (DESIGN §7)."""

import asyncio
import json
import shutil
import sqlite3
import threading
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from gated import FaultAt, Gated, chat, step, worked

from pumice import wire
from pumice.errors import StoreError
from pumice.faces.proxy import assembly
from pumice.faces.proxy.gate import Call, Stage
from pumice.faces.proxy.turn import Turn
from pumice.store.home import open_store
from pumice.wire.double import Double, Say


def units(made: Turn) -> list[bytes]:
    return [unit.key for unit in wire.get("anthropic").units(made.body)]


def extends(before: Turn, after: Turn) -> bool:
    return units(after)[: len(units(before))] == units(before)


def broken(fault: FaultAt, **options: Any) -> Gated:
    return Gated(fault=fault, upstream=Double([Say("ok")] * 300), **options)


async def test_a_plan_that_breaks_falls_to_the_last_decisions_and_then_to_the_floor() -> None:
    """The last view and the new tail while they fit, then the floor as an epoch of cause fault; afterwards all is well."""
    fault = FaultAt()
    gated = broken(fault)
    bodies, turns = worked(chat("Never touch migrations/."), 42), []
    for at, body in enumerate(bodies):
        fault.point = "engine:plan" if 20 <= at < 36 else ""
        made, reply = await gated.send(body)
        assert reply.status == 200
        turns.append(made)
    stages = [made.stage for made in turns]
    assert set(stages[:20]) == set(stages[36:]) == {Stage.COMPILED}
    assert set(stages[20:36]) == {Stage.LAST_GOOD, Stage.FLOOR}
    assert stages.count(Stage.FLOOR) < 5, "between two floors the last view goes on"
    assert turns[25].told["x-pumice-fault"] == "RuntimeError"
    for before, after in pairwise(turns):
        assert before.told["x-pumice-epoch"] != after.told["x-pumice-epoch"] or extends(before, after)
        assert int(after.told["x-pumice-tokens"]) <= 30_000
    assert b"Never touch migrations/." in turns[-1].body
    await gated.close()


async def test_a_store_that_fails_costs_no_call_and_no_prefix() -> None:
    """Without a ledger the last view goes on with the client's new messages as they came, and so does the ledger after it."""
    fault = FaultAt(error=StoreError("The disk is full."))
    gated = broken(fault)
    log = "\n".join(f"compiling unit {at} of the tree" for at in range(300))
    body, turns = worked(chat("go"), 12)[-1], []
    for at in range(12):
        fault.point = "engine:before-append" if 4 <= at < 8 else ""
        body = step(body, f"log{at}", log if at == 5 else "done", tool="Bash")
        made, reply = await gated.send(body)
        assert reply.status == 200
        turns.append(made)
    assert [made.stage for made in turns[4:8]] == [Stage.LAST_GOOD] * 4
    assert [made.stage for made in turns[8:]] == [Stage.COMPILED] * 4
    assert all(extends(before, after) for before, after in pairwise(turns)), "what went out whole is not excerpted later"
    await gated.close()


async def test_without_a_last_view_the_clients_own_request_goes() -> None:
    """A store that fails from the first call on: every call is the client's own, told so."""
    gated = broken(FaultAt("engine:before-append", StoreError("gone")))
    for body in worked(chat("go"), 3):
        made, reply = await gated.send(body)
        assert (made.body, reply.status) == (made.call.body, 200)
        assert made.told["x-pumice-fault"] == "StoreError"
    await gated.close()


async def test_an_own_request_after_a_rewritten_one_lets_reasoning_go() -> None:
    """Where reasoning is bound to its prefix, falling back is an edit: the strict provider takes it, then and ever after."""
    fault = FaultAt()
    gated = Gated(upstream=Double([]), fault=fault, has_spare=False)
    body, sent = chat("go", model="claude-opus-5-5"), []
    for at in range(44):
        gated.upstream.then(Say("", thinking=f"thought {at}"))
        fault.point = "*" if at == 40 else ""
        made, reply = await gated.send(body)
        assert reply.status == 200, (at, reply.body[:300], made.stage)
        sent.append(made)
        answer = [block for block in json.loads(reply.body)["content"] if block["type"] == "thinking"]
        body = step(body, f"m{at}", "\n".join(f"line {line} of {at}" for line in range(200)), before=answer)
        if at == 39:
            for place in (one for places in gated.gate._places._buckets.values() for one in places):
                place.asked = None
    await gated.close()
    assert sent[39].stage is Stage.COMPILED
    assert sent[40].stage is Stage.CLIENT
    assert b"drop_block" in sent[40].body
    assert sent[41].view is not None
    assert sent[41].view.cause == "fault"
    assert b"drop_block" in sent[43].body


async def test_an_own_request_nobody_knows_the_past_of_lets_reasoning_go(tmp_path: Path) -> None:
    """After a restart without its store, a proxy cannot say whether a conversation was rewritten: mismatches may drop."""
    (tmp_path / "pumice.sqlite3").write_bytes(b"no database at all " * 400)
    gate = assembly.gate("balanced", home=tmp_path)

    async def sent(body: dict[str, Any]) -> tuple[bytes, bytes]:
        call = Call("anthropic", json.dumps(body).encode(), {}, "/v1/messages")
        return (await gate.prepare(call)).body, call.body

    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    body = step(chat("go", model="claude-opus-5-5"), "a", "x", before=[thought])
    assert b"drop_block" in (await sent(body))[0]
    stripped = json.loads((await sent({**body, "thinking": {"type": "disabled"}}))[0])
    assert [block["type"] for block in stripped["messages"][1]["content"]] == ["tool_use"]
    fresh, own = await sent(chat("another", model="claude-opus-5-5"))
    assert fresh == own
    await gate.close()


async def test_an_engine_that_hangs_is_left_behind() -> None:
    """After the time limit the last view goes on, and the next call of the conversation meets a fresh engine."""
    hang = threading.Event()
    stuck = False

    def fault(name: str) -> None:
        if stuck and name == "engine:plan":
            hang.wait(5)

    gated = Gated(fault=fault, seconds=0.05, upstream=Double([Say("ok")] * 9))
    bodies = worked(chat("go"), 4)
    first = await gated.prepare(bodies[0])
    stuck = True
    made = await gated.prepare(bodies[1])
    assert (made.stage, made.told["x-pumice-fault"]) == (Stage.LAST_GOOD, "TimeoutError")
    assert extends(first, made)
    stuck = False
    gated.gate._seconds = 5.0
    later = await gated.prepare(bodies[2])
    assert later.stage is Stage.COMPILED
    assert extends(made, later)
    hang.set()
    await gated.close()


@pytest.mark.parametrize("how", ["locked", "deleted", "damaged"])
async def test_a_store_on_disk_that_fails_while_running(tmp_path: Path, how: str) -> None:
    """Locked by another program, deleted, or overwritten with rubbish under a running proxy: no call and no prefix is lost."""
    home = tmp_path / "home"
    store = open_store(home, busy=0.02)
    gated = Gated(store, upstream=Double([Say("ok")] * 99))
    bodies, turns = worked(chat("go"), 36), []
    holder = None
    for at, body in enumerate(bodies):
        if at == 30 and how == "locked":
            holder = sqlite3.connect(home / "pumice.sqlite3")
            holder.execute("BEGIN EXCLUSIVE")
        if at == 30 and how == "deleted":
            shutil.rmtree(home)
        if at == 30 and how == "damaged":
            for file in home.glob("pumice.sqlite3*"):
                file.write_bytes(b"rubbish " * 5000)
        made, reply = await gated.send(body)
        assert reply.status == 200
        turns.append(made)
        if holder is not None and at == 32:
            holder.rollback()
            holder.close()
    assert {made.stage for made in turns} <= {Stage.COMPILED, Stage.LAST_GOOD, Stage.FLOOR}
    assert all(int(made.told["x-pumice-tokens"]) <= 30_000 for made in turns)
    for before, after in pairwise(turns[29:]):
        assert after.stage is not Stage.LAST_GOOD or extends(before, after)
    if how == "damaged":
        assert [made.stage for made in turns].count(Stage.FLOOR) == 1, "what had to be cut in memory stays cut"
    await gated.close()


async def test_a_damaged_store_at_the_start_stops_no_call(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The proxy starts without it, says so once to whoever runs it and on every call, and works again once it can be opened."""
    (tmp_path / "pumice.sqlite3").write_bytes(b"no database at all " * 400)
    gate = assembly.gate("balanced", home=tmp_path)
    call = Call("anthropic", json.dumps(chat("hello")).encode(), {}, "/v1/messages")
    made = await gate.prepare(call)
    assert (made.body, made.stage, made.told["x-pumice-fault"]) == (call.body, Stage.CLIENT, "StoreError")
    assert (await gate.prepare(call)).stage is Stage.CLIENT
    assert caplog.text.count("calls go through without it") == 1
    assert str(tmp_path) in caplog.text
    (tmp_path / "pumice.sqlite3").unlink()
    assembly.AGAIN, before = 0.0, assembly.AGAIN
    try:
        assert (await gate.prepare(call)).stage is Stage.COMPILED
    finally:
        assembly.AGAIN = before
    await gate.close()


async def test_a_client_that_leaves_while_the_engine_works_leaves_no_half_step() -> None:
    """A call cancelled in the gate is as if it had not come: the next one sends what an undisturbed one would."""
    gated, other = (Gated(upstream=Double([Say("ok")] * 99)) for _ in range(2))
    bodies = worked(chat("go"), 36)
    for at, body in enumerate(bodies):
        if at % 5 == 4:
            task = asyncio.ensure_future(gated.prepare(body))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        one, two = await gated.prepare(body), await other.prepare(body)
        assert one.body == two.body
    await gated.close()
    await other.close()
