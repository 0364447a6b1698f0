"""What Codex does between calls (reference: real clients), with pumice between it and a strict provider of Responses."""

import json
from itertools import pairwise
from typing import Any

import pytest
from tests_support import World, code

from pumice import wire
from pumice.domain.decision import Cause
from pumice.engine.call import View
from pumice.wire import rules
from pumice.wire.double import Double, Say, Use

R = wire.get("openai-responses")
CONTEXT = (
    "<environment_context>\n  <cwd>/home/dev/shop</cwd>\n  <current_date>2026-11-20</current_date>\n</environment_context>"
)
SUMMARY = (
    "Another language model started to solve this problem and produced a summary of its thinking process. It went well. " * 6
)
GOAL = {"type": "function_call_output", "name": "goal_objective", "namespace": "agent", "output": "Ship the cart by Friday."}
TASK = "Read every part. Never touch migrations/."


class Codex:
    """A loop of one turn: reasons, says a word, reads two parts at once, and resends everything with new metadata."""

    def __init__(self, window: int, *, model: str = "gpt-5.5", lines: int = 60) -> None:
        self.world = World()
        self.window, self.model, self.lines = window, model, lines
        self.double = Double([])
        self.items: list[dict[str, Any]] = [said("developer", "Be exact."), said("user", CONTEXT), said("user", TASK)]
        self.views: list[View] = []
        self.answers: list[dict[str, Any]] = []
        self.restart()

    def restart(self) -> None:
        self.session = self.world.engine().session("codex", window=self.window)

    def body(self) -> dict[str, Any]:
        turn = {"client_metadata": {"turn": len(self.answers)}, "prompt_cache_key": "k"}
        head = {"model": self.model, "instructions": "You are Codex.", "store": False, "tools": TOOLS}
        return {**head, "include": ["reasoning.encrypted_content"], "input": self.items, **turn}

    async def call(self) -> View:
        view: View = await self.session.compile(self.body())
        assert rules.check(view.raw, "openai-responses") == ()
        assert view.tokens.total <= view.usable.tokens
        before = self.views[-1] if self.views else None
        if before is not None and before.lane == view.lane:
            assert rules.check_rewrite(R.open(before.raw), R.open(view.raw)) == ()
            if before.epoch == view.epoch:
                assert units(view)[: len(units(before))] == units(before), view.call
        self.views.append(view)
        return view

    async def step(self) -> View:
        """One call, its answer, and the outputs of its calls as the client sends them: reasoning with `content: null`."""
        at = len(self.views)
        calls = tuple(Use("exec_command", {"cmd": f"cat part_{at}_{n}.py"}) for n in range(2))
        self.double.then(Say(f"Part {at}.", calls, thinking=f"Look at part {at}."))
        view = await self.call()
        reply = self.double.answer(view.raw, "openai-responses")
        assert reply.status == 200, reply.body
        await self.session.record(reply.body)
        self.answers.append(json.loads(reply.body))
        for item in self.answers[-1]["output"]:
            self.items.append({**item, "content": None} if item["type"] == "reasoning" else item)
        made = [item["call_id"] for item in self.answers[-1]["output"] if "call_id" in item]
        self.items += [output(ident, code(f"{at}_{ident}", self.lines)) for ident in made]
        return view


TOOLS = [{"type": "function", "name": "exec_command", "parameters": {"type": "object"}}]


def said(role: str, words: str) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": words}]}


def output(ident: str, text: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": ident, "output": text}


def units(view: View) -> list[bytes]:
    return [unit.key for unit in R.units(view.raw)]


@pytest.mark.parametrize(("window", "lines"), [(30_000, 100), (50_000, 180), (100_000, 380)])
async def test_a_long_turn_stays_within_its_budget(window: int, lines: int) -> None:
    """Never above the budget, never refused after a cut, a prefix within each epoch, at the three windows of the issue."""
    client = Codex(window, lines=lines)
    for _ in range(28):
        await client.step()
    assert client.views[-1].epoch > 0
    assert all(TASK.encode() in view.raw for view in client.views)
    assert all(json.loads(view.raw)["input"][0] == client.items[0] for view in client.views)


async def test_items_of_a_step_that_stays_in_part_are_tied_to_nothing() -> None:
    """What is kept of a folded step goes without ids that would ask for its reasoning; the newest keeps all (R4, R9)."""
    client = Codex(20_000)
    for _ in range(24):
        await client.step()
    view = client.views[-1]
    assert view.epoch > 0
    listed = json.loads(view.raw)["input"]
    reasons = {item["id"] for item in listed if item.get("type") == "reasoning" and "id" in item}
    tied = [item for item in listed if str(item.get("id", "")).startswith(("fc_", "msg_"))]
    assert reasons
    assert all(any(item["id"].split("_")[1].startswith(name.split("_")[1]) for name in reasons) for item in tied)


async def test_reasoning_a_model_binds_goes_with_the_old_prefix() -> None:
    """On GPT-6.2 nothing is sent that the provider would drop, but for the step the cut left whole (R12)."""
    client = Codex(30_000, model="gpt-6.2-sol", lines=100)
    for _ in range(24):
        await client.step()
    assert client.views[-1].epoch > 0
    dropped = [len(answer["input_transformations"]) for answer in client.answers]
    assert max(dropped) <= 2, dropped


async def test_outputs_without_a_call_and_a_restart() -> None:
    """A goal that answers no call passes as it is; another process sends the same bytes."""
    client = Codex(30_000)
    client.items.insert(3, GOAL)
    for _ in range(3):
        view = await client.step()
        assert json.loads(view.raw)["input"][3] == GOAL
        assert view.manifest.repairs == ()
    before = await client.call()
    client.restart()
    again = await client.call()
    assert (again.raw, again.epoch, again.lane) == (before.raw, before.epoch, before.lane)


async def test_its_own_compaction_is_recognised() -> None:
    """Context, every word of a person and a summary take the place of the rest: a new branch, rules carried over."""
    client = Codex(60_000)
    for _ in range(4):
        await client.step()
    client.items.append(said("user", "Go on with the cart."))
    await client.call()
    client.items = [*client.items[:3], said("user", "Go on with the cart."), said("user", SUMMARY)]
    view = await client.call()
    assert view.cause is Cause.CLIENT_COMPACT
    assert [pin.rule for pin in client.session.tree.current["main"].branch.state.pins] == ["Never touch migrations/."]
    assert all(one.lane != view.lane for one, _ in pairwise(client.views))


async def test_a_compaction_item_of_the_provider_stays_before_our_preface() -> None:
    """It stands for all before it, so nothing of ours is put where the provider shows nothing (R13)."""
    client = Codex(20_000)
    sealed = {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAA"}
    tools = {"type": "additional_tools", "role": "developer", "tools": [{"type": "function", "name": "late"}]}
    client.items = [said("user", TASK), sealed, said("user", "Go on."), tools]
    for _ in range(20):
        await client.step()
    view = client.views[-1]
    assert view.epoch > 0
    listed = json.loads(view.raw)["input"]
    assert sealed in listed
    assert tools in listed
    ours = next(at for at, item in enumerate(listed) if "<pumice:" in str(item.get("content")))
    assert listed.index(sealed) < ours
