"""Anthropic's context management for an upstream that lacks it, by the official SDK: plain and streamed, over HTTP."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from anthropic import APIStatusError, AsyncAnthropic
from gated import Gated
from proxied import Proxied, proxied
from tests_support import code

from pumice.faces import settings
from pumice.faces.proxy.emulate.setting import Emulation, Mode
from pumice.faces.proxy.gate import Call
from pumice.faces.upstream import Fault, Upstream
from pumice.store.home import memory_store
from pumice.wire import get
from pumice.wire.double import Say, Use

CLEAR = "context-management-2025-06-27"
COMPACT = "compact-2026-01-12"
ON_DEMAND = "compact-2026-09-04"
MODEL = "claude-opus-4-8"


class World:
    """A proxy that emulates, the upstream behind it and an official client in front."""

    def __init__(self, proxy: Proxied, upstream: Upstream) -> None:
        self.proxy, self.upstream = proxy, upstream
        self.client = AsyncAnthropic(base_url=proxy.url, api_key="k", max_retries=0)

    async def ask(self, messages: list[Any], is_stream: bool, *betas: str, **more: Any) -> Any:
        given = {"model": MODEL, "max_tokens": 99, "messages": messages, "betas": list(betas), **more}
        if not is_stream:
            return await self.client.beta.messages.create(**given)
        async with self.client.beta.messages.stream(**given) as stream:
            return await stream.get_final_message()

    @property
    def sent(self) -> list[dict[str, Any]]:
        return [json.loads(seen.body) for seen in self.upstream.seen]


@asynccontextmanager
async def world(*script: Say, window: int | None = 500_000, gated: Gated | None = None) -> AsyncIterator[World]:
    upstream = Upstream(list(script), beyond=Say("ok"))
    made = gated or Gated(window=window, emulation=Emulation(Mode.ON))
    async with proxied(upstream, made.gate, emulate=Mode.ON) as proxy:
        found = World(proxy, upstream)
        async with found.client:
            yield found


def worked(messages: list[Any], steps: int, lines: int = 30) -> list[Any]:
    start = len(messages)
    for at in range(start, start + steps):
        use = {"type": "tool_use", "id": f"toolu_{at}", "name": "Read", "input": {"file_path": f"src/m{at}.py"}}
        result = {"type": "tool_result", "tool_use_id": f"toolu_{at}", "content": code(f"m{at}", lines)}
        messages = [*messages, {"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    return messages


GO = [{"role": "user", "content": "Never touch migrations/. Find the fault."}]
EDITS = {
    "edits": [
        {
            "type": "clear_tool_uses_20250919",
            "trigger": {"type": "tool_uses", "value": 4},
            "keep": {"type": "tool_uses", "value": 2},
        }
    ]
}
COMPACTS: dict[str, Any] = {"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": 50_000}}


def units(body: dict[str, Any]) -> list[bytes]:
    return [unit.key for unit in get("anthropic").units(json.dumps(body).encode())]


@pytest.mark.parametrize("is_stream", [False, True])
async def test_old_results_are_cleared_and_reported(is_stream: bool) -> None:
    """The upstream sees neither field nor beta; the client hears what was cleared; the next view goes on from this one."""
    async with world(Say("", (Use("Read", {"file_path": "a"}),)), Say("Found.")) as here:
        first = await here.ask(worked(GO, 6), is_stream, CLEAR, "other-beta", context_management=EDITS)
        assert [edit.type for edit in first.context_management.applied_edits] == ["clear_tool_uses_20250919"]
        assert first.context_management.applied_edits[0].cleared_tool_uses == 4
        assert first.context_management.applied_edits[0].cleared_input_tokens > 100
        assert [block.type for block in first.content] == ["tool_use"]
        echo = {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in first.content]}
        result = {"type": "tool_result", "tool_use_id": first.content[0].id, "content": "ok"}
        messages = [*worked(GO, 6), echo, {"role": "user", "content": [result]}]
        second = await here.ask(messages, is_stream, CLEAR, context_management=EDITS)
        assert second.context_management.applied_edits[0].cleared_tool_uses == 4
    assert all("context_management" not in body for body in here.sent)
    assert [seen.headers.get("anthropic-beta") for seen in here.upstream.seen] == ["other-beta", None]
    assert json.dumps(here.sent[0]).count("<pumice:cleared") == 4
    assert units(here.sent[1])[: len(units(here.sent[0]))] == units(here.sent[0])


@pytest.mark.parametrize("is_stream", [False, True])
async def test_a_session_is_compacted_at_its_threshold(is_stream: bool) -> None:
    """The answer begins with a compaction block; sent back, with or without what is before it, it is all the upstream sees."""
    async with world(Say("On it.", (Use("Read", {"file_path": "a"}),)), Say("Done.")) as here:
        messages = worked(GO, 90)
        first = await here.ask(messages, is_stream, COMPACT, context_management={"edits": [COMPACTS]})
        assert [block.type for block in first.content] == ["compaction", "text", "tool_use"]
        assert "Never touch migrations/." in first.content[0].content
        assert first.context_management.applied_edits == []
        assert [one.type for one in first.usage.iterations] == ["compaction", "message"]
        assert first.usage.iterations[0].input_tokens >= 50_000 > 2 * first.usage.iterations[1].input_tokens
        echo = {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in first.content]}
        result = {"type": "tool_result", "tool_use_id": first.content[2].id, "content": "ok"}
        tail = [echo, {"role": "user", "content": [result]}]
        for kept in (messages, []):
            last = await here.ask([*kept, *tail], is_stream, COMPACT, context_management={"edits": [COMPACTS]})
            assert [block.type for block in last.content] == ["text"]
            assert last.usage.iterations is None
    assert all("context_management" not in body and '"compaction"' not in json.dumps(body) for body in here.sent)
    for body in here.sent[1:]:
        assert units(body)[: len(units(here.sent[0]))] == units(here.sent[0])
    assert here.upstream.double.refused == []


@pytest.mark.parametrize("is_stream", [False, True])
async def test_a_client_may_look_before_it_goes_on(is_stream: bool) -> None:
    """`pause_after_compaction` answers with the block alone, and asks nothing upstream."""
    async with world() as here:
        edits = {"edits": [{**COMPACTS, "pause_after_compaction": True}]}
        first = await here.ask(worked(GO, 90), is_stream, COMPACT, context_management=edits)
        assert (first.stop_reason, [block.type for block in first.content]) == ("compaction", ["compaction"])
        assert [one.type for one in first.usage.iterations] == ["compaction"]
        assert here.sent == []
        echo = {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in first.content]}
        await here.ask([echo, {"role": "user", "content": "Go on."}], is_stream, COMPACT, context_management=edits)
    assert "Never touch migrations/." in json.dumps(here.sent[0])


@pytest.mark.parametrize("is_stream", [False, True])
async def test_a_compaction_on_demand(is_stream: bool) -> None:
    """`compaction: summarize` is answered with one block; what the provider would refuse is refused with its code."""
    async with world() as here:
        extra = {"compaction": {"type": "summarize", "instructions": "Keep m3."}}
        found = await here.ask(worked(GO, 5), is_stream, ON_DEMAND, extra_body=extra)
        assert (found.stop_reason, [block.type for block in found.content]) == ("compaction", ["compaction"])
        for messages, more, expected in (
            (worked(GO, 2)[:-1], {}, "compaction_incomplete_turn"),
            (GO, {}, "compaction_nothing_to_summarize"),
            (worked(GO, 2), {"stop_sequences": ["x"]}, "stop_sequences"),
        ):
            with pytest.raises(APIStatusError) as raised:
                await here.ask(messages, False, ON_DEMAND, extra_body=extra, **more)
            assert raised.value.status_code == 400
            assert expected in json.dumps(raised.value.body)
        assert here.sent == []


async def test_a_count_says_what_the_edits_would_leave() -> None:
    """`count_tokens` previews the edits and compacts nothing; one that asks for none is passed."""
    async with world() as here:
        given = {"model": MODEL, "messages": worked(GO, 6), "betas": [CLEAR]}
        found = await here.client.beta.messages.count_tokens(**given, context_management=EDITS)
        assert 0 < found.input_tokens < found.context_management.original_input_tokens
        assert here.sent == []
        plain = await here.client.beta.messages.count_tokens(**given)
        assert plain.context_management is None
        assert len(here.sent) == 1


@pytest.mark.parametrize(
    "edit",
    [
        {"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": 49_999}},
        {"type": "clear_thinking_20251015", "keep": {"type": "thinking_turns", "value": 0}},
        {"type": "clear_tool_uses_20250919", "keep": {"type": "thinking_turns", "value": 1}},
    ],
)
async def test_what_the_provider_would_refuse_is_refused(edit: Any) -> None:
    """A wrong edit is a 400 in the provider's shape that names its path."""
    async with world() as here:
        with pytest.raises(APIStatusError) as raised:
            await here.ask(GO, False, CLEAR, extra_body={"context_management": {"edits": [edit]}})
        assert raised.value.status_code == 400
        assert "context_management.edits.0" in str(raised.value)


