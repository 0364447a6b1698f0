"""Cache reads held against what was foretold: a miss that nothing of the client's asked for names its cause (F-A5, K-C8)."""

from collections.abc import Callable
from typing import Any

import pytest
from tests_support import Agent, World, code

TOOLS = [{"name": name, "input_schema": {"type": "object", "properties": {}}} for name in ("Bash", "Read")]
VERSION = "x-anthropic-billing-header: cc_version=2.1.197.abc; cc_entrypoint=cli;"
MARKER = {"cache_control": {"type": "ephemeral"}}


class Client(Agent):
    """It declares tools, marks its head for the cache, and may spell the head otherwise from one call on."""

    more: dict[str, Any]

    def body(self) -> dict[str, Any]:
        return {**super().body(), "tools": TOOLS, **getattr(self, "more", {})}


def answer(reported: int, read: int) -> dict[str, Any]:
    usage = {"input_tokens": reported - read, "cache_read_input_tokens": read, "output_tokens": 10}
    return {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": [], "usage": usage}


async def client(world: World, *, scale: float = 1.0) -> Client:
    """A client whose cache has worked for three calls, billed at `scale` times our count."""
    found = Client(world.agent(window=100_000).session)
    found.system = [{"type": "text", "text": VERSION}, {"type": "text", "text": "You are careful.", **MARKER}]
    found.says("go")
    sizes = [0]
    for at in range(3):
        found.runs(f"c{at}", code(f"mod{at}", 40))
        view = await found.call()
        sizes.append(round(view.tokens.total * scale))
        await found.session.record(answer(sizes[-1], sizes[-2]))
    return found


async def told(agent: Client, *, read: int = 0) -> tuple[str, ...]:
    """What the call after one more is warned of, whose bill shows so many tokens read."""
    missed = await agent.runs("d", "ok").call()
    await agent.session.record(answer(missed.tokens.total, read))
    warnings: tuple[str, ...] = (await agent.runs("e", "ok").call()).manifest.warnings
    return warnings


def later(agent: Client, world: World) -> None:
    world.now += 400.0


def reordered(agent: Client, world: World) -> None:
    agent.more = {"tools": TOOLS[::-1]}


def rebuilt(agent: Client, world: World) -> None:
    agent.system = [{"type": "text", "text": VERSION.replace("abc", "d0f")}, *agent.system[1:]]


def chosen(agent: Client, world: World) -> None:
    agent.more = {"tool_choice": {"type": "any"}}


def unmarked(agent: Client, world: World) -> None:
    agent.system = [{key: value for key, value in block.items() if key != "cache_control"} for block in agent.system]


def crowded(agent: Client, world: World) -> None:
    for at in range(12):
        agent.runs(f"p{at}", "ok")


def quiet(agent: Client, world: World) -> None:
    """Nothing happens."""


@pytest.mark.parametrize(
    ("happens", "cause"),
    [
        (later, "400 seconds had passed"),
        (reordered, "the head is spelled otherwise than before: tools (they came in another order)"),
        (rebuilt, "the head is spelled otherwise than before: system[0].text ("),
        (chosen, "the head is spelled otherwise than before: tool_choice (its text is another)"),
        (unmarked, "no cache marker"),
        (crowded, "26 blocks came after the marker before"),
        (quiet, "nothing of ours had moved"),
    ],
)
async def test_lost_cache_hits_are_told_with_their_cause(
    world: World, happens: Callable[[Client, World], None], cause: str
) -> None:
    """What was foretold to be read and was not, where the cache had worked before."""
    agent = await client(world)
    happens(agent, world)
    (warning,) = await told(agent)
    assert " read 0 tokens from the cache, " in warning
    assert cause in warning


async def test_a_count_that_is_off_is_no_miss(world: World) -> None:
    """What is shared with the view before is held against its bill: a provider that counts less has missed nothing."""
    agent = await client(world, scale=0.7)
    before = agent.session.tree.responses[3].reported
    assert before is not None
    assert await told(agent, read=before) == ()
