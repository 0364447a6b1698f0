"""The library face: what is public, and the blocking engine on a real store."""

import asyncio
import base64
import json
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard
from tests_support import Agent, code, words

import pumice
from pumice.errors import InvalidInput


def test_public_names_are_listed_once_sorted_and_there() -> None:
    """`__all__` is sorted and every name of it can be had."""
    assert pumice.__all__ == sorted(pumice.__all__)
    assert set(pumice.__all__) == set(pumice._HOME)
    for name in pumice.__all__:
        assert getattr(pumice, name) is not None


def test_importing_loads_nothing() -> None:
    """`import pumice` loads none of its own modules and no dependency."""
    probe = "import sys, pumice; print([m for m in sys.modules if m.startswith(('pumice.', 'msgspec', 'toktok'))])"
    found = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def body(turns: int) -> dict[str, Any]:
    agent = Agent(None).says("Fix it. Never touch migrations/.")  # type: ignore[arg-type]
    for at in range(turns):
        agent.runs(f"c{at}", code(f"mod{at}", 80), tool="Read", file_path=f"src/mod{at}.py")
    return agent.body()


def test_a_blocking_session_survives_its_process(tmp_path: Path) -> None:
    """What one engine compiled, another over the same folder continues with the same bytes; files are private."""
    request = body(30)
    with pumice.Engine.open(tmp_path / "store") as engine:
        first = engine.session("s", window=30_000).compile(request, dialect="anthropic")
        pinned = engine.session("s", window=30_000).pin("Order A-17.")
    with pumice.Engine.open(tmp_path / "store") as engine:
        session = engine.session("s", window=30_000)
        assert session.compile(request, dialect="anthropic").raw == first.raw
        assert "Order A-17." in words(session.compact().body)
        assert [info.key.session for info in engine.sessions()] == ["s"]
        assert session.rebuild(1) == first.raw
        session.unpin(pinned.id)
        assert engine.forget("s") > 0
        assert engine.sessions() == []
    for path in (tmp_path / "store").rglob("*"):
        if path.is_file():
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_scopes_do_not_mix(tmp_path: Path) -> None:
    """The same session name under two tenants is two sessions."""
    with pumice.Engine.open(tmp_path) as engine:
        engine.session("s", scope="tenant:a").compile(body(1), dialect="anthropic")
        engine.session("s", scope="tenant:b").compile(body(2), dialect="anthropic")
        assert len(engine.sessions("tenant:a")) == len(engine.sessions("tenant:b")) == 1
        assert engine.sessions("tenant:c") == []
    with pytest.raises(InvalidInput, match="grammar"):
        pumice.Engine.open(":memory:").session("s", scope="user:u/tenant:t")


def test_incremental_use_adds_messages_and_answers(tmp_path: Path) -> None:
    """Messages added one by one and answers recorded make the same request a whole body would."""
    with pumice.Engine.open(":memory:") as engine:
        session = engine.session("s", dialect="openai-chat", model="gpt-4o")
        session.add([{"role": "user", "content": "hello"}])
        view = session.compile()
        sent = json.loads(view.raw)
        assert sent == {"model": "gpt-4o", "messages": [{"role": "user", "content": "hello"}]}
        message = {"role": "assistant", "content": "hi"}
        choices = [{"index": 0, "message": message}]
        session.record({"id": "r", "object": "chat.completion", "model": "gpt-4o", "choices": choices})
        session.add([{"role": "user", "content": "more"}])
        texts = [item["content"] for item in json.loads(session.compile().raw)["messages"]]
        assert texts == ["hello", "hi", "more"]


def test_a_streamed_answer_is_recorded() -> None:
    """Chunks fed in any split count as the response; its usage calibrates like any other."""
    events = [
        {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": [],
         "usage": {"input_tokens": 50, "output_tokens": 1}}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    ]  # fmt: skip
    stream = b"".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events)
    with pumice.Engine.open(":memory:") as engine:
        session = engine.session("s", window=30_000)
        session.compile(body(1), dialect="anthropic")
        with session.recording() as recorder:
            for at in range(0, len(stream), 7):
                recorder.feed(stream[at : at + 7])
        assert session.inner.tree.responses[1].reported == 50


