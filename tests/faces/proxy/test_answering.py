"""`read_back: tool`: our calls are answered on the way; the client never sees one, the upstream sees them ever after."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from anthropic import AsyncAnthropic
from gated import PATHS, FaultAt, Gated
from proxied import proxied

from pumice.domain.block import UNNAMED, Block, Kind
from pumice.domain.message import Response
from pumice.domain.ports import Fault, no_fault
from pumice.faces import settings
from pumice.faces.proxy import answering
from pumice.faces.proxy.gate import Call, Reply, Stage
from pumice.faces.proxy.turn import Turn
from pumice.faces.upstream import Upstream
from pumice.wire import get, hidden, rules
from pumice.wire.double import Double, Say, Use
from pumice.wire.hidden import Told

MODELS = {
    "anthropic": "claude-sonnet-5-5",
    "openai-chat": "gpt-5",
    "openai-responses": "gpt-5",
    "gemini": "gemini-3-pro",
}
BACK = Use("read_range", {"pointer": "b1"})
ALONE = Say("Let me look again.", (BACK,), thinking="What was asked?")
BESIDE = Say(
    "Two files.",
    (BACK, Use("Read", {"path": "a"}), Use("read_range", {"pointer": "b1", "offset": 9}), Use("Read", {"path": "b"})),
    thinking="Both at once.",
)
CASES = [(dialect, is_stream) for dialect in MODELS for is_stream in (False, True)]


class Client:
    """Resends what it has seen, knows one tool, and would choke on a call of any other."""

    def __init__(self, dialect: str, gated: Gated, *, is_stream: bool) -> None:
        self.dialect, self.gated, self.is_stream = dialect, gated, is_stream
        self.messages: list[bytes] = []
        self.bodies: list[bytes] = []
        """What was sent upstream, in order."""
        self.turns: list[Turn] = []
        self.before_held: Callable[[], None] = lambda: None

    def body(self) -> bytes:
        declared = {"name": "Read", "parameters": {"type": "object"}}
        tools: Any = [{"type": "function", **declared}]
        more: dict[str, Any] = {"model": MODELS[self.dialect], "stream": self.is_stream}
        if self.dialect == "anthropic":
            tools = [{"name": "Read", "input_schema": {"type": "object"}}]
            more |= {"max_tokens": 999, "thinking": {"type": "adaptive"}}
        elif self.dialect == "openai-chat":
            tools = [{"type": "function", "function": declared}]
        elif self.dialect == "gemini":
            tools = [{"functionDeclarations": [declared]}]
            more = {"generationConfig": {"thinkingConfig": {"includeThoughts": True}}}
        head = json.dumps({**more, "tools": tools}).encode()
        return head[:-1] + b', "%s": [%s]}' % (get(self.dialect).field.encode(), b", ".join(self.messages))

    async def says(self, text: str) -> Response:
        self.messages.append(get(self.dialect).user(text))
        return await self.asks()

    async def asks(self) -> Response:
        """One call; what is answered stands in the conversation, with a result for each call."""
        path = PATHS.get(self.dialect, "/v1beta/models/gemini-3-pro:generateContent")
        call = Call(self.dialect, self.body(), {"x-pumice-session": "s"}, path, MODELS[self.dialect], self.is_stream)
        made = await self.gated.gate.prepare(call)
        while True:
            assert isinstance(made, Turn)
            self.turns.append(made)
            self.bodies.append(made.body)
            reply = self.gated.ask(made)
            assert reply.status == 200, reply.body
            kind = "text/event-stream" if self.is_stream else "application/json"
            self.before_held()
            heard = await self.gated.gate.held(call, made, Reply(200, reply.body, {"content-type": kind}))
            if isinstance(heard, Reply):
                break
            made = heard
        assert b"read_range" not in heard.body
        response = answering.read(call, heard)
        assert response.messages
        self.messages += [message.raw for message in response.messages]
        calls = [block for block in response.blocks if block.kind is Kind.CALL]
        if calls:
            self.messages += hidden.way(self.dialect).results([Told(block, f"content of {block.text}") for block in calls])
        return response


def gated(store: Any = None, script: list[Say] | None = None, fault: Fault = no_fault) -> Gated:
    policy = settings.policy({"read_back": "tool"})
    return Gated(store, policy=policy, window=200_000, upstream=Double(script or []), fault=fault)


def calls(response: Response) -> list[Block]:
    return [block for block in response.blocks if block.kind is Kind.CALL]


def units(body: bytes, dialect: str) -> list[bytes]:
    return [unit.key for unit in get(dialect).units(body)]


@pytest.mark.parametrize(("dialect", "is_stream"), CASES)
async def test_the_client_never_sees_it_and_the_upstream_always_does(dialect: str, is_stream: bool) -> None:
    """Alone and beside the client's own calls, plain and streamed: every request is valid, and each is a prefix of the next."""
    gate = gated(script=[ALONE, Say("I see."), BESIDE, Say("Done."), ALONE, ALONE, Say("End.")])
    client = Client(dialect, gate, is_stream=is_stream)
    assert [block.text for block in (await client.says("Count the rules in it.")).blocks if block.kind is Kind.TEXT] == [
        "I see."
    ]
    both = await client.says("Now both files.")
    assert [block.tool for block in calls(both)] == ["Read", "Read"]
    assert not calls(await client.asks())
    await client.says("And now?")
    assert len(client.bodies) == 7
    assert gate.upstream.answered == 7
    for before, after in zip(client.bodies, client.bodies[1:], strict=False):
        assert units(after, dialect)[: len(units(before, dialect))] == units(before, dialect)
        assert not rules.check(after, dialect, model=MODELS[dialect])
    assert all(b'"read_range"' in body for body in client.bodies)
    assert client.bodies[-1].count(b"Count the rules in it.") == 5
    assert client.turns[-1].told["x-pumice-read-backs"] == "2"
    await gate.close()


