"""Real processes: killed, racing, and out of disk."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pumice.domain.event import Event, SessionKey
from pumice.store.home import open_store

CHILD = Path(__file__).with_name("child.py")
KEY = SessionKey("acme", "s")


def start(home: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(CHILD), str(home), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(child: subprocess.Popen[str]) -> list[str]:
    said, complaint = child.communicate(timeout=60)
    assert child.returncode in (0, -signal.SIGKILL), complaint
    return said.splitlines()


def let_others_read(home: Path) -> None:
    for path in (home, *home.iterdir()):
        path.chmod(0o755 if path.is_dir() else 0o444)
    for parent in home.parents:
        if parent.stat().st_uid == os.getuid() and parent not in (Path("/"), Path("/tmp")):
            parent.chmod(parent.stat().st_mode | stat.S_IXOTH | stat.S_IROTH)


POINTS = [
    "append:before-commit",
    "append:after-commit",
    "artifact:before-rename",
    "artifact:before-commit",
    "artifact:after-commit",
    "forget:before-commit",
    "forget:after-commit",
    "unlink:before-commit",
    "unlink:after-commit",
]


@pytest.mark.parametrize("point", POINTS)
async def test_killed_anywhere_nothing_acknowledged_is_lost(tmp_path: Path, point: str) -> None:
    """After a kill at any point the next open finds all that was acknowledged, nothing half written, and goes on."""
    child = start(tmp_path, "work_until_killed", point, "6")
    said = finish(child)
    assert child.returncode == -signal.SIGKILL
    store = open_store(tmp_path)
    events = [event.data.decode() for event in await store.ledger.load(KEY)]
    acknowledged = [line.split()[1] for line in said if line.startswith("event")]
    assert events[: 2 * len(acknowledged)] == [f"{number}-{part}" for number in acknowledged for part in "ab"]
    assert len(events) % 2 == 0, "an append is all or nothing"
    for line in said:
        if line.startswith("artifact"):
            assert await store.artifacts.get(KEY, f"b{line.split()[1]}") == line.encode()
    for name in await store.artifacts.names(KEY):
        await store.artifacts.get(KEY, name)
    assert await store.ledger.append(KEY, [Event("message", b"on")], tips={}) == len(events) + 1
    await store.close()


@pytest.mark.parametrize("point", ["forget:after-commit", "unlink:before-commit", "unlink:after-commit"])
async def test_a_killed_forget_is_finished_by_the_next_open(tmp_path: Path, point: str) -> None:
    """Once the rows are gone, so are the files and every byte of them, though the process died in between."""
    finish(start(tmp_path, "work_until_killed", point, "3"))
    store = open_store(tmp_path)
    gone = [number for number in range(1, 4) if not await store.ledger.load(SessionKey("acme", f"other{number}"))]
    named = len(await store.artifacts.names(KEY))
    for number in range(1, 4):
        named += len(await store.artifacts.names(SessionKey("acme", f"other{number}")))
    await store.close()
    assert gone
    assert len(list((tmp_path / "artifacts").glob("??/??/*"))) == named


async def test_orphan_files_are_harmless_and_collected(tmp_path: Path) -> None:
    """A file written by a process that died before its name was is no trouble and goes with the next collection."""
    finish(start(tmp_path, "work_until_killed", "artifact:before-commit", "3"))
    finish(start(tmp_path, "work_until_killed", "artifact:before-rename", "5"))
    store = open_store(tmp_path)
    files = list((tmp_path / "artifacts").glob("??/??/*"))
    named = await store.artifacts.names(KEY)
    removed = await store.artifacts.collect()  # type: ignore[attr-defined]
    assert removed >= 1
    assert len(list((tmp_path / "artifacts").glob("??/??/*"))) == len(files) - removed
    for name in named:
        await store.artifacts.get(KEY, name)
    await store.close()


async def test_two_processes_on_one_session_lose_no_event(tmp_path: Path) -> None:
    """Writers in two processes take turns on one branch; each event stands exactly once, each writer's in its order."""
    await open_store(tmp_path).close()
    racers = [start(tmp_path, "race", name, "150") for name in "xy"]
    said = [finish(racer) for racer in racers]
    assert sum(int(line.split()[1]) for lines in said for line in lines) > 0, "they did meet"
    store = open_store(tmp_path)
    events = [event.data.decode() for event in await store.ledger.load(KEY)]
    for name in "xy":
        assert [event for event in events if event.startswith(name)] == [f"{name}{number}" for number in range(150)]
    assert len(events) == 300
    await store.close()


@pytest.mark.parametrize("what", ["events", "artifacts"])
async def test_full_disk_is_a_store_error_and_loses_nothing(tmp_path: Path, what: str) -> None:
    """When no byte more can be written, the writer is told so in words, and all acknowledged before stays."""
    *acknowledged, refused = finish(start(tmp_path, "fill", what))
    assert refused.startswith("StoreError")
    assert "Free space; what was acknowledged is safe." in refused
    store = open_store(tmp_path)
    kept = await (store.ledger.load(KEY) if what == "events" else store.artifacts.names(KEY))
    assert len(kept) == len(acknowledged) > 0
    for name in kept if what == "artifacts" else ():
        await store.artifacts.get(KEY, str(name))
    assert not list((tmp_path / "artifacts").glob("??/??/*.part"))
    await store.close()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become a user without rights")
async def test_read_only_store_says_so(tmp_path: Path) -> None:
    """A user without the right to write gets a typed error that says what to do, not a traceback."""
    store = open_store(tmp_path)
    await store.ledger.append(KEY, [Event("message", b"x")], tips={})
    await store.close()
    let_others_read(tmp_path)
    (refused,) = finish(start(tmp_path, "read_only"))
    assert refused.startswith("StoreError")
    assert "PUMICE_HOME" in refused
