"""What Gemini CLI does between calls (reference: real clients), with pumice between it and a strict Gemini 3."""

import json
from itertools import pairwise
from typing import Any

import pytest
from tests_support import World, code

from pumice import wire
from pumice.engine.call import View
from pumice.wire import rules
from pumice.wire.gemini.signatures import SKIP

MODEL = "gemini-3-pro-preview"
CONTEXT = "<session_context>\nThis is the Gemini CLI. Today's date is Monday, May 4, 2026.\n</session_context>"


class Client:
    """A loop of one turn: reads file after file, and resends everything."""

    def __init__(self, window: int, *, agent: str = "main", lines: int = 60) -> None:
        self.world = World()
        self.window, self.agent, self.lines = window, agent, lines
        self.contents: list[dict[str, Any]] = [said(CONTEXT), said("Read every part. Never touch migrations/.")]
        self.views: list[View] = []
        self.restart()

    def restart(self) -> None:
        self.session = self.world.engine().session("cli", window=self.window, model=MODEL)

    def step(self, *, ids: bool = True) -> None:
        """Two parallel calls, the first signed, and their results."""
        at = len(self.contents)
        named = [f"read_file_{at}_{n}" for n in range(2)]
        calls = [
            {"functionCall": {**({"id": name} if ids else {}), "name": "read_file", "args": {"file_path": f"p{name}.py"}}}
            for name in named
        ]
        calls[0]["thoughtSignature"] = str(at).zfill(8)
        results = [result(name, code(name, self.lines)) for name in named]
        self.contents += [{"role": "model", "parts": calls}, {"role": "user", "parts": results}]

    async def call(self) -> View:
        body = {"systemInstruction": {"parts": [{"text": "Be exact."}]}, "tools": TOOLS, "contents": self.contents}
        view: View = await self.session.compile(body, dialect="gemini", agent=self.agent)
        assert rules.check(view.raw, "gemini", model=MODEL) == ()
        assert view.tokens.total <= view.usable.tokens
        before = self.views[-1] if self.views else None
        if before is not None and (before.lane, before.epoch) == (view.lane, view.epoch):
            old, new = units(before), units(view)
            assert new[: len(old)] == old, view.call
        self.views.append(view)
        return view


TOOLS = [{"functionDeclarations": [{"name": "read_file", "parametersJsonSchema": {"type": "object"}}]}]


def said(words: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": words}]}


def result(name: str, text: str) -> dict[str, Any]:
    return {"functionResponse": {"id": name, "name": "read_file", "response": {"output": text}}}


def units(view: View) -> list[bytes]:
    return [unit.key for unit in wire.get("gemini").units(view.raw)]


@pytest.mark.parametrize(("window", "lines"), [(30_000, 100), (50_000, 160), (100_000, 320)])
async def test_a_long_turn_stays_within_its_budget(window: int, lines: int) -> None:
    """Never above the budget, valid after every cut, a prefix within each epoch, at the three windows of the issue."""
    client = Client(window, lines=lines)
    for _ in range(28):
        client.step()
        await client.call()
    assert client.views[-1].epoch > 1
    assert all(b"Never touch migrations/." in view.raw for view in client.views)
    assert not any(view.cause == "client_edit" for view in client.views)


async def test_masked_results_keep_our_bytes() -> None:
    """The client masks old results in the middle of a turn: the same lane and epoch, and what was sent stays."""
    client = Client(200_000)
    for _ in range(4):
        client.step()
    before = await client.call()
    for content in client.contents[3:8:2]:
        for part in content["parts"]:
            part["functionResponse"]["response"] = {
                "output": "<tool_output_masked>\ndef …\n[full output: /tmp/x]\n</tool_output_masked>"
            }
    client.step()
    view = await client.call()
    assert (view.lane, view.epoch) == (before.lane, before.epoch)
    assert b"tool_output_masked" not in view.raw


async def test_a_resumed_session_goes_on_in_its_lane() -> None:
    """Signatures gone or replaced by the stand-in, every result twice: nothing is sent twice, nothing is cut."""
    client = Client(200_000)
    for _ in range(4):
        client.step()
    client.contents.append({"role": "model", "parts": [{"text": "All read."}]})
    client.contents.append(said("And now?"))
    before = await client.call()
    client.restart()
    for content in client.contents:
        for part in content["parts"]:
            part.pop("thoughtSignature", None)
        if any("functionResponse" in part for part in content["parts"]):
            masked = [result(part["functionResponse"]["id"], "<tool_output_masked>…") for part in content["parts"]]
            content["parts"] = [part for pair in zip(content["parts"], masked, strict=True) for part in pair]
    client.contents[2]["parts"][0]["thoughtSignature"] = SKIP
    client.step()
    view = await client.call()
    assert (view.lane, view.epoch) == (before.lane, before.epoch)
    assert b"tool_output_masked" not in view.raw
    assert view.raw.count(b"functionResponse") == 10


async def test_calls_of_a_sub_agent_have_no_ids() -> None:
    """Its results name ids that no call has: they belong together all the same, and leave as they came."""
    client = Client(200_000, agent="sub")
    for _ in range(3):
        client.step(ids=False)
    view = await client.call()
    assert json.loads(view.raw)["contents"] == client.contents
    assert view.manifest.repairs == ()
    branch = client.session.tree.current["sub"].branch
    described = [branch.uses[block.id].target for node in branch.nodes for block in node.blocks if block.kind == "result"]
    assert all(target.startswith("pread_file_") for target in described)
    small = Client(12_000, agent="sub")
    for _ in range(16):
        small.step(ids=False)
        await small.call()
    assert small.views[-1].epoch > 0
    assert all(one.lane == other.lane for one, other in pairwise(small.views))
