"""Whole conversations of a client with many tools: the provider takes every request, and its cache stays warm."""

import json
from itertools import pairwise
from typing import Any

import pytest
from dieting import SEARCH, deferred, policy, sent, tool
from talks import Talk

from pumice.wire.double import Say, Use

NAMES = ("Read", *(f"mcp__hub__{verb}" for verb in ("list", "open", "merge", "close", "label", "assign", "search", "comment")))
TOOLS = [tool(name) for name in NAMES]
ROUNDS = 48


def script(*, thinking: bool = False) -> list[Say]:
    """An agent that mostly reads, and every sixth time uses another tool of its hub."""
    names = [NAMES[1 + at // 6 % 8] if at % 6 == 5 else "Read" for at in range(ROUNDS)]
    return [
        Say(f"Step {at}.", (Use(name, {"file_path": f"src/part_{at}.py"}),), thinking=f"Think {at}." if thinking else "")
        for at, name in enumerate(names)
    ]


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
async def test_the_provider_takes_every_request(stream: bool) -> None:
    """Deferred tools are searched for and used over many cuts and a restart: no refusal, one head, all tools still there."""
    talk = Talk("anthropic", script(), window=14_000, tools=TOOLS, policy=policy(), stream=stream, marks=True)
    await talk.says("Do it. Never touch migrations/.").runs(ROUNDS // 2)
    talk.restart()
    await talk.runs(ROUNDS // 2)
    assert talk.statuses == [200] * ROUNDS, talk.refusal()
    assert talk.views[-1].epoch > 2
    assert {json.dumps(sent(view)) for view in talk.views} == {json.dumps(sent(talk.views[0]))}
    assert deferred(talk.views[0]) == list(NAMES[1:])
    assert sent(talk.views[0])[-1] == SEARCH


async def test_reasoning_bound_to_its_prefix_stays_valid() -> None:
    """On a model that signs its reasoning over the loaded tools, a late server breaks nothing, for it waits (K-A35)."""
    thinks: dict[str, Any] = {"type": "adaptive", "display": "summarized"}
    talk = Talk(
        "anthropic",
        script(thinking=True),
        window=200_000,
        tools=TOOLS,
        policy=policy(),
        model="claude-fable-5-1",
        thinking=thinks,
    )
    await talk.says("Do it.").runs(12)
    talk.head["tools"] = [*TOOLS, tool("mcp__late__open"), tool("mcp__late__shut")]
    await talk.runs(12)
    assert talk.statuses == [200] * 24, talk.refusal()
    assert len({view.lane for view in talk.views}) == 2
    assert not any(view.headers for view in talk.views), "no reasoning had to be given up"


async def test_what_waits_is_not_paid_for() -> None:
    """The same conversation costs less input with the diet than without, call by call, until much has been found."""
    with_diet, without = (
        Talk("anthropic", script(), window=200_000, tools=TOOLS, policy=chosen, marks=True)
        for chosen in (policy(), policy(None))
    )
    for talk in (with_diet, without):
        await talk.says("Do it.").runs(12)
    pairs = list(zip(with_diet.views, without.views, strict=True))
    assert all(lean.tokens.total < full.tokens.total for lean, full in pairs)
    assert pairs[0][1].tokens.total - pairs[0][0].tokens.total > 500
    assert all(before.tokens.total < after.tokens.total for before, after in pairwise(with_diet.views))
