"""A session that costs more than its text: what the provider reports is believed where no factor can explain it."""

from typing import Any

import pytest
from tests_support import Agent, World, words

from pumice.measure import tokens

REASONING = 3_500
"""Tokens a step's reasoning is billed with at every later call of the turn; its words are not shown to anyone."""


def think(agent: Agent, step: int) -> list[dict[str, Any]]:
    """One step: signed reasoning without words, a call, a short result."""
    call = {"type": "tool_use", "id": f"c{step}", "name": "Bash", "input": {"command": f"make step-{step}"}}
    content = [{"type": "thinking", "thinking": "", "signature": f"signed-{step}"}, call]
    agent.messages.append({"role": "assistant", "content": content})
    result = {"type": "tool_result", "tool_use_id": f"c{step}", "content": f"step {step} built and linked. " * 12}
    agent.messages.append({"role": "user", "content": [result]})
    return content


def billed(view: Any) -> int:
    """What the provider takes a view for."""
    blocks = [block for message in view.body["messages"] for block in message["content"] if isinstance(block, dict)]
    return view.tokens.head + 100 * len(blocks) + REASONING * sum(block["type"] == "thinking" for block in blocks)


@pytest.mark.parametrize("model", ["claude-fable-5-2", "claude-opus-4-6"])
async def test_reasoning_nobody_can_count_does_not_overflow_the_window(world: World, model: str) -> None:
    """Hidden reasoning of 3,500 tokens a step for 40 steps in 60,000: cut a few times, never past window less output."""
    agent = world.agent(window=60_000, model=model).says("build it")
    views = []
    for step in range(40):
        views.append(await agent.call())
        assert billed(views[-1]) < 59_000
        usage = {"input_tokens": billed(views[-1]), "output_tokens": 50}
        content = think(agent, step)
        await agent.session.record(
            {"id": f"m{step}", "type": "message", "role": "assistant", "content": content, "usage": usage}, views[-1]
        )
    assert 1 <= views[-1].epoch <= 8


async def test_growth_a_factor_explains_adds_nothing(world: World) -> None:
    """A provider that bills text at twice our count moves the factor, and nothing else."""
    agent = world.agent(window=60_000).says("build it")
    for step in range(6):
        view = await agent.call()
        usage = {"input_tokens": 2 * tokens.count(words(view.body)), "output_tokens": 50}
        await agent.session.record({"type": "message", "role": "assistant", "content": [], "usage": usage}, view)
        agent.runs(f"c{step}", "linked unit " * 400)
    assert agent.session.tree.current["main"].unexplained() == 0
