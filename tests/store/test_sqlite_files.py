"""The database file: who may read it, what it refuses, what it leaves behind."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pumice.domain.event import Event, SessionKey
from pumice.errors import StoreError
from pumice.store.database import Database
from pumice.store.home import open_store
from pumice.store.migrate import shipped
from pumice.store.sqlite import SqliteLedger

KEY = SessionKey("acme", "s")
LOOK = """import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(*connection.execute("SELECT count(*) FROM events").fetchone())
connection.close()"""
"""Another process that opens the file, says how many events it sees, and is gone."""


async def test_only_the_owner_may_read(tmp_path: Path) -> None:
    """Every file of a store is 0600 and every folder 0700, whatever the umask."""
    before = os.umask(0)
    try:
        store = open_store(tmp_path / "home")
        await store.ledger.append(KEY, [Event("message", b"x")], tips={})
        await store.artifacts.put(KEY, "b1", b"x")
        found = [tmp_path / "home", *(tmp_path / "home").rglob("*")]
        modes = {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in found}
        assert modes == {(True, 0o700), (False, 0o600)}
        assert {"pumice.sqlite3-wal", "identity.key"} <= {path.name for path in found}
        await store.close()
    finally:
        os.umask(before)


def test_a_restored_store_is_private_again(tmp_path: Path) -> None:
    """Files that others could read, as a copy leaves them, are closed to them when the store is opened."""
    asyncio.run(open_store(tmp_path).close())
    for path in tmp_path.iterdir():
        path.chmod(0o644)
    asyncio.run(open_store(tmp_path).close())
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


async def test_a_store_opened_twice_here_and_once_elsewhere_loses_nothing(tmp_path: Path) -> None:
    """A proxy with its MCP server, and other processes that come and go: they see what was acknowledged before."""
    path, seen = tmp_path / "pumice.sqlite3", []
    stores = [open_store(tmp_path) for _ in range(2)]
    for number in range(3):
        await stores[0].ledger.append(KEY, [Event("message", b"%d" % number)], tips={})
        looking = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", LOOK, path], capture_output=True, timeout=60)
        seen.append(int(looking.stdout))
    assert seen == [1, 2, 3]
    for store in stores:
        await store.close()


def test_migrations_are_applied_once_and_remembered(tmp_path: Path) -> None:
    """Opening again applies nothing; the names of what was applied stand in the file."""
    path = tmp_path / "x.sqlite3"
    for _ in range(2):
        asyncio.run(Database(path).close())
    with sqlite3.connect(path) as connection:
        assert [name for (name,) in connection.execute("SELECT name FROM migrations ORDER BY name")] == list(shipped())
    connection.close()
    assert next(iter(shipped())).startswith("0001_")


def test_every_session_table_names_its_owners() -> None:
    """Tenant, project and user are columns from the first migration on."""
    first = next(iter(shipped().values()))
    assert all(f"{column} TEXT NOT NULL" in first for column in ("tenant", "project", "user"))


def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    """A store written by a later version is not touched by this one."""
    path = tmp_path / "x.sqlite3"
    asyncio.run(Database(path).close())
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO migrations VALUES ('9999_future')")
    connection.commit()
    with pytest.raises(StoreError, match=r"newer pumice.*9999_future.*Upgrade"):
        Database(path)
    assert connection.execute("SELECT count(*) FROM migrations").fetchone() == (len(shipped()) + 1,)
    connection.close()


@pytest.mark.parametrize(
    "content", [b"this is a text file, long enough to be looked at\n" * 50, b"SQLite format 3\0" + b"\xaa" * 4080]
)
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    """A foreign or damaged file is a typed error, and stays as it is."""
    path = tmp_path / "x.sqlite3"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"no pumice database|damaged"):
        Database(path)
    assert path.read_bytes() == content


def test_a_folder_in_the_way_is_a_store_error(tmp_path: Path) -> None:
    """A path that cannot be opened names itself and what to do."""
    (tmp_path / "home").write_text("a file")
    with pytest.raises(StoreError, match="home"):
        open_store(tmp_path / "home")


async def test_a_locked_database_is_a_store_error_after_the_wait(tmp_path: Path) -> None:
    """Another process that holds the lock costs the configured wait, then says what to do; nothing is half written."""
    ledger = SqliteLedger(Database(tmp_path / "x.sqlite3", busy=0.05))
    other = sqlite3.connect(tmp_path / "x.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match=r"locked by another process.*try again"):
        await ledger.append(KEY, [Event("message", b"x")], tips={})
    assert await ledger.load(KEY) == []
    other.execute("ROLLBACK")
    other.close()
    assert await ledger.append(KEY, [Event("message", b"x")], tips={"main": 0}) == 1
    await ledger.close()


async def test_a_damaged_event_is_a_store_error(tmp_path: Path) -> None:
    """An event that cannot be unpacked is reported, not returned."""
    ledger = SqliteLedger(Database(tmp_path / "x.sqlite3"))
    await ledger.append(KEY, [Event("message", b"long " * 1000)], tips={})
    other = sqlite3.connect(tmp_path / "x.sqlite3")
    other.execute("UPDATE events SET data = x'00010203'")
    other.commit()
    other.close()
    with pytest.raises(StoreError, match="damaged"):
        await ledger.load(KEY)
    await ledger.close()


@pytest.mark.parametrize(("durability", "level"), [("process", 1), ("full", 2)])
async def test_durability_sets_what_a_commit_waits_for(tmp_path: Path, durability: str, level: int) -> None:
    """ "full" waits for the disk, "process" leaves it to the operating system."""
    database = Database(tmp_path / "x.sqlite3", durability=durability)  # type: ignore[arg-type]
    assert await database.write("look", lambda writing: writing.execute("PRAGMA synchronous").fetchone()) == (level,)
    await database.close()


async def test_forgotten_bytes_stand_in_no_file(tmp_path: Path) -> None:
    """After a forget, neither file nor log nor free pages hold the text, the branch, the name or the artifact."""
    store = open_store(tmp_path)
    for number in range(120):
        key = SessionKey("acme", f"stay-{number % 7}") if number % 3 else SessionKey("acme", "GONE-SESSION", user="GONE-USER")
        text = f"GONE-TEXT {number} " * (1 + number % 40) if key.user else "stays " * (number % 90)
        events = [Event("message", text.encode(), branch=f"GONE-BRANCH-{number}" if key.user else "main")]
        await store.ledger.append(key, events, tips={})
        if key.user:
            await store.artifacts.put(key, f"GONE-NAME-{number}", b"GONE-BYTES")
    assert b"GONE-TEXT" in everything(tmp_path)
    assert await store.forget(SessionKey("acme", "GONE-SESSION", user="GONE-USER")) == 80
    assert b"GONE" not in everything(tmp_path)
    await store.close()
    assert b"GONE" not in everything(tmp_path)


async def test_a_reader_that_holds_the_log_is_told_of(tmp_path: Path) -> None:
    """Forgetting does not claim that bytes are gone while another process still reads them; the next open finishes it."""
    ledger = SqliteLedger(Database(tmp_path / "x.sqlite3", busy=0.05))
    await ledger.append(KEY, [Event("message", b"GONE-TEXT")], tips={})
    reader = sqlite3.connect(tmp_path / "x.sqlite3", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM events").fetchall()
    with pytest.raises(StoreError, match="another process is reading"):
        await ledger.forget(KEY)
    reader.close()
    await ledger.close()
    await Database(tmp_path / "x.sqlite3").close()
    assert b"GONE" not in everything(tmp_path)


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