async def test_cancelling_leaves_the_step_committed_or_not_begun() -> None:
    """A compile that is cancelled at any point leaves a session that goes on."""
    async with pumice.open_async(":memory:") as engine:
        session = engine.session("s", window=30_000)
        request = body(20)
        for delay in (0, 0.001, 0.01):
            task = asyncio.ensure_future(session.compile(request, dialect="anthropic"))
            await asyncio.sleep(delay)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        view = await session.compile(request, dialect="anthropic")
        assert view.tokens.total <= view.usable.tokens
        assert len(session.blocks()) == 41


def test_compact_takes_a_list_and_gives_a_list() -> None:
    """The one-call form: a smaller valid list, and with its carry the next call goes on from it."""
    messages = body(20)["messages"]
    made = pumice.compact(messages, dialect="anthropic", target=6_000)
    assert isinstance(made.body, list)
    assert made.tokens.total <= 6_000
    assert "Never touch migrations/." in words(made.body)
    again = pumice.compact(made.body, dialect="anthropic", target=6_000, carry=json.loads(json.dumps(made.carry)))
    assert again.body == made.body
    longer = [*made.body, {"role": "assistant", "content": "done"}, {"role": "user", "content": "and now?"}]
    more = pumice.compact(longer, dialect="anthropic", target=6_000, carry=made.carry)
    assert more.body[-1] == longer[-1]
    assert more.tokens.total <= 6_000


def test_compacting_what_is_small_enough_changes_nothing() -> None:
    """Within the target there is nothing to do, with a carry or without one."""
    messages = body(2)["messages"]
    assert pumice.compact(messages, dialect="anthropic", target=50_000).body == messages
    made = pumice.compact(body(20)["messages"], dialect="anthropic", target=6_000)
    assert pumice.compact(made.body, dialect="anthropic", target=6_000).body == made.body


@pytest.mark.parametrize("given", ["60k", 6.5, True, 0, -1])
def test_a_size_that_is_none_is_refused(given: Any) -> None:
    """Wherever a window or a target is taken, what is no whole number of tokens is named in a typed error."""
    request = body(1)
    with pumice.Engine.open(":memory:") as engine:
        session = engine.session("s")
        session.compile(request)
        for call in (
            lambda: engine.session("other", window=given),
            lambda: session.compile(request, window=given),
            lambda: session.compact(target=given),
            lambda: pumice.compact(request, target=given),
            lambda: pumice.compact(request, window=given),
        ):
            with pytest.raises(InvalidInput, match=f"={given!r} given, expected whole tokens above 0"):
                call()


def test_what_is_no_name_of_a_model_and_no_policy_is_refused() -> None:
    """A wrong kind of value is named where it is given, not when the first request is read."""
    with pumice.Engine.open(":memory:") as engine:
        with pytest.raises(InvalidInput, match="model=5 given, expected the name of a model"):
            engine.session("s", model=5)  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="list given, expected a mapping"):
            engine.session("s", policy=[])  # type: ignore[arg-type]


def test_sizes_of_a_view_read_well() -> None:
    """What `view.tokens` prints are its numbers, nothing of how they are computed."""
    with pumice.Engine.open(":memory:") as engine:
        shown = repr(engine.session("s").compile(body(1)).tokens)
    assert shown.startswith("ViewTokens(total=")
    assert "function" not in shown


def test_a_carry_with_a_hole_is_refused() -> None:
    """Events that do not fit together are named as such, not met as a fault later."""
    made = pumice.compact(body(4), dialect="anthropic", target=6_000)
    events = msgspec.msgpack.decode(zstandard.decompress(base64.b64decode(made.carry["ledger"])))
    short = base64.b64encode(zstandard.compress(msgspec.msgpack.encode(events[1:]))).decode()
    with pytest.raises(InvalidInput, match="carry"):
        pumice.compact(body(4), dialect="anthropic", carry={**made.carry, "ledger": short})


def test_a_foreign_carry_is_refused() -> None:
    """A carry that is none is named as such."""
    for carry in ({}, {"pumice": 9, "ledger": ""}, {"pumice": 1, "ledger": "%%"}, {"pumice": 1, "ledger": "AAAA"}):
        with pytest.raises(InvalidInput, match="carry"):
            pumice.compact(body(1), dialect="anthropic", carry=carry)
