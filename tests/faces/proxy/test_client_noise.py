"""Clients resend everything with small changes, twice, and all at once: the provider sees one prefix, the books one call."""

import asyncio
import json
import random
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import aiohttp
import pytest
from gated import Gated, chat, worked
from noise import TOOLS, noisy
from proxied import proxied
from tests_support import code

from pumice import wire
from pumice.faces.upstream import Fault, Upstream
from pumice.wire.double import Say, Use

STEPS, WINDOW, LATE = 14, 20_000, 5
SESSION = "x-pumice-session"
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "anthropic": ("/v1/messages", {"model": "claude-opus-4-8", "max_tokens": 99}),
    "openai-chat": ("/v1/chat/completions", {"model": "gpt-5.1"}),
    "openai-responses": ("/v1/responses", {"model": "gpt-5.1"}),
    "gemini": ("/v1beta/models/gemini-2.5-pro:generateContent", {}),
}


def keys(dialect: str, body: bytes) -> list[bytes]:
    return [unit.key for unit in wire.get(dialect).units(body)]


class Noisy:
    """An agent's loop whose client respells what it sends again."""

    def __init__(self, dialect: str) -> None:
        self.reader, self._fields = wire.get(dialect), CALLS[dialect][1]
        self._dialect, self._chance = dialect, random.Random(7)
        self.messages = [json.loads(self.reader.user("Never touch migrations/. Find the fault."))]

    def body(self, tools: Iterable[str]) -> bytes:
        declared = {"tools": [TOOLS[self._dialect](name) for name in tools]}
        field = {self.reader.field: noisy(self._dialect, self.messages, self._chance)}
        return json.dumps({**self._fields, **declared, **field}).encode()

    def hear(self, raw: bytes, lines: int) -> None:
        """An answer, and the results of its calls."""
        said = self.reader.read_response(raw)
        self.messages += [json.loads(message.raw) for message in said.messages]
        for block in said.blocks:
            if block.call_id or block.tool:
                result = self.reader.read_message(self.reader.aborted(block))
                whole = self.reader.rewrite(result, {0: code(f"m{lines}", lines)}) or b""
                self.messages.append(
                    json.loads(whole.replace(b'"is_error":true', b'"is_error":false').replace(b'"error":', b'"output":'))
                )


@pytest.mark.parametrize("dialect", list(CALLS))
async def test_the_prefix_holds_whatever_the_client_respells(dialect: str) -> None:
    """Between two cuts each request is the next one's beginning, but for the call at which its tools change."""
    script = [Say("", (Use("Read", {"file_path": f"src/m{at}.py", "limit": 99}),)) for at in range(STEPS)]
    upstream, gated, client, told = Upstream(script), Gated(window=WINDOW), Noisy(dialect), []
    async with proxied(upstream, gated.gate) as proxy:
        for at in range(STEPS):
            body = client.body(("Read", "Bash") if at < LATE else ("Read", "mcp__late__look", "Bash"))
            status, headers, raw = await proxy.send(CALLS[dialect][0], body, content_type="application/json")
            assert (status, headers["x-pumice-step"]) == (200, "compiled"), raw
            told.append(headers)
            client.hear(raw, 100 + at)
    assert max(int(headers["x-pumice-tokens"]) for headers in told) <= WINDOW
    assert len({headers["x-pumice-session"] for headers in told}) == 1
    epochs = [headers["x-pumice-epoch"] for headers in told]
    assert len(set(epochs)) > 1
    sent = [keys(dialect, seen.body) for seen in upstream.seen]
    for at, (before, after) in enumerate(pairwise(sent), 1):
        assert epochs[at] != epochs[at - 1] or at == LATE or after[: len(before)] == before, at


async def test_the_same_body_again_is_the_same_call() -> None:
    """Three at once, again after a cut stream without streaming, and after overloads: the same messages, booked when billed."""
    upstream, gated = Upstream([Say("x" * 900)] * 99), Gated(window=WINDOW)
    async with proxied(upstream, gated.gate) as proxy:
        steps = worked(chat("go", model="claude-opus-4-8"), 14)
        for body in steps:
            answers = await asyncio.gather(*(proxy.send(body=json.dumps(body).encode()) for _ in range(3)))
            assert {(status, headers["x-pumice-session"]) for status, headers, _ in answers} == {(200, answers[0][1][SESSION])}
            assert len({seen.body for seen in upstream.seen[-3:]}) == 1
        upstream.then(Fault(cut_after=500), Fault(status=529), Fault(status=500), Fault(status=429, retry_after="1"))
        streamed = json.dumps({**steps[-1], "stream": True}).encode()
        with pytest.raises(aiohttp.ClientPayloadError):
            await proxy.send(body=streamed)
        found = [(await proxy.send(body=body))[0] for body in (*[streamed] * 4, json.dumps(steps[-1]).encode())]
        assert found == [529, 500, 429, 200, 200]
        assert len({tuple(keys("anthropic", seen.body)) for seen in upstream.seen[-9:]}) == 1
        await proxy.send(body=json.dumps(steps[-1]).encode())
    assert len(await gated.store.accounts.since("local", 0.0)) == 3 * len(steps) + 3
