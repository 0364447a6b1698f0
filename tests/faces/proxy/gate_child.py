"""A proxy's gate in a process of its own, killed at a fault point: python gate_child.py HOME POINT NTH.

It prints one line per request that was handed out.
"""

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))

from gated import Gated, bodies_of, sha
from killing import KillAt

from pumice.store.home import open_store


async def serve(home: Path, fault: KillAt) -> None:
    """Call after call, each said once its request may be sent."""
    gated = Gated(open_store(home, fault=fault), fault=fault)
    for at, body in enumerate(bodies_of()):
        made = await gated.prepare(body)
        sys.stdout.write(f"{at} {made.stage} {sha(made.body)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), KillAt(sys.argv[2], int(sys.argv[3]))))
