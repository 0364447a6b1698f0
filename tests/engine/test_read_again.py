"""A section that is read back again and again stays in view from the next epoch on (F-E3)."""

import json
from typing import Any

from msgspec.structs import replace
from tests_support import Agent, World, code, words

from pumice.domain.block import Kind
from pumice.domain.policy import Budget, Policy, Recent

PLAIN = Policy("plain", budget=Budget(act=0.6, to=0.3), order=("recent",), recent=Recent(shape="oldest"))


async def grow(agent: Agent, to_epoch: int) -> Any:
    """Work on until an epoch has begun; the last view."""
    for _ in range(40):
        agent.runs(f"c{agent.calls}", code(f"mod{agent.calls}", 8), tool="Read", file_path=f"src/mod{agent.calls}.py")
        view = await agent.call()
        if view.epoch >= to_epoch:
            return view
    raise AssertionError("no epoch began")


async def read(agent: Agent, name: str, times: int, offset: int = 3) -> str:
    for _ in range(times):
        agent.session.reads.reset()
        found = await agent.session.read_range(name, offset, 3)
    return found.text


def started(world: World, policy: Policy = PLAIN) -> Agent:
    return world.agent(policy=policy, window=10_000).says("Look at the modules one by one.")


async def folded(agent: Agent) -> list[str]:
    """The results that have left the view, by name."""
    rows, blocks = (await grow(agent, 1)).manifest.rows, agent.session.blocks()
    return [row.id for row in rows if row.outcome == "fold" and row.id in blocks and blocks[row.id].kind is Kind.RESULT]


async def test_what_was_read_three_times_stands_in_the_next_preface(world: World) -> None:
    """Verbatim, under the block's name and lines; until then nothing that was sent changes, and a new process knows it."""
    agent = started(world)
    name = (await folded(agent))[0]
    before = (await agent.call()).raw
    text = await read(agent, name, 3)
    assert (await agent.call()).raw == before
    view = await grow(agent, 2)
    assert json.dumps(f"⋯ {name} lines 3 to 5\n{text}\n", ensure_ascii=False)[1:-1] in words(view.body["messages"][0])
    [row] = [row for row in view.manifest.rows if row.id == "preface:read_again"]
    assert (row.partition, row.authority, row.sources) == ("tools", "none", (name,))
    again = started(world)
    again.messages, again.calls = agent.messages, agent.calls
    assert (await again.call()).raw == view.raw


async def test_two_reads_or_three_sections_are_no_reason(world: World) -> None:
    """Only what is about the same lines counts."""
    agent = started(world)
    name = (await folded(agent))[0]
    text = await read(agent, name, 2)
    await read(agent, name, 1, offset=6)
    assert text not in words((await grow(agent, 2)).body)


async def test_an_edit_lets_a_section_go(world: World) -> None:
    """It shows how the file was: no evidence any more."""
    agent = started(world)
    name = (await folded(agent))[0]
    text = await read(agent, name, 3)
    path = next(
        part["input"]["file_path"]
        for message in agent.messages
        for part in message["content"]
        if isinstance(part, dict)
        and part["type"] == "tool_use"
        and text.partition("_")[0].split()[-1] in part["input"]["file_path"]
    )
    agent.runs("edit", "ok", tool="Edit", file_path=path, old_string="a", new_string="b")
    view = await grow(agent, 2)
    assert "preface:read_again" not in {row.id for row in view.manifest.rows}


async def test_sections_keep_to_the_budget_of_pins(world: World) -> None:
    """What does not fit is pointed at, and the manifest says so."""
    small = replace(PLAIN, pins=replace(PLAIN.pins, budget=0), offload=replace(PLAIN.offload, repin_after_reads=2))
    agent = started(world, small)
    for name in 2 * (await folded(agent))[:3]:
        agent.session.reads.reset()
        await agent.session.read_range(name)
    view = await grow(agent, 2)
    assert "1 sections read again and again are only pointed at: over the budget of pins" in view.manifest.warnings
