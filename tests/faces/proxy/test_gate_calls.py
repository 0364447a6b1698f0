"""The exchange between the server and a gate: who is called when, and what a gate can make of a call."""

import asyncio
import gzip
import json

import pytest
from proxied import HELLO, Noting, proxied, rewritten

from pumice.faces.proxy.config import Limits
from pumice.faces.proxy.gate import Call, Prepared, Reply, Stage
from pumice.faces.upstream import Fault, Upstream
from pumice.wire import get, sse
from pumice.wire.double import Say

BODY = json.dumps(HELLO).encode()
STREAMED = json.dumps(HELLO | {"stream": True}).encode()
SMALLER = json.dumps(HELLO | {"messages": [{"role": "user", "content": "smaller"}]}).encode()


async def test_a_gate_sees_the_plain_call_and_what_it_changes_goes_without_the_encoding() -> None:
    """A compressed body is read and replaced; the same one unchanged goes on as the very bytes that came."""
    packed = gzip.compress(BODY)
    upstream, gate = Upstream([Say("one"), Say("two")]), Noting(lambda _: rewritten(SMALLER, told={"x-pumice-saved": "9\n9"}))
    async with proxied(upstream, gate) as proxy:
        status, headers, raw = await proxy.send("/v1/messages?beta=true", packed, content_encoding="gzip")
        assert (status, json.loads(raw)["content"][0]["text"]) == (200, "one")
        assert (headers["x-pumice-step"], headers["x-pumice-saved"]) == ("compiled", "9 9")
        assert (gate.calls[0].body, gate.calls[0].path, gate.calls[0].is_stream) == (BODY, "/v1/messages?beta=true", False)
        assert (upstream.seen[0].body, upstream.seen[0].headers.get("content-encoding")) == (SMALLER, None)
        assert upstream.seen[0].headers["content-length"] == str(len(SMALLER))
        (name, reply), *_ = gate.heard
        assert (name, reply.status, reply.body) == ("answered", 200, raw)
        gate._make = None
        await proxy.send(body=packed, content_encoding="gzip")
    assert (upstream.seen[1].body, upstream.seen[1].headers["content-encoding"]) == (packed, "gzip")


async def test_a_refused_rewriting_is_replaced_once() -> None:
    """The client sees the answer to the second request, or, refused again, the provider's words; never a third (K-P8)."""
    upstream = Upstream([Say("second")])
    gate = Noting(lambda _: rewritten(SMALLER), again=Prepared(BODY, Stage.CLIENT))
    async with proxied(upstream, gate) as proxy:
        upstream.then(Fault(status=400, message="messages.1: thinking blocks cannot be modified"))
        status, headers, raw = await proxy.send(body=STREAMED)
        assert (status, headers["x-pumice-step"]) == (200, "client")
        assert b"second" in raw
        assert [seen.body for seen in upstream.seen] == [SMALLER, BODY]
        assert gate.names == ["refused", "answered"]
        upstream.then(Fault(status=400, message="first"), Fault(status=400, message="prompt is too long"))
        status, _, raw = await proxy.send(body=BODY)
        assert (status, b"prompt is too long" in raw, len(upstream.seen)) == (400, True, 4)
        assert proxy.journal.retried.value("anthropic") == 2


async def test_a_gate_may_answer_itself_or_ask_again_before_the_client_hears() -> None:
    """A held answer is collected, another request sent in between, and the client gets one whole answer, streamed or not."""
    upstream = Upstream([Say("hidden"), Say("shown")])
    rounds = iter([rewritten(SMALLER, is_held=True), None])

    def made(reply: Reply) -> Reply | Prepared:
        assert reply.headers["content-type"] == "text/event-stream"
        return next(rounds) or reply

    gate = Noting(lambda _: rewritten(STREAMED, is_held=True), held=made)
    async with proxied(upstream, gate) as proxy:
        status, headers, raw = await proxy.send(body=STREAMED)
        assert (status, b"shown" in raw, b"hidden" in raw) == (200, True, False)
        assert upstream.seen[0].headers["accept-encoding"] == "identity"
        assert gate.names == ["held", "held"]
        gate._make = lambda _: rewritten(b"", reply=Reply(200, b"mine", {"content-type": "text/plain"}))
        status, headers, raw = await proxy.send(body=BODY)
        assert (status, headers["content-type"], raw, len(upstream.seen)) == (200, "text/plain", b"mine", 2)


async def test_a_held_stream_shows_signs_of_life() -> None:
    """Clients give up on a silent stream: comments go ahead of the answer, and what follows is still a stream (K-P2)."""
    upstream = Upstream([Say("late " * 30)])
    upstream.then(Fault(pause=0.01, piece=200, encoding="gzip"), Fault(status=529))
    gate = Noting(lambda call: Prepared(call.body, is_held=True))
    async with proxied(upstream, gate, limits=Limits(keep_alive=0.005)) as proxy:
        status, headers, raw = await proxy.send(body=STREAMED)
        comments = raw.partition(b"event:")[0]
        assert (status, headers["content-type"]) == (200, "text/event-stream")
        assert set(comments.split(b"\n\n")) == {b": pumice is still reading the answer", b""}
        said = sse.read([raw], get("anthropic").stream())
        assert (said.blocks[0].text, said.stop) == ("late " * 30, "end_turn")
        status, _, _ = await proxy.send(body=STREAMED)
        assert (status, gate.names) == (529, ["held", "answered"])


class Broken(Noting):
    """A gate that fails in every way."""

    async def prepare(self, call: Call) -> Prepared:
        if call.headers.get("x-how") == "slow":
            await asyncio.sleep(60)
        raise ValueError("of sk-secret-1")

    def feed(self, prepared: Prepared, chunk: bytes) -> None:
        raise KeyError

    async def answered(self, prepared: Prepared, reply: Reply | None) -> None:
        raise RuntimeError


@pytest.mark.parametrize("how", ["raises", "slow"])
async def test_a_broken_gate_harms_no_call(how: str, caplog: pytest.LogCaptureFixture) -> None:
    """The client's own bytes go, the answer comes, the step says so; the log names the fault and nothing of the call (K-P7)."""
    upstream = Upstream([Say("fine")])
    async with proxied(upstream, Broken(), limits=Limits(prepare=0.02)) as proxy:
        status, headers, raw = await proxy.send(body=STREAMED, x_how=how)
        assert (status, headers["x-pumice-step"], b"fine" in raw) == (200, "client", True)
        assert upstream.seen[0].body == STREAMED
        assert [proxy.journal.shielded.value(step) for step in ("prepare", "answered")] == [1, 1]
    assert "engine fault in prepare" in caplog.text
    assert "sk-secret-1" not in caplog.text