@pytest.mark.parametrize("field", ["text", {"edits": "text"}, [EDITS]])
async def test_a_field_of_another_shape_is_refused(field: Any) -> None:
    """It is not taken for one that asks for nothing."""
    async with world() as here:
        with pytest.raises(APIStatusError, match=r"context_management: .* expected an object with a list of edits"):
            await here.ask(GO, False, CLEAR, extra_body={"context_management": field})


async def test_a_fault_costs_the_edits_and_not_the_call() -> None:
    """Where the engine fails, the client's own request goes without the field, and hears that nothing was applied."""

    def fault(name: str) -> None:
        if name.startswith("engine:"):
            raise RuntimeError(name)

    async with world(gated=Gated(window=None, emulation=Emulation(Mode.ON), fault=fault, has_spare=False)) as here:
        found = await here.ask(worked(GO, 6), False, CLEAR, context_management=EDITS)
        assert found.content[0].text == "ok"
        assert found.context_management.applied_edits == []
    assert here.sent[0]["messages"] == worked(GO, 6)
    assert "context_management" not in here.sent[0]


async def test_nulls_and_foreign_summaries() -> None:
    """A block without content is no block; another's summary stands for what was before it, as words nobody typed."""
    null, foreign = {"type": "compaction", "content": None}, {"type": "compaction", "content": "We fixed m1."}
    said = {"type": "text", "text": "hm"}
    async with world() as here:
        on = {"role": "user", "content": "on"}
        await here.ask([*GO, {"role": "assistant", "content": [null, said]}, on], False, COMPACT)
        await here.ask([*GO, {"role": "assistant", "content": [foreign, said]}, on], False, COMPACT)
    assert [message["role"] for message in here.sent[0]["messages"]] == ["user", "assistant", "user"]
    assert here.sent[0]["messages"][0] == GO[0]
    assert "We fixed m1." in json.dumps(here.sent[1]["messages"][0])
    assert "migrations" not in json.dumps(here.sent[1])
    assert '"compaction"' not in json.dumps(here.sent)


