"""A process of its own that is killed in the middle of a call: python crash_child.py HOME POINT NTH.

It prints one line per view that was handed out.
"""

import asyncio
import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from killing import KillAt
from steady import ROUNDS, opened, run, sha, until

from pumice.errors import StoreError
from pumice.store.home import open_store


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def fill(home: Path) -> None:
    """Let every second call meet a full disk, then make room and call again."""
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    store = open_store(home)
    agent = opened(store)
    for at in range(1, ROUNDS + 1):
        until(agent, at)
        if at % 2 == 0:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
            try:
                await agent.call()
            except StoreError as error:
                say(f"StoreError {error}")
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        say(f"{at} {sha((await agent.call()).raw)}")
    await store.close()


if __name__ == "__main__":
    if sys.argv[2] == "full-disk":
        asyncio.run(fill(Path(sys.argv[1])))
        sys.exit(0)
    fault = KillAt(sys.argv[2], int(sys.argv[3]))
    run(Path(sys.argv[1]), fault, say, store_fault=fault)
