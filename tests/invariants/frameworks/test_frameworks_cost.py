"""What users of other frameworks report of counting and cost (frameworks §3.4): what is counted, cached and asked for."""

import json
from itertools import pairwise
from typing import Any

import pytest
from conversations import Item, Use
from rows import Row, preface, sent
from scripted import Scripted, good
from summed import WENT, policy, saying, until_epoch
from tests_support import Agent, World

from pumice import wire
from pumice.domain.ports import Answer
from pumice.domain.summary import Ask
from pumice.wire import asking


async def test_row_42_what_is_encrypted_is_not_counted_as_text() -> None:
    """Row 42: forty thousand characters of sealed reasoning cost what reasoning costs, not what their letters would."""
    row = Row(window=200_000).user("Go.")
    small = await row.call()
    body = row.body()
    blob = {"type": "redacted_thinking", "data": "EqRkLm9x" * 5000}
    body["messages"] += [
        {"role": "assistant", "content": [blob, {"type": "text", "text": "so"}]},
        {"role": "user", "content": "on"},
    ]
    view = await row.session.compile(body, dialect="anthropic")
    assert view.tokens.total - small.tokens.total < len(blob["data"]) // 20
    assert blob["data"] in view.raw.decode()


async def test_row_43_the_whole_request_is_counted_and_bills_correct_it() -> None:
    """Row 43: system and tools are in the figure from the first call on, and a report of more moves the counter."""
    row = Row(window=100_000).user("Read.")
    row.system = "Be exact. " * 1500
    first = await row.call()
    assert first.tokens.head > 3000
    assert first.tokens.total == first.tokens.head + first.tokens.messages
    factors = []
    for at in range(12):
        view = await row.reads(1, 60).call()
        factors.append(view.manifest.factor)
        event = row.session.tree.calls[view.call]
        bill = {"input_tokens": round(1.6 * event.counted) + event.fixed, "output_tokens": 1}
        answer = {"id": f"m{at}", "type": "message", "role": "assistant", "model": "x", "content": [], "usage": bill}
        await row.session.record(answer)
    assert factors[-1] == pytest.approx(1.6 * factors[0], rel=0.3)


@pytest.mark.parametrize("name", ["balanced", "claude-code", "codex", "tool-rounds", "jev"])
async def test_row_46_the_trigger_and_the_cut_count_alike(name: str) -> None:
    """Row 46: right before a cut the view was within the line, right after it is what the plan said, tools and all."""
    row = Row(policy=policy(name)).user("Read.")
    view = await until_epoch(row, 1)
    economics = view.manifest.economics
    assert row.views[-2].tokens.messages < economics.before
    assert economics.after == pytest.approx(view.tokens.messages, rel=0.01, abs=20)


class Continuing(Scripted):
    """A model that can be asked at the end of the live view."""

    def __init__(self) -> None:
        super().__init__("fail")
        self.bodies: list[tuple[bytes, bytes]] = []

    async def continuing(self, ask: Ask, dialect: str, view: bytes) -> Answer:
        self.bodies.append((view, asking.continuing(ask, asking.Target(dialect, "claude-sonnet-4-5"), view)))
        return Answer(good(ask))


async def test_row_48_the_question_is_appended_to_the_live_prefix() -> None:
    """Row 48: tools, system and every message stand as they were last sent, so that the cache serves all but the question."""
    model = Continuing()
    row = Row(window=100_000, policy=policy("codex", model="same", template="pumice"), answering=model).user("Fix it.")
    row.reads(12, 60).user("And now?")
    view = await row.call()
    await row.session.compact()
    (live, question), *_ = model.bodies
    assert json.loads(live)["messages"] == sent(view)
    dialect = wire.get("anthropic")
    before, after = ([unit.key for unit in dialect.units(body)] for body in (live, question))
    assert after[: len(before)] == before
    assert json.loads(question)["tools"] == json.loads(live)["tools"]


async def test_row_49_notes_that_change_do_not_touch_what_stands_before_them() -> None:
    """Row 49: between cuts each request begins with the whole of the one before, system included, whatever is noted."""
    row = Row(window=60_000, policy="notes").user("Work.")
    views = []
    for at in range(10):
        row.uses("Noted: plan.", tool="update_notes", notes={"plan": f"step {at}"})
        views.append(await row.steps(1, 20))
    keys = [[unit.key for unit in wire.get("anthropic").units(view.raw)] for view in views]
    assert {json.loads(view.raw)["system"] for view in views} == {row.system}
    assert views[-1].epoch == 0
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(keys))


@pytest.mark.parametrize("name", ["balanced", "claude-code", "codex", "coding"])
async def test_row_50_signed_reasoning_is_verbatim_or_gone(name: str) -> None:
    """Row 50: every block of reasoning in any view is one the client sent, letter and signature."""
    row = Row(policy=name).user("Go.")
    for at in range(24):
        use = Use(f"t{at}", "Read", {"file_path": f"p{at}.py"}, "alpha beta " * 200)
        row.items.append(Item("assistant", f"so {at}", (use,), thinking=f"thought {at}"))
        view = await row.call()
        given = [part for message in row.body()["messages"] for part in message["content"] if is_reasoning(part)]
        shown = [part for message in sent(view) for part in message["content"] if is_reasoning(part)]
        assert all(part in given for part in shown)
    assert view.epoch > 0


def is_reasoning(part: Any) -> bool:
    return isinstance(part, dict) and part["type"] == "thinking"


async def test_row_53_bookkeeping_is_no_work_of_the_model() -> None:
    """Row 53: after a hundred calls two lines are a whole answer; which block is where is written by code."""
    model = Scripted(saying(WENT))
    row = Row(policy=policy("codex", tokens=900), answering=model).user("Fix it.")
    await row.steps(100, 15)
    view = await until_epoch(row, row.views[-1].epoch + 1)
    assert "It went on." in preface(view)
    assert all(ask.max_tokens == 900 for ask in model.asked)
    assert all("sha256" not in ask.prompt and "digest" not in ask.prompt for ask in model.asked)
    hidden = [one for one in view.manifest.rows if one.outcome == "fold"]
    assert len(hidden) > 100
    assert all(one.pointer == f"workspace://artifacts/{one.id}" for one in hidden)


@pytest.mark.parametrize("name", ["claude-code", "codex", "coding", "jev", "hybrid", "notes"])
async def test_row_54_a_cut_comes_back_from_the_store_as_it_was(name: str) -> None:
    """Row 54: another process on the same store has the same cut, summary, questions and all, and sends the same bytes."""
    world = World()
    world.model = Scripted(saying(WENT))
    agent: Agent = world.agent(policy=policy(name), window=12_000).says("Fix it.")
    for at in range(30):
        agent.runs(f"c{at}", "alpha beta " * 200, tool="Read", file_path=f"src/p{at}.py")
        view = await agent.call()
    other = world.agent(policy=policy(name), window=12_000)
    other.messages = agent.messages
    assert (await other.call()).raw == view.raw
    assert view.epoch > 0
    lanes = [one.session.tree.current["main"] for one in (agent, other)]
    assert lanes[0].cut == lanes[1].cut
    assert lanes[0].breaker == lanes[1].breaker
