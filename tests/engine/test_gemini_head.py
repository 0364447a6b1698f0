"""The head of a Gemini request: what pumice adds to it, holds in it and puts in order, in its own shape."""

import itertools
import json
from typing import Any

from tests_support import World

from pumice import wire
from pumice.engine.call import View
from pumice.wire import rules

MODEL = "gemini-3-pro-preview"
POLICY = "Never send a customer's address to anyone."


class Client:
    """Resends everything; model and form stand in the address."""

    def __init__(self, policy: dict[str, Any] | str = "balanced", **resident: Any) -> None:
        self.world, self.policy, self.resident = World(), policy, resident
        self.system: dict[str, Any] | None = {"parts": [{"text": "Be exact."}], "role": "user"}
        self.tools = [{"functionDeclarations": [{"name": "f"}, {"name": "g"}]}, {"googleSearch": {}}]
        self.contents: list[dict[str, Any]] = [said("go")]
        self.restart()

    def restart(self) -> None:
        options = {"policy": self.policy, "window": 30_000, "model": MODEL, "resident": self.resident}
        self.session = self.world.engine().session("s", **options)

    def body(self) -> dict[str, Any]:
        system = {} if self.system is None else {"systemInstruction": self.system}
        return {"contents": self.contents, **system, "tools": self.tools}

    async def call(self) -> View:
        view: View = await self.session.compile(json.dumps(self.body()).encode(), dialect="gemini")
        assert rules.check(view.raw, "gemini", model=MODEL) == ()
        return view

    def goes_on(self, words: str = "ok") -> None:
        self.contents += [{"role": "model", "parts": [{"text": words}]}, said(f"more than {words}")]


def said(words: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": words}]}


def texts(view: View) -> list[str]:
    return [part["text"] for part in json.loads(view.raw)["systemInstruction"]["parts"]]


async def test_resident_content_is_the_last_part_of_the_instruction() -> None:
    """The same bytes for a lane's life, through cuts and restarts; each past view is rebuilt byte for byte."""
    client = Client(platform_policy=POLICY)
    views = [await client.call()]
    for at in range(12):
        client.goes_on(f"word{at} " * 2500)
        if at == 5:
            client.restart()
        views.append(await client.call())
    assert views[-1].epoch > 0
    assert {tuple(texts(view)) for view in views} == {tuple(texts(views[0]))}
    assert texts(views[0])[0] == "Be exact."
    assert POLICY in texts(views[0])[1]
    assert {view.lane for view in views} == {"main"}
    for before, after in itertools.pairwise(views):
        old, new = ([unit.key for unit in wire.get("gemini").units(view.raw)] for view in (before, after))
        assert before.epoch != after.epoch or new[: len(old)] == old
    for view in views:
        assert await client.session.rebuild(view.call) == view.raw


async def test_a_client_may_go_on_from_the_view() -> None:
    """A request that repeats the block is the same conversation, and the block stands once; none is there without it."""
    client = Client(platform_policy=POLICY)
    client.system = None
    view = await client.call()
    body = json.loads(view.raw)
    body["contents"] += [{"role": "model", "parts": [{"text": "ok"}]}, said("more")]
    after = await client.session.compile(body, dialect="gemini")
    assert after.lane == view.lane
    assert after.body == body
    plain = Client()
    assert (await plain.call()).raw == json.dumps(plain.body()).encode()


async def test_a_date_in_the_instruction_stays_what_it_was() -> None:
    """`head.freeze` holds its first value in place, in the shape the client gave."""
    client = Client({"head": {"freeze": ["date"]}})
    client.system = {"parts": [{"text": "Today is 2026-05-04."}], "role": "user"}
    first = await client.call()
    client.system = {"parts": [{"text": "Today is 2026-05-05."}], "role": "user"}
    client.goes_on()
    second = await client.call()
    assert json.loads(second.raw)["systemInstruction"] == json.loads(first.raw)["systemInstruction"]
    assert (first.lane, first.epoch) == (second.lane, second.epoch)
    given = await client.session.compile(client.body(), dialect="gemini")
    assert given.body["systemInstruction"] == json.loads(first.raw)["systemInstruction"]


async def test_tools_keep_their_order() -> None:
    """Functions that come in another order leave in the first one, inside the list they are declared in."""
    client = Client({"tools": {"order": "kept"}})
    first = await client.call()
    client.tools = [{"functionDeclarations": [{"name": "g"}, {"name": "f"}]}, {"googleSearch": {}}]
    client.goes_on()
    second = await client.call()
    assert json.loads(second.raw)["tools"] == json.loads(first.raw)["tools"]
    assert (first.lane, first.epoch) == (second.lane, second.epoch)


async def test_a_compaction_by_hand_stays_with_its_model() -> None:
    """The body does not name it, so the lane does."""
    client = Client()
    for at in range(8):
        client.goes_on(f"word{at} " * 1500)
        view = await client.call()
    made = await client.session.compact(target=6_000)
    assert (made.lane, made.cause) == (view.lane, "requested")
    assert rules.check(made.raw, "gemini", model=MODEL) == ()
    assert "model" not in json.loads(made.raw)