@pytest.mark.parametrize("dialect", list(MODELS))
async def test_a_restarted_proxy_sends_the_same(dialect: str) -> None:
    """What the client does not have comes from the store: the second process goes on where the first was."""
    gate = gated(script=[ALONE, Say("I see."), BESIDE])
    client = Client(dialect, gate, is_stream=False)
    await client.says("Count the rules in it.")
    await client.says("Now both files.")
    again = gated(gate.store, [Say("Done.")])
    other = Client(dialect, again, is_stream=False)
    other.messages = list(client.messages)
    await other.asks()
    first = gated(gate.store, [Say("Done.")])
    assert units(other.bodies[0], dialect)[: len(units(client.bodies[-1], dialect))] == units(client.bodies[-1], dialect)
    assert other.bodies[0].count(b"Count the rules in it.") >= 3
    for one in (gate, again, first):
        await one.close()


async def test_a_call_without_an_id_is_told_apart_by_its_place() -> None:
    """Gemini's calls may have no ids, and clients give them some: the responses stand in the order of their calls (K-G5)."""
    way, dialect = hidden.way("gemini"), get("gemini")
    parts = [{"functionCall": {"name": name, "args": {}}} for name in ("read_range", "Read", "read_range", "List")]
    answer = json.dumps({"role": "model", "parts": parts}).encode()
    blocks = [block for block in dialect.read_message(answer).blocks if block.tool == "read_range"]
    assert all(block.call_id.startswith(UNNAMED) for block in blocks)
    results = way.results([Told(block, f"r{at}") for at, block in enumerate(blocks)])
    named = [{"functionCall": {"name": name, "args": {}, "id": f"{name}_1"}} for name in ("Read", "List")]
    echo = json.dumps({"role": "model", "parts": named}).encode()
    given = [{"functionResponse": {"name": name, "id": f"{name}_1", "response": {"output": name}}} for name in ("Read", "List")]
    theirs = json.dumps({"role": "user", "parts": given}).encode()
    joined = way.joined([dialect.user("go"), echo, theirs], 1, [answer], results, "read_range")
    assert joined is not None
    assert [part["functionResponse"]["response"]["output"] for part in json.loads(joined[2])["parts"]] == [
        "r0",
        "Read",
        "r1",
        "List",
    ]


async def test_a_client_that_goes_back_takes_the_exchange_with_it() -> None:
    """What stood behind an edited prompt is gone; what stands behind words that came again with other reminders is not."""
    gate = gated(script=[ALONE, Say("I see."), Say("ok"), Say("ok")])
    client = Client("openai-chat", gate, is_stream=False)
    await client.says("Count the rules in it.")
    texts = ["<system-reminder>x</system-reminder>", "Count the rules in it."]
    reminded = {"role": "user", "content": [{"type": "text", "text": text} for text in texts]}
    client.messages[0] = json.dumps(reminded).encode()
    await client.says("Go on.")
    assert client.bodies[-1].count(b'"tool_call_id"') == 1
    client.messages = [client.messages[0].replace(b"Count the rules", b"Name the rules"), *client.messages[1:-1]]
    await client.asks()
    assert client.bodies[-1].count(b'"tool_call_id"') == 0
    await gate.close()


async def test_where_the_engine_fails_no_call_of_ours_gets_through() -> None:
    """An answer that only read back is asked for again without the tool; of another the client gets its own part (K-P7)."""
    fault = FaultAt()
    gate = gated(script=[ALONE, Say("ok"), BESIDE], fault=fault)
    client = Client("openai-responses", gate, is_stream=True)
    client.before_held = lambda: setattr(fault, "point", "*")
    assert not calls(await client.says("Go."))
    assert client.turns[-1].stage is Stage.CLIENT
    assert client.bodies[-1] == client.turns[-1].call.body
    fault.point = ""
    assert [block.tool for block in calls(await client.says("Both."))] == ["Read", "Read"]
    await gate.close()


async def test_over_http_the_official_client_gets_one_stream() -> None:
    """Two requests upstream, one answer: complete events, the provider's figures of the last request, and no call of ours.

    The metrics know of the read-back.
    """
    upstream = Upstream([ALONE, BESIDE])
    gate = gated().gate
    async with proxied(upstream, gate) as proxy:
        client = AsyncAnthropic(base_url=proxy.url, api_key="sk-test", max_retries=0)
        tools: Any = [{"name": "Read", "input_schema": {"type": "object"}}]
        said: Any = [{"role": "user", "content": "Count the rules in it."}]
        async with client.messages.stream(model="claude-sonnet-5-5", max_tokens=99, messages=said, tools=tools) as stream:
            final = await stream.get_final_message()
        await client.close()
    assert [block.name for block in final.content if block.type == "tool_use"] == ["Read", "Read"]
    assert final.stop_reason == "tool_use"
    assert len(upstream.seen) == 2
    assert [value for _, value in proxy.journal.counts.read_backs.values()] == [1]
    reported = final.usage.input_tokens + (final.usage.cache_creation_input_tokens or 0)
    assert reported + (final.usage.cache_read_input_tokens or 0) <= len(upstream.seen[1].body)


async def test_endless_reading_ends() -> None:
    """After so many answers that only read back the model is told to answer, and then the client gets what there is."""
    gate = gated(script=[ALONE] * 20)
    client = Client("anthropic", gate, is_stream=False)
    response = await client.says("Go.")
    assert len(client.bodies) == answering.MOST + 1
    assert [block.kind for block in response.blocks] == [Kind.REASONING, Kind.TEXT]
    assert response.stop == "end_turn"
    assert b"no more read-backs" in client.bodies[-1]
    await gate.close()
