"""OpenAI's compaction for an upstream that lacks it, by the official SDK: by threshold, in the input, by its own endpoint."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from gated import FaultAt, Gated
from openai import AsyncOpenAI
from proxied import Proxied, proxied
from tests_support import code

from pumice.faces.proxy.emulate.setting import Emulation, Mode
from pumice.faces.upstream import Upstream
from pumice.store.home import Store
from pumice.wire import get
from pumice.wire.double import Say

MODEL = "gpt-5.1"
GO = [{"role": "developer", "content": "You are careful."}, {"role": "user", "content": "Never touch migrations/."}]
TRIGGER = {"type": "compaction_trigger"}
MANAGED = [{"type": "compaction", "compact_threshold": 20_000}]


class World:
    """A proxy that emulates, the upstream behind it and an official client in front."""

    def __init__(self, proxy: Proxied, upstream: Upstream) -> None:
        self.proxy, self.upstream = proxy, upstream
        self.client = AsyncOpenAI(base_url=f"{proxy.url}/v1", api_key="k", max_retries=0)

    async def ask(self, given: list[Any], is_stream: bool = False, **more: Any) -> Any:
        asked = {"model": MODEL, "input": given, "store": False, **more}
        if not is_stream:
            return await self.client.responses.create(**asked)
        async with self.client.responses.stream(**asked) as stream:
            numbers = [event.sequence_number async for event in stream if hasattr(event, "sequence_number")]
            assert numbers == sorted(set(numbers))
            return await stream.get_final_response()

    @property
    def sent(self) -> list[dict[str, Any]]:
        return [json.loads(seen.body) for seen in self.upstream.seen]


@asynccontextmanager
async def world(store: Store | None = None, **more: Any) -> AsyncIterator[World]:
    upstream = Upstream([], beyond=Say("ok"))
    gated = Gated(store, window=500_000, emulation=Emulation(Mode.ON), **more)
    async with proxied(upstream, gated.gate, emulate=Mode.ON) as proxy:
        made = World(proxy, upstream)
        async with made.client:
            yield made


def worked(steps: int, lines: int = 30) -> list[Any]:
    items: list[Any] = list(GO)
    for at in range(steps):
        arguments = json.dumps({"file_path": f"src/m{at}.py"})
        items.append({"type": "function_call", "call_id": f"call_{at}", "name": "Read", "arguments": arguments})
        items.append({"type": "function_call_output", "call_id": f"call_{at}", "output": code(f"m{at}", lines)})
    return items


def dumped(items: Any) -> list[Any]:
    return [item.model_dump(exclude_none=True, warnings=False) for item in items]


def units(body: dict[str, Any]) -> list[bytes]:
    return [unit.key for unit in get("openai-responses").units(json.dumps(body).encode())]


@pytest.mark.parametrize("is_stream", [False, True])
async def test_a_session_is_compacted_at_its_threshold(is_stream: bool) -> None:
    """The answer begins with an item; sent back, the upstream sees plain words in its place, and the same prefix as before."""
    async with world() as here:
        first = await here.ask(worked(40), is_stream, context_management=MANAGED)
        assert [item.type for item in first.output] == ["compaction", "message"]
        assert first.output[0].id.startswith("cmp_")
        items = [*worked(40), *dumped(first.output), {"role": "user", "content": "And now?"}]
        last = await here.ask(items, is_stream, context_management=MANAGED)
        assert [item.type for item in last.output] == ["message"]
    before, after = here.sent
    assert units(after)[: len(units(before))] == units(before)
    assert "compaction" not in json.dumps(here.sent)
    assert "<pumice:sealed" not in json.dumps(here.sent)
    assert [item.get("role") for item in before["input"]] == ["developer", "user", "user"]
    assert len(json.dumps(before)) < 0.5 * len(json.dumps(worked(40)))
    assert here.upstream.double.refused == []


@pytest.mark.parametrize("is_stream", [False, True])
async def test_a_trigger_is_answered_by_exactly_one_item(is_stream: bool) -> None:
    """Nothing is asked upstream; the item stands for all of it in the next request, also without what was before it."""
    async with world() as here:
        first = await here.ask([*worked(5), TRIGGER], is_stream)
        assert [item.type for item in first.output] == ["compaction"]
        assert first.usage.input_tokens > 0
        assert here.sent == []
        await here.ask([*dumped(first.output), {"role": "user", "content": "Go on."}], is_stream)
    text = json.dumps(here.sent[0])
    assert "Never touch migrations/." in text
    assert "compaction" not in text


async def test_the_endpoint_answers_with_the_users_messages_and_one_item() -> None:
    """The whole output is the next input; the same conversation goes on, and the upstream is never asked for a compaction."""
    async with world() as here:
        made = await here.client.responses.compact(model=MODEL, input=worked(40), instructions="You are careful.")
        assert made.object == "response.compaction"
        assert [item.type for item in made.output] == ["message", "compaction"]
        assert made.output[0].content[0].text == "Never touch migrations/."
        assert made.usage.total_tokens == made.usage.input_tokens + made.usage.output_tokens
        assert here.sent == []
        await here.ask([GO[0], *dumped(made.output), {"role": "user", "content": "Go on."}])
    assert [item["role"] for item in here.sent[0]["input"]] == ["developer", "user", "user", "user"]
    assert "src/m39.py" in json.dumps(here.sent[0]["input"][2])
    assert here.upstream.seen[0].path == "/v1/responses"


DAMAGES = {
    "altered": lambda said: said[:60] + ("A" if said[60] != "A" else "B") + said[61:],
    "cut in the middle": lambda said: said[: len(said) // 2],
    "cut in the first mark": lambda said: said[:9],
    "cut in the last mark": lambda said: said[:-5],
    "another end": lambda said: said[:-6] + "AAAAAA",
    "a space within": lambda said: f"{said[:60]} {said[60:]}",
    "without its beginning": lambda said: said[30:],
}


@pytest.mark.parametrize("how", DAMAGES)
async def test_an_item_that_was_damaged_is_made_again_from_the_record(how: str) -> None:
    """However it was damaged: the words come from the ledger, else the model is told, and none of the item goes upstream."""
    async with world() as here:
        made = await here.client.responses.compact(model=MODEL, input=worked(5), extra_headers={"thread-id": "t"})
        item = dumped(made.output)[-1]
        damaged = {**item, "encrypted_content": DAMAGES[how](item["encrypted_content"])}
        given = [damaged, {"role": "user", "content": "Go on."}]
        await here.ask([*GO, *given], extra_headers={"thread-id": "t"})
    async with world() as there:
        await there.ask(given)
    assert "src/m4.py" in json.dumps(here.sent[0])
    assert "cannot be used here" in json.dumps(there.sent[0])
    assert all("compaction" not in str(one.get("type")) for body in [*here.sent, *there.sent] for one in body["input"])
    assert all(item["encrypted_content"][35:55] not in json.dumps(body) for body in [*here.sent, *there.sent])


async def test_an_item_for_another_kind_of_model_is_made_again_from_the_record() -> None:
    """The words come from the ledger, and none of the item goes upstream."""
    async with world() as here:
        made = await here.client.responses.compact(model=MODEL, input=worked(5), extra_headers={"thread-id": "t"})
        item = dumped(made.output)[-1]
        given = [*GO, item, {"role": "user", "content": "Go on."}]
        await here.ask(given, extra_headers={"thread-id": "t"}, model="gpt-4.1")
    assert "src/m4.py" in json.dumps(here.sent[0])
    assert item["encrypted_content"][20:50] not in json.dumps(here.sent[0])


async def test_another_process_opens_it() -> None:
    """The item belongs to the store, not to the process that made it."""
    gated = Gated(window=500_000)
    async with world(gated.store) as here:
        made = await here.client.responses.compact(model=MODEL, input=worked(5))
    async with world(gated.store) as there:
        await there.ask([*dumped(made.output), {"role": "user", "content": "Go on."}])
    assert "src/m4.py" in json.dumps(there.sent[0])
    await gated.close()


async def test_an_item_of_the_providers_own_is_passed_untouched() -> None:
    """What is not ours to read is not ours to take out, and nothing before it goes."""
    theirs = {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAAAABtheirs"}
    async with world() as here:
        await here.ask([*GO, theirs, {"role": "user", "content": "Go on."}])
    assert here.sent[0]["input"] == [*GO, theirs, {"role": "user", "content": "Go on."}]


async def test_what_cannot_be_compacted_says_so() -> None:
    """Where the engine fails, a client that asked for nothing but a compaction is told to try again."""

    def fault(name: str) -> None:
        if name.startswith("engine:"):
            raise RuntimeError(name)

    async with world(fault=fault, has_spare=False) as here:
        status, _, body = await here.proxy.send(
            "/v1/responses", json.dumps({"model": MODEL, "input": [*worked(2), TRIGGER]}).encode(), authorization="Bearer k"
        )
        assert (status, json.loads(body)["error"]["code"]) == (503, "server_error")
    assert here.sent == []


async def test_a_conversation_is_known_by_the_item_it_goes_on_from() -> None:
    """A client without marks stays in its session, even if the item is all it sends of it, and whatever the model."""
    async with world() as here:

        async def session(path: str, items: list[Any], model: str = MODEL) -> tuple[str, list[Any]]:
            body = json.dumps({"model": model, "input": items}).encode()
            status, headers, raw = await here.proxy.send(path, body, authorization="Bearer k")
            assert status == 200, raw
            return headers["x-pumice-session"], json.loads(raw)["output"]

        first, _ = await session("/v1/responses", worked(5))
        second, made = await session("/v1/responses/compact", worked(5))
        go_on = {"role": "user", "content": "Go on."}
        third, _ = await session("/v1/responses", [GO[0], *made, go_on])
        fourth, _ = await session("/v1/responses", [made[-1], go_on], "gpt-4.1")
    assert {first, second, third, fourth} == {first}
    assert "src/m4.py" in json.dumps(here.sent[-1])


async def test_no_item_of_ours_leaves_where_the_engine_fails() -> None:
    """The request goes on with the words the item stands for."""
    failing = FaultAt()
    async with world(fault=failing, has_spare=False) as here:
        made = await here.client.responses.compact(model=MODEL, input=worked(5))
        failing.point = "*"
        await here.ask([*dumped(made.output), {"role": "user", "content": "Go on."}])
    assert "src/m4.py" in json.dumps(here.sent[0])
    assert "compaction" not in json.dumps(here.sent[0])


@pytest.mark.parametrize("fails", [False, True], ids=["compiled", "fallen"])
async def test_nobody_else_opens_an_item(fails: bool) -> None:
    """Whoever has got hold of it reads nothing with another credential, even where the engine fails; its owner does."""
    failing = FaultAt()
    async with world(fault=failing, has_spare=False) as here:
        asked = json.dumps({"model": MODEL, "input": worked(5)}).encode()
        made = json.loads((await here.proxy.send("/v1/responses/compact", asked))[2])["output"]
        failing.point = "*" if fails else ""
        body = json.dumps({"model": MODEL, "input": [made[-1], {"role": "user", "content": "Go on."}]}).encode()
        for key in ("sk-another", "sk-secret-1"):
            assert (await here.proxy.send("/v1/responses", body, x_api_key=key))[0] == 200
    assert ["src/m4.py" in json.dumps(sent) for sent in here.sent] == [False, True]
