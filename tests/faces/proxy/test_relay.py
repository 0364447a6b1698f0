"""What comes back is relayed byte for byte, at once, and only as fast as the client reads (K-P1, K-P2, K-P9)."""

import asyncio
import json
import zlib

import pytest
import zstandard
from proxied import HELLO, Noting, proxied

from pumice.faces.upstream import Fault, Upstream
from pumice.wire import get, sse
from pumice.wire.double import Say

ODD = (
    ": 你好 comment\r\n\r\n"
    'event: message_start\r\ndata: {"type":"message_start"}   \r\n\r\n'
    "data:no-space\ndata: two\nid: 7\nretry: 3\n\n"
    'event: unheard_of\ndata: {"obfuscation":"zz","text":"窗口🙂"}      \n\n\n\n'
    "event: ping\rdata: {}\r\r"
).encode()
LAST = b"event: message_stop\ndata: {}\n\n"
STREAMED = json.dumps(HELLO | {"stream": True}).encode()


@pytest.mark.parametrize(
    ("encoding", "undo"),
    [("", bytes), ("gzip", lambda raw: zlib.decompress(raw, 31)), ("zstd", zstandard.ZstdDecompressor().decompress)],
)
async def test_a_stream_arrives_as_it_was_sent_and_the_copy_is_plain(encoding, undo) -> None:
    """Line ends, comments, padding, split characters and compression stay; the gate hears the decoded bytes in order."""
    upstream, gate = Upstream(), Noting()
    upstream.then(Fault(body=ODD, content_type="text/event-stream", piece=5, encoding=encoding))
    async with proxied(upstream, gate) as proxy:
        status, headers, raw = await proxy.send(body=STREAMED, accept_encoding="gzip, zstd;q=0.5, br")
        assert upstream.seen[0].headers["accept-encoding"] == "gzip, zstd;q=0.5, br"
        assert (status, headers.get("content-encoding", "")) == (200, encoding)
        assert "content-length" not in headers
        # zstd says how long it is, so equal content is equal bytes only if nobody packed it anew.
        assert (undo(raw) if encoding else raw) == ODD
        assert b"".join(gate.fed) == ODD
        assert gate.heard == [("answered", None)]


async def test_headers_go_both_ways_but_for_those_of_one_connection() -> None:
    """Credentials, betas and unknown ones reach the provider; limits and ids come back, twice where they came twice."""
    upstream = Upstream([Say("ok")])
    given = (("set-cookie", "a=1"), ("set-cookie", "b=2"), ("request-id", "req_9"), ("anthropic-ratelimit-x", "7"))
    ended = (("x-pumice-step", "off"), ("connection", "x-hop"), ("x-hop", "1"))
    upstream.then(Fault(body=b'{"ok": 1}', headers=(*given, *ended)))
    async with proxied(upstream) as proxy:
        sent = {"anthropic_beta": "oauth-2025", "x_stainless_os": "é", "te": "trailers", "connection": "x-mine", "x_mine": "1"}
        status, headers, raw = await proxy.send(
            "/v1/messages?beta=true", STREAMED, **sent, x_pumice_session="s", x_pumice="off"
        )
        seen = upstream.seen[0].headers
        assert (status, raw, headers["content-length"]) == (200, b'{"ok": 1}', "9")
        assert headers.getall("set-cookie") == ["a=1", "b=2"]
        assert (headers["request-id"], headers["anthropic-ratelimit-x"], headers["x-pumice-step"]) == ("req_9", "7", "passed")
        assert "x-hop" not in headers
        assert headers.getall("x-pumice-step") == ["passed"]
    assert (upstream.seen[0].path, upstream.seen[0].query) == ("/v1/messages", "beta=true")
    assert (seen["x-api-key"], seen["anthropic-beta"]) == ("sk-secret-1", "oauth-2025")
    assert seen["x-stainless-os"].encode("latin-1").decode() == "é"
    assert seen["host"] not in proxy.url
    assert not {"te", "x-mine", "x-pumice-session", "x-pumice"} & seen.keys()


async def test_a_piece_is_passed_on_before_the_next_is_there_and_a_client_that_leaves_stops_the_upstream() -> None:
    """Nothing is held back; the connection to the provider goes with the client's, and nothing is recorded as whole."""
    upstream, gate = Upstream([Say("x" * 999)]), Noting()
    upstream.then(Fault(stall_after=400))
    async with proxied(upstream, gate) as proxy:
        answer = await proxy.client.post(
            f"{proxy.url}/v1/messages", data=STREAMED, headers={"x-api-key": "k", "anthropic-version": "1"}
        )
        got = b""
        while len(got) < 400:
            got += await answer.content.readany()
        answer.close()
        await asyncio.wait_for(upstream.left.wait(), 5)
        await asyncio.wait_for(gate.over.wait(), 5)
        assert gate.names == ["broken"]
        assert proxy.journal.left.value("anthropic") == 1


async def test_a_client_that_leaves_after_the_last_event_has_its_answer() -> None:
    """SDKs close when they have read the end, sooner than the provider does: that is no broken answer."""
    upstream, gate = Upstream([Say("done")]), Noting()
    async with proxied(upstream, gate) as proxy:
        upstream.then(Fault(body=LAST + b"x", content_type="text/event-stream", stall_after=len(LAST)))
        async with proxy.client.post(f"{proxy.url}/v1/messages", data=STREAMED, headers={"x-api-key": "k"}) as answer:
            assert (await answer.content.readexactly(len(LAST))) == LAST
            answer.close()
        await asyncio.wait_for(gate.over.wait(), 5)
    assert gate.names == ["answered", "closed"]


async def test_a_client_that_does_not_read_slows_the_upstream_down() -> None:
    """Nothing piles up between the two (back pressure): what the proxy has taken stops growing far from the end."""
    upstream, gate = Upstream(), Noting()
    size = 48 * 1024 * 1024
    upstream.then(Fault(body=b"x" * size, content_type="text/event-stream", piece=65536))
    async with (
        proxied(upstream, gate) as proxy,
        proxy.client.post(f"{proxy.url}/v1/messages", data=STREAMED, headers={"x-api-key": "k"}) as answer,
    ):
        for _ in range(8):
            await asyncio.sleep(0.02)
        taken = sum(map(len, gate.fed))
        await asyncio.sleep(0.04)
        assert taken == sum(map(len, gate.fed)) < size / 4
        assert sum([len(chunk) async for chunk in answer.content.iter_any()]) == size


async def test_a_stream_in_the_form_of_an_array_is_heard_like_any_other() -> None:
    """Gemini's without `alt=sse`: relayed as it is, and the gate hears its events."""
    upstream, gate = Upstream([Say("窗口 " * 40)]), Noting()
    body = json.dumps({"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}).encode()
    async with proxied(upstream, gate) as proxy:
        status, headers, raw = await proxy.send("/v1beta/models/gemini-2.5-pro:streamGenerateContent", body)
    assert (status, headers["content-type"], len(json.loads(raw)) > 1) == (200, "application/json", True)
    assert sse.read(gate.fed, get("gemini").stream()).blocks[0].text == "窗口 " * 40
    assert gate.names == ["answered", "closed"]
