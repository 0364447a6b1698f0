"""Sessions whose process is killed, whose store fails, or that two processes share: nothing acknowledged is lost."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from steady import NAME, ROUNDS, opened, reference, sha, until
from tests_support import words

from pumice.domain.event import SessionKey
from pumice.engine import journal
from pumice.engine.journal import Entry
from pumice.errors import Conflict, StoreError
from pumice.store.home import memory_store, open_store

CHILD = Path(__file__).with_name("crash_child.py")
POINTS = [
    ("engine:before-append", 1),
    ("engine:before-append", 9),
    ("engine:after-append", 1),
    ("engine:after-append", 9),
    ("append:before-commit", 8),
    ("append:after-commit", 8),
    ("artifact:before-rename", 1),
    ("artifact:after-commit", 2),
]


@pytest.fixture(scope="module")
def undisturbed() -> list[str]:
    return asyncio.run(reference())


def spawn(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CHILD), str(home), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(("point", "nth"), POINTS)
async def test_killed_at_any_point_a_session_goes_on_with_the_same_bytes(
    tmp_path: Path, undisturbed: list[str], point: str, nth: int
) -> None:
    """What was handed out before the kill is there, and every later view is what an undisturbed session sends (B-L7)."""
    child = spawn(tmp_path, point, str(nth))
    assert child.returncode == -signal.SIGKILL, child.stderr
    said = [line.split()[1] for line in child.stdout.splitlines()]
    assert said == undisturbed[: len(said)]
    assert len(said) < ROUNDS
    store = open_store(tmp_path)
    agent = opened(store)
    assert [sha(await agent.session.rebuild(call)) for call in range(1, len(said) + 1)] == said
    sent = [sha((await until(agent, at).call()).raw) for at in range(len(said) + 1, ROUNDS + 1)]
    assert sent == undisturbed[len(said) :]
    await store.close()


async def test_a_cut_that_was_begun_and_never_ended_is_healed(tmp_path: Path, undisturbed: list[str]) -> None:
    """A start marker without its end blocks nothing and hides nothing (B-L5)."""
    store = open_store(tmp_path)
    agent = opened(store)
    sent = [sha((await until(agent, at).call()).raw) for at in range(1, 8)]
    start = journal.write(Entry("main", journal.CutStart("main", "budget")), 1000.0)
    key = SessionKey("local", NAME)
    seen = await store.ledger.load(key)
    tip = max(event.seq for event in seen if event.branch == "main")
    await store.ledger.append(key, [start], tips={"main": tip})
    other = opened(store)
    sent += [sha((await until(other, at).call()).raw) for at in range(8, ROUNDS + 1)]
    assert sent == undisturbed
    await store.close()


class FailOnce:
    """Raises at a point, once."""

    def __init__(self, point: str, error: Exception) -> None:
        self.point, self.error = point, error

    def __call__(self, name: str) -> None:
        if name == self.point:
            self.point = ""
            raise self.error


@pytest.mark.parametrize("point", ["engine:before-append", "engine:after-append"])
@pytest.mark.parametrize("error", [StoreError("The store is gone."), Conflict("moved"), RuntimeError("a fault")], ids=repr)
async def test_a_step_that_fails_is_as_if_it_had_not_begun(point: str, error: Exception, undisturbed: list[str]) -> None:
    """Whatever breaks between two appends, the next call of the same session sends what an undisturbed one sends."""
    store, fault = memory_store(), FailOnce("", error)
    agent = opened(store, fault)
    for at in range(1, ROUNDS + 1):
        fault.point = point if at % 3 == 0 else ""
        until(agent, at)
        try:
            view = await agent.call()
        except type(error):
            view = await agent.call()
        assert sha(view.raw) == undisturbed[at - 1]


async def test_a_locked_store_is_said_and_waited_for(tmp_path: Path, undisturbed: list[str]) -> None:
    """While another program holds the database a call is refused in words; afterwards the session goes on."""
    store = open_store(tmp_path, busy=0.05)
    agent = opened(store)
    await until(agent, 1).call()
    holder = sqlite3.connect(tmp_path / "pumice.sqlite3")
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="locked by another process"):
        await until(agent, 2).call()
    holder.rollback()
    holder.close()
    sent = [sha((await until(agent, at).call()).raw) for at in range(2, ROUNDS + 1)]
    assert sent == undisturbed[1:]
    await store.close()


async def test_a_full_disk_is_said_and_the_session_goes_on(tmp_path: Path, undisturbed: list[str]) -> None:
    """When no byte more fits the call is refused in words; once there is room the same session goes on."""
    child = spawn(tmp_path, "full-disk", "0")
    assert child.returncode == 0, child.stderr
    said = child.stdout.splitlines()
    refused = [line for line in said if line.startswith("StoreError")]
    assert refused
    assert all("Free space" in line for line in refused)
    assert [line.split()[1] for line in said if line not in refused] == undisturbed


async def test_two_processes_on_one_session_send_the_same(tmp_path: Path, undisturbed: list[str]) -> None:
    """Two engines over one file, both compiling each call at once: one writes first, the other follows, both send the same."""
    stores = [open_store(tmp_path) for _ in range(2)]
    agents = [opened(store) for store in stores]
    for at in range(1, ROUNDS + 1):
        views = await asyncio.gather(*(until(agent, at).call() for agent in agents))
        assert [sha(view.raw) for view in views] == [undisturbed[at - 1]] * 2
    for store in stores:
        await store.close()


async def test_words_said_while_another_process_compacts_are_kept(tmp_path: Path) -> None:
    """What one process appends while the other works on an older tip is in the next view of both (B-L1, B-L2)."""
    stores = [open_store(tmp_path) for _ in range(2)]
    one, two = (until(opened(store), 9) for store in stores)
    await one.call()
    await two.call()
    one.says("Also never touch vendor/ from now on.")
    await asyncio.gather(one.call(), two.session.compact())
    two.messages = list(one.messages)
    assert "Also never touch vendor/ from now on." in words((await two.call()).body)
    assert "Also never touch vendor/ from now on." in words((await one.call()).body)
    for store in stores:
        await store.close()


async def test_interrupting_a_call_keeps_what_was_there(tmp_path: Path, undisturbed: list[str]) -> None:
    """A call cancelled at any moment leaves a session that sends what it would have sent (B-L4)."""
    store = open_store(tmp_path)
    agent = opened(store)
    for at in range(1, ROUNDS + 1):
        task = asyncio.ensure_future(until(agent, at).call())
        for _ in range(at):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert sha((await agent.call()).raw) == undisturbed[at - 1]
    await store.close()
