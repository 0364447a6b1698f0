"""A restart, a kill, a second proxy on the same store, a clock that jumps: the upstream sees the same bytes throughout."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from gated import Gated, bodies_of, chat, sha, worked

from pumice import wire
from pumice.faces.proxy.gate import Stage
from pumice.store.home import memory_store, open_store

CHILD = Path(__file__).with_name("gate_child.py")


async def _undisturbed() -> list[str]:
    gated = Gated(memory_store())
    found = [sha((await gated.prepare(body)).body) for body in bodies_of()]
    await gated.close()
    return found


@pytest.fixture(scope="module")
def expected() -> list[str]:
    """What one gate sends, call by call."""
    return asyncio.run(_undisturbed())


@pytest.mark.parametrize("mark", [{"x_claude_code_session_id": "s1"}, {}], ids=["named", "unnamed"])
async def test_two_proxies_on_one_store_send_the_same(tmp_path: Path, expected: list[str], mark: dict[str, str]) -> None:
    """One conversation, call by call over two gates in turn, and each call to both at once."""
    gates = [Gated(open_store(tmp_path)) for _ in range(2)]
    for at, body in enumerate(bodies_of()):
        if at % 3 == 2:
            sent = await asyncio.gather(*(gate.prepare(body, **mark) for gate in gates))
        else:
            sent = [await gates[at % 2].prepare(body, **mark)]
        assert {sha(made.body) for made in sent} == {expected[at]}
        assert {made.stage for made in sent} == {Stage.COMPILED}
    for gate in gates:
        await gate.close()


async def test_conversations_that_open_alike_stay_apart_over_two_proxies(tmp_path: Path) -> None:
    """Two runs of one agent, each call at another gate: either keeps its session and never sees the other's words."""
    gates = [Gated(open_store(tmp_path)) for _ in range(2)]
    runs = [worked(chat("Fix the build."), 24, name) for name in ("a", "b")]
    names: list[set[str]] = [set(), set()]
    for at in range(24):
        for run, bodies in enumerate(runs):
            made = await gates[(at + run) % 2].prepare(bodies[at])
            names[run].add(made.told["x-pumice-session"])
            assert ("def b3_", "def a3_")[run] not in made.body.decode()
    assert [len(found) for found in names] == [1, 1]
    assert names[0] != names[1]
    for gate in gates:
        await gate.close()


@pytest.mark.parametrize(("point", "nth"), [("engine:before-append", 19), ("append:after-commit", 18)])
async def test_killed_in_the_middle_of_a_cut_the_next_process_goes_on(
    tmp_path: Path, expected: list[str], point: str, nth: int
) -> None:
    """What was handed out before kill −9 is the prefix of what comes after: the same bytes as without it."""
    command = [sys.executable, str(CHILD), str(tmp_path), point, str(nth)]
    child = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=60)
    assert child.returncode == -signal.SIGKILL, child.stderr
    said = [line.split() for line in child.stdout.splitlines()]
    assert [told[2] for told in said] == expected[: len(said)]
    gated = Gated(open_store(tmp_path))
    later = [sha((await gated.prepare(body)).body) for body in bodies_of()[len(said) :]]
    assert later == expected[len(said) :]
    await gated.close()


async def test_a_clock_that_jumps_back_changes_nothing(expected: list[str]) -> None:
    """By years, in the middle of a session: same bytes, same epochs."""
    gated = Gated()
    for at, body in enumerate(bodies_of()):
        gated.now = 10.0 * at - (3e8 if at > 12 else 0)
        assert sha((await gated.prepare(body)).body) == expected[at]
    await gated.close()


async def test_a_clock_that_jumps_ahead_makes_a_cache_cold_and_nothing_else() -> None:
    """By years: one cut where the old prefix is no longer cached, each request still the next one's beginning otherwise."""
    gated, before, cuts = Gated(), list[bytes](), []
    for at, body in enumerate(bodies_of()):
        gated.now = 10.0 * at + (3e8 if at > 12 else 0)
        made, reply = await gated.send(body)
        assert (made.stage, reply.status) == (Stage.COMPILED, 200)
        keys = [unit.key for unit in wire.get("anthropic").units(made.body)]
        cuts += [] if keys[: len(before)] == before else [at]
        before = keys
    assert cuts[0] == 13
    assert len(cuts) == 2
    await gated.close()