async def test_a_call_that_is_sent_again_is_compacted_once() -> None:
    """After an overload the same request gives the same block, and the same bytes go upstream."""
    async with world() as here:
        here.upstream.then(Fault(status=529))
        edits = {"edits": [COMPACTS]}
        with pytest.raises(APIStatusError) as raised:
            await here.ask(worked(GO, 90), False, COMPACT, context_management=edits)
        assert raised.value.status_code == 529
        found = await here.ask(worked(GO, 90), False, COMPACT, context_management=edits)
        assert [block.type for block in found.content] == ["compaction", "text"]
    assert here.upstream.seen[0].body == here.upstream.seen[1].body


@pytest.mark.parametrize("model", ["claude-opus-4-8", "claude-opus-5-5"])
async def test_a_thinking_model_is_never_asked_what_it_would_refuse(model: str) -> None:
    """Results and old thinking go in a long loop of several turns; a model that binds its thinking takes every request."""
    thinking = {"type": "clear_thinking_20251015", "keep": {"type": "thinking_turns", "value": 1}}
    asked = {"edits": [thinking, *EDITS["edits"]]}
    steps = [Say("", (Use("Read", {"file_path": f"src/m{at}.py"}),), thinking=f"Step {at}.") for at in range(12)]
    cleared: set[str] = set()
    async with world(*steps) as here:
        messages: list[Any] = list(GO)
        for at in range(12):
            found = await here.ask(messages, at % 2 == 0, CLEAR, context_management=asked, model=model)
            cleared |= {edit.type for edit in found.context_management.applied_edits}
            messages.append({"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in found.content]})
            use = found.content[-1].id
            messages.append(
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use, "content": code("m", 20)}]}
            )
            if at % 4 == 3:
                messages[-1]["content"].append({"type": "text", "text": f"Please look at {at}."})
    assert here.upstream.double.refused == []
    assert here.proxy.journal.retried.value("anthropic") == 0
    assert "clear_tool_uses_20250919" in cleared
    assert len(here.sent) == 12


@pytest.mark.parametrize("is_stream", [False, True])
async def test_what_is_read_back_on_the_way_changes_nothing(is_stream: bool) -> None:
    """An answer that is collected because of the read-back tool is told of the edits all the same."""
    script = [Say("", (Use("read_range", {"pointer": "b3"}),)), Say("I see.")]
    gated = Gated(window=500_000, policy=settings.policy({"read_back": "tool"}), emulation=Emulation(Mode.ON))
    async with world(*script, gated=gated) as here:
        tools = [{"name": "Read", "input_schema": {"type": "object"}}]
        found = await here.ask(worked(GO, 6), is_stream, CLEAR, context_management=EDITS, tools=tools)
        assert [block.text for block in found.content] == ["I see."]
        assert found.context_management.applied_edits[0].cleared_tool_uses == 4
    assert len(here.sent) == 2
    assert "context_management" not in json.dumps(here.sent)


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_words_outlive_compactions_of_a_client_that_keeps_nothing(is_restarted: bool) -> None:
    """A client that sends only what is behind the block stays in its session, in another process too: rules hold on."""
    edits = {"edits": [{**COMPACTS, "pause_after_compaction": True}]}
    store, kept, sessions = memory_store(), list(GO), set()
    gates = [Gated(store, window=500_000, emulation=Emulation(Mode.ON)) for _ in range(3 if is_restarted else 1)]
    for at in range(3):
        asked = {"model": MODEL, "max_tokens": 99, "messages": worked(kept, 90), "context_management": edits}
        call = Call("anthropic", json.dumps(asked).encode(), {"anthropic-beta": COMPACT}, "/v1/messages")
        made = await gates[at % len(gates)].gate.prepare(call)
        answer = json.loads(made.reply.body)
        assert "Never touch migrations/." in answer["content"][0]["content"]
        sessions.add(made.told["x-pumice-session"])
        kept = [{"role": "assistant", "content": answer["content"]}, {"role": "user", "content": "Go on."}]
    assert len(sessions) == 1
    for gated in gates:
        await gated.close()
