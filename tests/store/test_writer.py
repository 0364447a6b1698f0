"""The writing thread: group commit, cancellation, neighbours."""

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest

from pumice.domain.event import Event, SessionKey
from pumice.errors import PumiceError, StoreError
from pumice.store.database import Database
from pumice.store.sqlite import SqliteLedger

KEY = SessionKey("acme", "s")


class Gate:
    """A fault that records every point and holds the writer at the first one until opened."""

    def __init__(self) -> None:
        self.points: list[str] = []
        self.reached = threading.Event()
        self.open = threading.Event()

    def __call__(self, name: str) -> None:
        self.points.append(name)
        self.reached.set()
        self.open.wait(10)


def event(text: str) -> Event:
    return Event("message", text.encode())


async def held(tmp_path: Path) -> tuple[SqliteLedger, Gate, "asyncio.Task[int]"]:
    """A ledger whose writer stands inside its first append."""
    gate = Gate()
    ledger = SqliteLedger(Database(tmp_path / "x.sqlite3", fault=gate))
    first = asyncio.ensure_future(ledger.append(KEY, [event("first")], tips={}))
    await asyncio.to_thread(gate.reached.wait, 10)
    return ledger, gate, first


async def test_what_waits_is_committed_together(tmp_path: Path) -> None:
    """Appends that queue while one is being written share one transaction."""
    ledger, gate, first = await held(tmp_path)
    waiting = [asyncio.ensure_future(ledger.append(KEY, [event(str(number))], tips={})) for number in range(3)]
    await asyncio.sleep(0)
    gate.open.set()
    assert await asyncio.gather(first, *waiting) == [1, 2, 3, 4]
    assert gate.points[2:] == ["append:before-commit"] * 3 + ["append:after-commit"] * 3
    await ledger.close()


async def test_cancelled_before_it_began_is_never_written(tmp_path: Path) -> None:
    """An append cancelled in the queue leaves no trace."""
    ledger, gate, first = await held(tmp_path)
    waiting = asyncio.ensure_future(ledger.append(KEY, [event("never")], tips={}))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    gate.open.set()
    await first
    assert [kept.data for kept in await ledger.load(KEY)] == [b"first"]
    await ledger.close()


async def test_cancelled_while_written_is_committed_whole(tmp_path: Path) -> None:
    """An append cancelled while it is being written stands complete."""
    ledger, gate, first = await held(tmp_path)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    gate.open.set()
    assert await ledger.append(KEY, [event("second")], tips={"main": 1}) == 2
    assert [kept.data for kept in await ledger.load(KEY)] == [b"first", b"second"]
    await ledger.close()


async def test_a_bad_change_does_not_fail_its_neighbours(tmp_path: Path) -> None:
    """Of changes that share a transaction, only the one that cannot be written is refused."""
    ledger, gate, first = await held(tmp_path)
    changes = [
        ledger.append(KEY, [event("good")], tips={}),
        ledger.append(KEY, [Event(None, b"x")], tips={}),  # type: ignore[arg-type]
        ledger.append(KEY, [event("stale")], tips={"main": 99}),
        ledger.append(KEY, [event("fine")], tips={}),
    ]
    waiting = [asyncio.ensure_future(change) for change in changes]
    await asyncio.sleep(0)
    gate.open.set()
    answers = await asyncio.gather(first, *waiting, return_exceptions=True)
    assert [answer for answer in answers if isinstance(answer, int)] == [1, 2, 3]
    assert all(isinstance(answer, PumiceError) for answer in answers if not isinstance(answer, int))
    assert [kept.data for kept in await ledger.load(KEY)] == [b"first", b"good", b"fine"]
    await ledger.close()


async def test_a_fault_before_the_commit_leaves_nothing(tmp_path: Path) -> None:
    """What fails inside its transaction is rolled back, and the writer goes on."""
    database = Database(tmp_path / "x.sqlite3")

    def fails(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO sessions (tenant, project, user, name) VALUES ('t', '', '', 'half')")
        raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        await database.write("broken", fails)
    assert await database.read(lambda reading: reading.execute("SELECT count(*) FROM sessions").fetchone()) == (0,)
    assert await SqliteLedger(database).append(KEY, [event("a")], tips={"main": 0}) == 1
    await database.close()


async def test_a_closed_store_says_so(tmp_path: Path) -> None:
    """Use after close is a typed error; what was queued before it is finished; closing twice is fine."""
    ledger = SqliteLedger(Database(tmp_path / "x.sqlite3"))
    queued = [asyncio.ensure_future(ledger.append(KEY, [event(str(number))], tips={})) for number in range(20)]
    await asyncio.sleep(0)
    await ledger.close()
    assert await asyncio.gather(*queued) == list(range(1, 21))
    await ledger.close()
    with pytest.raises(StoreError, match="is closed"):
        await ledger.append(KEY, [event("x")], tips={})
    with pytest.raises(StoreError, match="is closed"):
        await ledger.load(KEY)


async def test_a_reader_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    """Loading goes on while an append stands before its commit, and does not see it."""
    ledger, gate, first = await held(tmp_path)
    assert await asyncio.wait_for(ledger.load(KEY), 5) == []
    gate.open.set()
    await first
    await ledger.close()
