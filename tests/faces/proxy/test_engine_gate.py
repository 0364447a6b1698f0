"""The gate with the engine: what fits goes through as it came, what does not is compiled and stays so, answers are recorded."""

import json
from itertools import pairwise
from typing import Any

import pytest
from gated import Gated, chat, step, worked
from tests_support import words

from pumice import wire
from pumice.domain.policy import Policy
from pumice.faces import settings
from pumice.faces.proxy.gate import Reply, Stage
from pumice.wire.double import Double, Say

LOG = "\n".join(f"compiling unit {at} of the tree" for at in range(3000))


@pytest.fixture
async def gated() -> Any:
    """A gate with a small window before a strict provider."""
    made = Gated(upstream=Double([Say("ok")] * 200))
    yield made
    await made.close()


def units(raw: bytes) -> list[bytes]:
    return [unit.key for unit in wire.get("anthropic").units(raw)]


async def test_what_fits_leaves_as_the_very_bytes_that_came(gated: Gated) -> None:
    """Nothing is parsed and dumped again: spaces, key order and all (K-P10)."""
    raw = json.dumps(chat("hello"), indent=1).encode()
    made, reply = await gated.send(raw)
    assert (made.body, made.stage, reply.status) == (raw, Stage.COMPILED, 200)
    assert made.headers == {}
    assert made.told["x-pumice-call"] == "1"


async def test_a_long_session_is_cut_valid_and_a_prefix_of_itself(gated: Gated) -> None:
    """The client resends originals; the provider sees one prefix per epoch, within the budget, and refuses nothing."""
    sent = [await gated.send(body) for body in worked(chat("Never touch migrations/."), 40)]
    assert all(reply.status == 200 for _, reply in sent)
    assert int(sent[-1][0].told["x-pumice-epoch"]) > 0
    for (before, _), (after, _) in pairwise(sent):
        if before.told["x-pumice-epoch"] == after.told["x-pumice-epoch"]:
            assert units(after.body)[: len(units(before.body))] == units(before.body)
        assert int(after.told["x-pumice-tokens"]) <= 30_000
    assert b"Never touch migrations/." in sent[-1][0].body
    assert {name for made, _ in sent for name in made.told} <= {
        "x-pumice-session", "x-pumice-call", "x-pumice-epoch", "x-pumice-tokens", "x-pumice-warnings",
    }  # fmt: skip


async def test_streams_are_read_from_a_copy_and_counted(gated: Gated) -> None:
    """A streamed answer is recorded like a plain one: its usage stands beside the call, and on the books."""
    made, _ = await gated.send(chat("hello", stream=True))
    rows = await gated.store.accounts.since("local")
    assert [(row.stage, row.is_reported) for row in rows] == [("compiled", True)]
    assert made.recorder is not None


async def test_a_cut_stream_leaves_no_trace(gated: Gated) -> None:
    """Of an answer that never became whole nothing is recorded, and the repeated call sends the same bytes (K-P4)."""
    body = worked(chat("go", stream=True), 30)[-1]
    made = await gated.prepare(body)
    gated.gate.feed(made, gated.ask(made).body[:200])
    await gated.gate.broken(made)
    await gated.gate.answered(made, None)
    assert await gated.store.accounts.since("local") == []
    again = await gated.prepare(body)
    assert again.body == made.body


async def test_a_window_that_is_too_small_is_learnt_and_the_refusal_relayed(gated: Gated) -> None:
    """ "prompt is too long" goes to the client word for word; from the next call on what it names is kept to."""
    made = Gated(gated.store, window=None, upstream=Double([Say("ok")]))
    bodies = worked(chat("go", model="some-local-model"), 40)
    turn = await made.prepare(bodies[30])
    said = b'{"type":"error","error":{"message":"prompt is too long: 40000 tokens > 32768 maximum"}}'
    assert await made.gate.refused(turn.call, turn, Reply(400, said)) is None
    later = await made.prepare(bodies[31])
    assert int(later.told["x-pumice-tokens"]) < 32_768
    await made.close()


async def test_reasoning_that_moved_is_told_with_the_clients_own_betas(gated: Gated) -> None:
    """Headers of ours stand behind those of the client, never in their place."""
    thinks = [{"type": "thinking", "thinking": "hm", "signature": "double-x"}]
    body = chat("go", model="claude-opus-5-5")
    for at in range(40):
        body = step(body, f"m{at}", "\n".join(f"{line} of {at}" for line in range(90)), before=thinks)
    made = await gated.prepare(body, anthropic_beta="context-management-2025-06-27")
    if made.headers:
        assert made.headers["anthropic-beta"].startswith("context-management-2025-06-27,thinking-binding")


async def test_nothing_fits_and_the_smallest_view_goes_out_or_a_strict_policy_says_no() -> None:
    """What cannot be made to fit goes out as small as it can be, told so; a strict policy refuses in the provider's shape."""
    body = chat("go", system="Be careful. " * 6000)
    for is_strict in (False, True):
        policy: Policy = settings.policy({"extends": "balanced", "strict": is_strict})
        gated = Gated(window=8_000, policy=policy)
        made = await gated.prepare(step(body, "a", "x"))
        if is_strict:
            assert made.reply is not None
            assert (made.reply.status, json.loads(made.reply.body)["error"]["type"]) == (400, "invalid_request_error")
        else:
            assert (made.stage, made.reply) == (Stage.FLOOR, None)
            assert int(made.told["x-pumice-over"]) > 0
        await gated.close()


async def test_a_body_that_is_none_goes_to_the_provider(gated: Gated) -> None:
    """What is wrong with a request its provider says in its own words (K-P5)."""
    made = await gated.prepare(b'{"model":"x","messages":3}')
    assert (made.body, made.stage) == (b'{"model":"x","messages":3}', Stage.PASSED)


async def test_a_session_that_was_let_go_sends_the_same_bytes() -> None:
    """With memory for no session at all every call reads its session from the store, and nobody can tell."""
    small, large = (Gated(memory=size, upstream=Double([Say("ok")] * 100)) for size in (0, 40_000_000))
    for body in worked(chat("go"), 36):
        one, other = await small.send(body), await large.send(body)
        assert one[0].body == other[0].body
    assert small.gate._places._buckets
    assert all(place.asked is None for places in small.gate._places._buckets.values() for place in places)
    assert words(json.loads(one[0].body)).count("<pumice:")
    await small.close()
    await large.close()
