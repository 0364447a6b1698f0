"""What a policy or a tool's own definition says a tool does, beside the shipped table."""

import json
from typing import Any

import msgspec
import pytest
from tests_support import World

from pumice.commit.effects import Known, describe
from pumice.domain.block import Block, Kind, Origin, Role
from pumice.domain.effect import Effect
from pumice.domain.policy import Policy
from pumice.domain.state import Entry
from pumice.faces import settings
from pumice.wire.tools import declared


def call(tool: str, **arguments: Any) -> Block:
    raw = json.dumps({"type": "tool_use", "id": "c", "name": tool, "input": arguments}).encode()
    return Block("b1", Kind.CALL, Role.ASSISTANT, Origin.MODEL, "", raw, "h", call_id="c", tool=tool)


def head(*tools: dict[str, Any]) -> bytes:
    return json.dumps({"model": "m", "tools": tools}).encode()


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("refund", Effect.WRITE),
        ("mcp__shop__refund", Effect.WRITE),
        ("mcp__shop__look", Effect.READ),
        ("Bash", Effect.READ),
        ("lookup", Effect.READ),
        ("Read", Effect.READ),
        ("other", Effect.UNKNOWN),
    ],
)
def test_the_policy_wins_over_the_table_and_that_over_the_definition(tool: str, expected: Effect) -> None:
    """By exact name, without the server's name, by pattern; a definition speaks for tools nobody else knows."""
    known = Known(
        policy={"refund": Effect.WRITE, "mcp__shop__*": Effect.READ, "Bash": Effect.READ},
        declared={"lookup": Effect.READ, "Read": Effect.WRITE, "refund": Effect.READ},
    )
    assert describe(call(tool, command="rm -rf build"), None, known).effect is expected


@pytest.mark.parametrize(
    ("hints", "expected"),
    [
        ({"readOnlyHint": True}, Effect.READ),
        ({"readOnlyHint": True, "idempotentHint": True}, Effect.READ),
        ({"idempotentHint": True}, Effect.WRITE),
        ({"readOnlyHint": False}, Effect.WRITE),
        ({"destructiveHint": False}, Effect.WRITE),
        ({"title": "Refund"}, None),
        ({"readOnlyHint": "yes"}, None),
    ],
)
def test_hints_of_a_definition_are_read_in_either_dialect(hints: dict[str, Any], expected: Effect | None) -> None:
    """Only a read-only tool reads: one that may be called twice still changes something the first time."""
    flat = {"name": "t", "input_schema": {}, "annotations": hints}
    nested = {"type": "function", "function": {"name": "t", "parameters": {}, "annotations": hints}}
    beside = {"type": "function", "function": {"name": "t", "parameters": {}}, "annotations": hints}
    for tool in (flat, nested, beside):
        assert declared(head(tool)).get("t") is expected


@pytest.mark.parametrize("tools", ["null", '"annotations"', "[7]", '[{"annotations": 3}]', '{"annotations": []}'])
def test_odd_definitions_say_nothing(tools: str) -> None:
    """Whatever stands where tools should, nothing is read out of it."""
    assert set(declared(f'{{"tools":{tools},"x":"annotations"}}'.encode()).values()) <= {Effect.READ, Effect.WRITE}


def shop(policy: Policy, world: World) -> Any:
    """Refunds and look-ups, by tools no table knows."""
    agent = world.agent(policy=policy).says("Give the money back for order 4711.")
    for at in range(12):
        agent.runs(f"r{at}", "ok, refunded\n" * 150, tool="refund", order=f"{at}")
        agent.runs(f"l{at}", "found\n" * 150, tool="look_up", order=f"{at}")
    return agent.says("go on")


async def test_what_a_policy_says_counts_in_a_session(world: World) -> None:
    """A write is a side effect that is not to be repeated; a read is none, and its result may be dropped."""
    policy = msgspec.structs.replace(settings.policy("balanced"), effects={"refund": Effect.WRITE, "look_up": Effect.READ})
    agent = shop(policy, world)
    await agent.call()
    branch = agent.session.tree.current["main"].branch
    branch.settle()
    done = [item.key for item in branch.state.items if item.entry is Entry.SIDE_EFFECT]
    assert len(done) == 12
    assert all(key.startswith("refund") for key in done)


async def test_a_session_asked_for_again_takes_the_new_word(world: World) -> None:
    """The policy's part is a value of the session: another one is told anew what its tools do."""
    base = settings.policy("balanced")
    engine = world.engine()
    agent = shop(base, world)
    agent.session = engine.session("s", policy=base, window=30_000)
    await agent.call()
    again = engine.session("s", policy=msgspec.structs.replace(base, effects={"look_up": Effect.READ}), window=30_000)
    assert again is agent.session
    await agent.answers("ok").says("go on").call()
    uses = again.tree.current["main"].branch.uses.values()
    assert {use.effect for use in uses if use.tool == "look_up"} == {Effect.READ}
    assert {use.effect for use in uses if use.tool == "refund"} == {Effect.UNKNOWN}


async def test_definitions_count_after_a_restart_too(world: World) -> None:
    """What a tool's definition says is read from the head on record."""
    agent = shop(settings.policy("balanced"), world)
    tool = {"name": "look_up", "input_schema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
    for name in ("live", "again"):
        if name == "again":
            agent.session = world.engine().session("s", policy="balanced", window=30_000)
            agent.answers("ok").says("and on")
        await agent.session.compile({**agent.body(), "tools": [tool]}, dialect="anthropic")
        uses = agent.session.tree.current["main"].branch.uses.values()
        assert {use.effect for use in uses if use.tool == "look_up"} == {Effect.READ}
