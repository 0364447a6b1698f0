"""A proxy's gate whose disk becomes full and is freed again: python full_disk_child.py HOME.

It prints one line per call: its step, the provider's status, the size of its view, and whether it goes on from the one before.
"""

import asyncio
import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))

from gated import Gated, chat, step
from tests_support import code

from pumice import wire
from pumice.store.home import open_store
from pumice.wire.double import Double, Say

STEPS, FULL, FREE = 30, 10, 24
LOG = "\n".join(f"compiled unit {at} of the tree in {at % 7} s" for at in range(260))


def fill(home: Path, *, is_full: bool) -> None:
    """No file may grow beyond what the largest has now, or as far as it likes."""
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    largest = max(path.stat().st_size for path in home.rglob("*") if path.is_file())
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest if is_full else hard, hard))


def keys(body: bytes) -> list[bytes]:
    return [unit.key for unit in wire.get("anthropic").units(body)]


async def serve(home: Path) -> None:
    """Logs and files in turn, through a cut that is due while the disk is full."""
    gated = Gated(open_store(home), upstream=Double([Say("ok")] * STEPS))
    body, before = chat("Never touch migrations/."), list[bytes]()
    for at in range(STEPS):
        if at in (FULL, FREE):
            fill(home, is_full=at == FULL)
        is_log = at % 8 == 3
        body = step(body, f"m{at}", f"{LOG}\nlog {at}" if is_log else code(f"m{at}", 60), tool="Bash" if is_log else "Read")
        made, reply = await gated.send(body)
        goes_on = keys(made.body)[: len(before)] == before
        sys.stdout.write(f"{made.stage} {reply.status} {made.told['x-pumice-tokens']} {goes_on}\n")
        before = keys(made.body)
    await gated.close()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
