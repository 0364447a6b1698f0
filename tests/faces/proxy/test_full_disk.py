"""A disk that is full: every call goes through, what was acknowledged stays, and what was folded can be read back."""

import asyncio
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from pumice.engine.archive import Archive
from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.faces import settings
from pumice.store.home import open_store
from pumice.store.private import create_once

CHILD = Path(__file__).with_name("full_disk_child.py")


async def test_a_full_disk_costs_no_call_and_loses_nothing(tmp_path: Path) -> None:
    """While nothing can be written the last view goes on, then a floor; once there is room all that came is on record."""
    command = [sys.executable, str(CHILD), str(tmp_path)]
    child = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=60, check=True)
    steps, statuses, sizes, goes_on = zip(*(line.split() for line in child.stdout.splitlines()), strict=True)
    assert set(statuses) == {"200"}
    assert set(steps[:10]) == set(steps[24:]) == {"compiled"}
    assert set(steps[10:24]) == {"last-good", "floor"}
    assert all(int(size) <= 30_000 for size in sizes)
    assert all(same == "True" for same, step in zip(goes_on, steps, strict=True) if step == "last-good")
    async with AsyncEngine(open_store(tmp_path), Ports(clock=lambda: 0.0), settings.policy) as engine:
        (found,) = await engine.sessions()
        session = engine.session(found.key.session)
        tree = await session.loaded()
        (branch,) = {id(lane.branch): lane.branch for lane in tree.lanes.values()}.values()
        logs = [block.id for node in branch.nodes for block in node.blocks if "compiled unit" in block.text]
        assert [(await Archive(session).tail(name, 1)).text for name in logs] == ["log 3", "log 11", "log 19", "log 27"]


def test_a_key_that_cannot_be_written_leaves_no_half_of_it(tmp_path: Path) -> None:
    """Neither a file under its name nor a draft: each try on a full disk would leave another."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            create_once(tmp_path / "key", b"k")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(tmp_path.iterdir())
