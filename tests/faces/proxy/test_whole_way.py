"""The whole way: an agent's loop over HTTP, through the engine, to a strict provider, beyond the window it has."""

import json
from collections.abc import Iterator

import pytest
from gated import Gated
from proxied import KEYS, Proxied, proxied
from tests_support import code

from pumice import wire
from pumice.faces.upstream import Upstream
from pumice.wire.double import Say, Use

STEPS = 14
WINDOW = 20_000
FIRST = {
    "anthropic": ("/v1/messages", {"model": "claude-opus-4-8", "max_tokens": 99}),
    "openai-chat": ("/v1/chat/completions", {"model": "gpt-5.1"}),
    "openai-responses": ("/v1/responses", {"model": "gpt-5.1"}),
    "gemini": ("/v1beta/models/gemini-2.5-pro:generateContent", {}),
}


def script() -> Iterator[Say]:
    for at in range(STEPS):
        yield Say("", (Use("Read", {"file_path": f"src/m{at}.py"}),))


async def steps(proxy: Proxied, dialect: str) -> Iterator[dict[str, str]]:
    """The headers of each answer to an agent that resends all it has ever seen, as every client does."""
    reader, (path, fields) = wire.get(dialect), FIRST[dialect]
    messages, heard = [reader.user("Never touch migrations/. Find the fault in src/.")], []
    opened = reader.open(json.dumps({**fields, reader.field: [json.loads(messages[0])]}).encode())
    for at in range(STEPS):
        status, headers, raw = await proxy.send(path, reader.close(opened, messages), content_type="application/json")
        assert status == 200, raw
        heard.append({name.lower(): value for name, value in headers.items()})
        for message in (said := reader.read_response(raw)).messages:
            messages.append(message.raw)
        for block in said.blocks:
            if block.call_id or block.tool:
                result = reader.read_message(reader.aborted(block))
                messages.append(reader.rewrite(result, {0: code(f"m{at}", 130)}))
    return heard


@pytest.mark.parametrize("dialect", list(FIRST))
async def test_a_session_outgrows_its_window_and_nobody_notices(dialect: str) -> None:
    """Every call is answered, the provider refuses nothing and never sees more than fits; the rule stands in the last view."""
    upstream, gated = Upstream(list(script())), Gated(window=WINDOW)
    async with proxied(upstream, gated.gate) as proxy:
        heard = await steps(proxy, dialect)
    journal = proxy.journal
    assert journal.calls.value(dialect, "compiled", "2xx") == STEPS
    assert journal.shielded.value("prepare") + journal.shielded.value("answered") == 0
    assert journal.sent.value(dialect) < 0.8 * journal.received.value(dialect)
    assert max(int(answer["x-pumice-tokens"]) for answer in heard) <= WINDOW
    assert "Never touch migrations/." in upstream.seen[-1].body.decode()
    assert {seen.headers["x-api-key"] for seen in upstream.seen} == {KEYS["x-api-key"]}
