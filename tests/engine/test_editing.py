"""Edits a client asks for: decided once, the same bytes ever after, each clearing an epoch, nothing beyond what was asked."""

import json
from typing import Any

import pytest
from tests_support import code

from pumice import wire
from pumice.domain.edits import ClearThinking, ClearTools, Edit, Measure, Trigger
from pumice.engine.terms import Rung, Terms

USES = Trigger(4, Measure.USES)


def worked(agent: Any, steps: int, tool: str = "Read", thinking: str = "") -> Any:
    for at in range(len(agent.messages) // 2, len(agent.messages) // 2 + steps):
        agent.runs(f"c{at}", code(f"mod{at}", 40), tool=tool, file_path=f"src/mod{at}.py")
        if thinking:
            use = agent.messages[-2]["content"]
            agent.messages[-2]["content"] = [{"type": "thinking", "thinking": thinking, "signature": f"s{at}"}, *use]
    return agent


def edits(*asked: Edit) -> Terms:
    return Terms(Rung.HELD, edits=asked)


def results(view: Any) -> list[str]:
    blocks = [block for message in view.body["messages"] for block in message["content"] if isinstance(block, dict)]
    return [block["content"] for block in blocks if block["type"] == "tool_result"]


def cleared(view: Any) -> list[bool]:
    return [text.startswith("<pumice:cleared") for text in results(view)]


async def test_the_oldest_results_go_and_the_newest_stay(world: Any) -> None:
    """Above the trigger all but `keep` give way to a placeholder with a pointer that gives the text back; pairs stay whole."""
    agent = worked(world.agent(window=200_000).says("go"), 6)
    view = await agent.call(terms=edits(ClearTools(USES, keep=2)))
    assert cleared(view) == [True] * 4 + [False] * 2
    assert [(one.tools, one.count) for one in view.edited] == [(True, 4)]
    assert 0 < view.edited[0].tokens == pytest.approx(view.full - view.tokens.total, abs=4)
    assert wire.rules.check(view.raw, "anthropic") == ()
    name = results(view)[0].split("⋯ ")[1].split(" ")[0]
    assert (await agent.session.read_range(f"workspace://artifacts/{name}")).text == code("mod0", 40)


async def test_what_is_cleared_stays_so_and_only_what_stands_counts(world: Any) -> None:
    """Until the trigger is reached again each view is a prefix of the next; each clearing is one epoch."""
    agent, asked = worked(world.agent(window=200_000).says("go"), 5), edits(ClearTools(USES, keep=2))
    first = await agent.call(terms=asked)
    second = await worked(agent, 2).call(terms=asked)
    assert (first.epoch, second.epoch) == (1, 1)
    assert second.raw.startswith(first.raw[:-2])
    third = await worked(agent, 1).call(terms=asked)
    assert (third.epoch, cleared(third)) == (2, [True] * 6 + [False] * 2)
    assert results(third)[:3] == results(first)[:3]
    assert third.edited[0].count == 6


async def test_a_restart_and_a_request_without_edits_change_nothing(world: Any) -> None:
    """The decisions are on record: another process sends the same bytes, whether asked again or not."""
    agent = worked(world.agent(window=200_000).says("go"), 6)
    first = await agent.call(terms=edits(ClearTools(USES, keep=2)))
    other = world.engine().session(agent.session.id, policy="balanced", window=200_000)
    again = await other.compile(agent.body(), terms=edits(ClearTools(USES, keep=2)))
    assert (again.raw, again.epoch) == (first.raw, first.epoch)
    without = await agent.call(terms=Terms(Rung.HELD))
    assert (without.raw, without.edited) == (first.raw, ())


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (ClearTools(), []),
        (ClearTools(Trigger(6, Measure.USES), keep=0), []),
        (ClearTools(Trigger(5, Measure.USES)), [0, 1, 2]),
        (ClearTools(Trigger(1_000)), [0, 1, 2]),
        (ClearTools(USES, keep=2, exclude=("Read",)), []),
        (ClearTools(USES, keep=1, at_least=1_000_000), []),
        (ClearTools(USES, keep=5, at_least=100), [0]),
        (ClearTools(USES, keep=0), [0, 1, 2, 3, 4, 5]),
    ],
)
async def test_each_field_means_what_the_provider_says(world: Any, asked: ClearTools, expected: list[int]) -> None:
    """Defaults, triggers of both kinds, keep, exclude_tools, and clear_at_least, which clears nothing where out of reach."""
    view = await worked(world.agent(window=200_000).says("go"), 6).call(terms=edits(asked))
    assert [at for at, is_cleared in enumerate(cleared(view)) if is_cleared] == expected
    assert view.epoch == bool(expected)


@pytest.mark.parametrize(("inputs", "is_bare"), [(True, True), (("Read",), True), (("Bash",), False), (False, False)])
async def test_arguments_go_where_asked(world: Any, inputs: Any, is_bare: bool) -> None:
    """`clear_tool_inputs` takes true, or the names of tools; a call keeps its id and name."""
    view = await worked(world.agent(window=200_000).says("go"), 6).call(terms=edits(ClearTools(USES, inputs=inputs)))
    uses = [block for message in view.body["messages"] for block in message["content"] if "input" in block]
    assert [use["input"] == {} for use in uses] == [is_bare] * 3 + [False] * 3
    assert all(use["name"] == "Read" for use in uses)


async def test_thinking_of_old_turns_goes(world: Any) -> None:
    """All but the newest turns lose it, counted by turns; `all` and models that bind reasoning keep everything (K-A36)."""
    agent = world.agent(window=200_000)
    for at in range(3):
        worked(agent.says(f"Step {at}, please."), 2, thinking=f"Hm, {at}.")
    assert (await agent.call(terms=edits(ClearThinking()))).edited == ()
    view = await agent.call(terms=edits(ClearThinking(1), ClearTools(USES, keep=1)))
    assert [one.count for one in view.edited] == [5, 2]
    text = view.raw.decode()
    assert ("Hm, 0." in text, "Hm, 1." in text, text.count("Hm, 2.")) == (False, False, 2)
    assert wire.rules.check(view.raw, "anthropic") == ()
    bound = worked(world.agent(window=200_000, name="bound").says("go"), 6, thinking="Hm.")
    bound.model = "claude-opus-5-5"
    assert (await bound.call(terms=edits(ClearThinking(1)))).edited == ()


async def test_a_cut_of_the_policy_leaves_cleared_what_was_cleared(world: Any) -> None:
    """Where room runs out all the same, the policy cuts, and shows no result again that the client had cleared."""
    agent = worked(world.agent(window=30_000).says("go"), 6)
    await agent.call(terms=edits(ClearTools(USES, keep=1)))
    view = await worked(agent, 40).call()
    assert view.epoch > 1
    assert not any(code("mod1", 40) in text for text in results(view))


async def test_all_there_is_as_one_text(world: Any) -> None:
    """A request is condensed to a text well below it that holds a person's words; nothing is sent for it."""
    agent = worked(world.agent(window=200_000).says("Never touch migrations/."), 30)
    view = await agent.call(terms=Terms(Rung.HELD))
    request = wire.get("anthropic").open(json.dumps(agent.body()).encode())
    found = await agent.session.condense(request, view, "mod3")
    assert found.before == view.tokens.total
    assert 0 < found.output < 0.4 * view.tokens.total
    assert "Never touch migrations/." in found.text
    assert found.text.startswith("<pumice:")
