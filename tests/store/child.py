"""A process of its own for tests that kill it, fill its disk, or race it: python child.py HOME ACTION [ARGUMENT …].

It prints one line per acknowledged step.
"""

import asyncio
import os
import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from killing import KillAt

from pumice.domain.event import Event, SessionKey
from pumice.errors import Conflict, PumiceError
from pumice.store.home import open_store

KEY = SessionKey("acme", "s")


def say(text: object) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def work_until_killed(home: Path, point: str, nth: str) -> None:
    """Append, put and forget in turn; dies at a fault point."""
    store = open_store(home, fault=KillAt(point, int(nth)))
    for number in range(1, 100):
        await store.ledger.append(KEY, [Event("message", f"{number}-{part}".encode()) for part in "ab"], tips={})
        say(f"event {number}")
        await store.artifacts.put(KEY, f"b{number}", f"artifact {number}".encode())
        say(f"artifact {number}")
        other = SessionKey("acme", f"other{number}")
        await store.ledger.append(other, [Event("message", b"SECRETTEXT")], tips={})
        await store.artifacts.put(other, "b1", f"bytes of {number}".encode())
        await store.forget(other)
        say(f"forgot {number}")


async def race(home: Path, name: str, count: str) -> None:
    """Append to one branch against others, loading what is new after each conflict."""
    store = open_store(home)
    tip = conflicts = 0
    for number in range(int(count)):
        while True:
            try:
                tip = await store.ledger.append(KEY, [Event("message", f"{name}{number}".encode())], tips={"main": tip})
                break
            except Conflict:
                conflicts += 1
                tip = (await store.ledger.load(KEY, after=tip))[-1].seq
    say(f"conflicts {conflicts}")
    await store.close()


async def fill(home: Path, what: str) -> None:
    """Write until the file size limit says no; print what was acknowledged and how it was refused."""
    store = open_store(home)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
    for number in range(1000):
        try:
            if what == "events":
                await store.ledger.append(KEY, [Event("message", os.urandom(20_000))], tips={})
            else:
                await store.artifacts.put(KEY, f"b{number}", os.urandom(30_000 * (number + 1)))
        except PumiceError as error:
            say(f"{type(error).__name__}: {error}")
            return
        say(number)


async def read_only(home: Path) -> None:
    """Try to write as a user who may only read."""
    os.setuid(65534)
    try:
        store = open_store(home)
        await store.ledger.append(KEY, [Event("message", b"x")], tips={})
    except PumiceError as error:
        say(f"{type(error).__name__}: {error}")


ACTIONS = {action.__name__: action for action in (work_until_killed, race, fill, read_only)}

if __name__ == "__main__":
    asyncio.run(ACTIONS[sys.argv[2]](Path(sys.argv[1]), *sys.argv[3:]))
