"""Whatever a provider, a client or the way between them does wrong: the client sees what the provider said (K-P4, K-P5)."""

import asyncio
import json
import zlib

import aiohttp
import pytest
import zstandard
from proxied import HELLO, Noting, proxied

from pumice.faces.proxy.config import Limits
from pumice.faces.upstream import Fault, Upstream
from pumice.wire.double import Say

BODY = json.dumps(HELLO).encode()
STREAMED = json.dumps(HELLO | {"stream": True}).encode()
PATHS = {
    "anthropic": "/v1/messages",
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "gemini": "/v1beta/models/gemini-2.5-pro:generateContent",
}


async def test_errors_come_word_for_word_with_what_to_wait_for() -> None:
    """Status, body bytes and retry-after are the provider's; no call is sent twice."""
    upstream, gate = Upstream([Say("ok")]), Noting()
    async with proxied(upstream, gate) as proxy:
        for status in (400, 401, 404, 413, 429, 500, 503, 529):
            said = b'{"type": "error",  "error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}'
            upstream.then(Fault(status=status, body=said, retry_after="7", headers=(("x-should-retry", "true"),)))
            found, headers, raw = await proxy.send(body=BODY)
            assert (found, raw, headers["retry-after"], headers["x-should-retry"]) == (status, said, "7", "true")
    assert len(upstream.seen) == 8
    assert [reply.status for name, reply in gate.heard if name == "answered"] == [400, 401, 404, 413, 429, 500, 503, 529]


async def test_a_cut_answer_is_cut_for_the_client_and_no_answer_for_the_gate() -> None:
    """A stream and a plain answer that break off do so here too; an error inside a stream is relayed like any event."""
    upstream, gate = Upstream([Say("x" * 900)] * 3), Noting()
    async with proxied(upstream, gate) as proxy:
        for body in (STREAMED, BODY):
            upstream.then(Fault(cut_after=500))
            with pytest.raises(aiohttp.ClientPayloadError):
                await proxy.send(body=body)
        upstream.then(Fault(error_after=5))
        assert b"event: error" in (await proxy.send(body=STREAMED))[2]
        assert proxy.journal.faults.value("anthropic", "broken") == 2
    assert gate.names[:3] == ["broken", "broken", "answered"]


@pytest.mark.parametrize("dialect", list(PATHS))
async def test_a_provider_that_is_not_there_or_silent_is_told_in_its_own_shape(dialect: str) -> None:
    """502 and 504 as the provider would write them; a client can tell them from its own mistakes."""
    async with proxied("http://127.0.0.1:9") as proxy:
        status, _, raw = await proxy.send(PATHS[dialect], b"{}")
        said = json.loads(raw)["error"]["message"]
        assert (status, "127.0.0.1:9 cannot be reached (Connection refused). Check" in said) == (502, True)
        assert ("type" in json.loads(raw), "code" in json.loads(raw)["error"]) == (
            dialect == "anthropic",
            dialect != "anthropic",
        )


async def test_a_slow_stream_may_take_any_time_but_not_fall_silent() -> None:
    """Only the time between two pieces is bounded."""
    upstream = Upstream([Say("x" * 300)] * 2)
    async with proxied(upstream, limits=Limits(idle=0.2)) as proxy:
        upstream.then(Fault(pause=0.02, piece=150), Fault(stall_after=100), Fault(pause=5))
        assert b"message_stop" in (await proxy.send(body=STREAMED))[2]
        with pytest.raises(aiohttp.ClientPayloadError):
            await proxy.send(body=STREAMED)
        assert proxy.journal.faults.value("anthropic", "timeout") == 1


async def test_ten_megabytes_go_through_and_more_than_the_limit_is_refused() -> None:
    """A large body arrives whole; beyond the limit, or beyond it once decoded, 413 in the provider's shape and nothing sent."""
    upstream = Upstream([Say("ok")])
    large = json.dumps(HELLO | {"messages": [{"role": "user", "content": "word " * 2_000_000}]}).encode()
    upstream.then(Fault(body=b"{}"))
    async with proxied(upstream, limits=Limits(max_body=len(large))) as proxy:
        assert (await proxy.send(body=large))[0] == 200
        assert upstream.seen[0].body == large
        for body, encoding in ((large + b" ", ""), (zlib.compress(large + b" "), "deflate"), (_bomb(), "zstd")):
            status, _, raw = await proxy.send(body=body, **({"content_encoding": encoding} if encoding else {}))
            assert (status, json.loads(raw)["error"]["type"]) == (413, "request_too_large")
        for body, encoding in ((b"no gzip", "gzip"), (zlib.compress(b"{}")[:-2], "deflate"), (b"{}", "rot13")):
            assert (await proxy.send(body=body, content_encoding=encoding))[0] == 400
    assert len(upstream.seen) == 1


def _bomb() -> bytes:
    return zstandard.ZstdCompressor().compress(bytes(200_000_000))


@pytest.mark.parametrize(
    "body",
    [b'{"model": "x", "messages": [', b"\xff\xfe", b"[]", b"", b'{"stream": "maybe", "messages": 3}', b"[" * 100_000],
    ids=["cut", "binary", "array", "empty", "wrong types", "deep"],
)
async def test_what_is_no_request_reaches_the_provider_as_it_is(body: bytes) -> None:
    """It is the provider's to refuse, in its own words."""
    upstream = Upstream()
    async with proxied(upstream) as proxy:
        status, _, raw = await proxy.send(body=body)
    assert (status, upstream.seen[0].body) == (400, body)
    assert json.loads(raw)["error"]["type"] == "invalid_request_error"


async def test_everything_else_is_passed_through_untouched() -> None:
    """Any method, any path and query, uploads piece by piece, to the provider that path or headers speak of."""
    upstream = Upstream()
    form = b"--b\r\ncontent-disposition: form-data; name=f\r\n\r\n" + bytes(range(256)) * 9000 + b"\r\n--b--"
    asked = [
        ("GET", "/v1/models?limit=1000&after=%2Fa%20b", None, {}),
        ("POST", "/v1/files", form, {"content_type": "multipart/form-data; boundary=b"}),
        ("DELETE", "/v1/files/f%2f1", None, {}),
        ("PUT", "/v1beta/files/x?key=abc", b"bytes", {"content_encoding": "unheard-of"}),
        ("HEAD", "/api/hello", None, {}),
        ("POST", "/v1/messages/count_tokens?beta=true", BODY, {}),
    ]
    async with proxied(upstream) as proxy:
        for method, path, body, headers in asked:
            upstream.then(Fault(status=207, body=b"\x00odd\xff", content_type="x/y"))
            status, given, raw = await proxy.send(path, body, method=method, **headers)
            assert (status, given["content-type"], raw) == (207, "x/y", b"" if method == "HEAD" else b"\x00odd\xff")
            seen = upstream.seen[-1]
            assert (seen.method, seen.body, f"{seen.path}?{seen.query}".rstrip("?")) == (method, body or b"", path)
            assert "x-pumice-step" not in given
        upstream.then(Fault(stall_after=3, body=b"abcdef"))
        answer = await proxy.client.get(f"{proxy.url}/v1/models")
        assert await answer.content.readexactly(3) == b"abc"
        answer.close()
        await asyncio.wait_for(upstream.left.wait(), 5)


async def test_a_websocket_is_refused_so_that_clients_fall_back() -> None:
    """Codex asks for one first and takes 426 for "use HTTPS"."""
    async with proxied(Upstream()) as proxy:
        status, _, _ = await proxy.send("/v1/responses", method="GET", upgrade="websocket", connection="Upgrade")
        assert status == 426
