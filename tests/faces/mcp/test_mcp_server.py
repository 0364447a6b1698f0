"""The MCP server: the SDK's own client reads back what a running agent has folded, over every transport."""

import socket
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from tests_support import World, code

from pumice.errors import InvalidInput
from pumice.faces.cli.mcp import mcp
from pumice.faces.library import Engine
from pumice.faces.mcp.chosen import Chosen
from pumice.faces.mcp.running import app, mounted
from pumice.faces.mcp.server import MOST, serve
from pumice.faces.proxy import running
from pumice.faces.proxy.app import create
from pumice.faces.proxy.config import configured
from pumice.faces.proxy.gate import Open
from pumice.measure import tokens

TOOLS = ["read_range", "search", "head", "tail", "notes", "update_notes", "pins", "pin", "manifest", "explain"]


async def work(world: World, name: str = "s", steps: int = 12, scope: str = "") -> Any:
    """A session whose oldest reads are folded."""
    agent = world.agent(name, window=20_000) if not scope else None
    session = agent.session if agent else world.engine().session(name, scope=scope, policy="balanced", window=20_000)
    made = agent or type(world.agent("unused"))(session)
    made.says("Port the modules. Never touch migrations/.")
    for at in range(steps):
        made.runs(f"c{at}", code(f"mod{at}", 60), tool="Read", file_path=f"src/mod{at}.py")
        await made.call()
    return made


def client_of(world: World, **options: Any) -> Client:
    return Client(serve(Chosen(world.engine(), **options)))


async def ask(client: Client, name: str, /, **given: Any) -> tuple[str, bool]:
    result = await client.call_tool(name, given)
    assert result.structured_content is None
    return result.content[0].text, bool(result.is_error)  # type: ignore[union-attr]


async def test_tools_stand_in_one_order_and_say_which_of_them_only_look(world: World) -> None:
    """A client's prompt cache sees the same definitions every time, and may run what only looks without asking."""
    async with client_of(world) as client:
        first, again = (await client.list_tools()).tools, (await client.list_tools()).tools
    assert [tool.name for tool in first] == TOOLS
    assert first == again
    assert {tool.name for tool in first if not tool.annotations.read_only_hint} == {"update_notes", "pin"}  # type: ignore[union-attr]
    assert all("session" in tool.input_schema["properties"] for tool in first)


async def test_what_was_folded_is_read_searched_and_explained(world: World) -> None:
    """By name from both ends, by words, with the reason why it is not shown."""
    await work(world)
    async with client_of(world) as client:
        text, failed = await ask(client, "read_range", pointer="b3", offset=7, limit=2)
        assert not failed
        assert text.split("\n")[:2] == code("mod0", 60).split("\n")[6:8]
        assert "[lines 7 to 8 of 60; go on at offset 9]" in text
        assert text.endswith("[session s]")
        assert (await ask(client, "head", pointer="b3", lines=1))[0].startswith("1→def mod0_1")
        assert (await ask(client, "tail", pointer="workspace://artifacts/b3", lines=2))[0].startswith("59→def mod0_59")
        assert "workspace://artifacts/b3:17 17→def mod0_17" in (await ask(client, "search", query="mod0_17"))[0]
        manifest, _ = await ask(client, "manifest", limit=20)
        assert "epoch 1 (budget), policy balanced" in manifest
        assert "go on at offset 21" in manifest
        assert (await ask(client, "explain", block="b3"))[0].startswith("b3 fold by offload, 0 tokens, tools")


async def test_a_session_that_another_process_moves_on_is_seen_as_it_is_now(world: World) -> None:
    """What a proxy writes after the server has begun is found, and its limit counts per response of the model."""
    agent = await work(world)
    async with client_of(world) as client:
        assert (await ask(client, "read_range", pointer="b27"))[1]
        agent.runs("late", "the late result", tool="Bash")
        view = await agent.call()
        assert (await ask(client, "read_range", pointer="b27"))[0].startswith("the late result")
        assert not (await ask(client, "head", pointer="b3"))[1]
        refused, failed = await ask(client, "tail", pointer="b3")
        assert failed
        assert "2 are allowed" in refused
        await agent.session.record({"id": "m", "role": "assistant", "content": [], "usage": {"input_tokens": 9}}, view)
        assert not (await ask(client, "tail", pointer="b3"))[1]


async def test_notes_and_pins_from_outside_stand_after_the_next_cut(world: World) -> None:
    """They are seen at once by every reader; what the conversation notes later wins."""
    agent = await work(world)
    async with client_of(world) as client:
        assert "Noted: build" in (await ask(client, "update_notes", notes={"build": "make -j2", "old": "x"}))[0]
        await ask(client, "update_notes", notes={"old": ""})
        assert (await ask(client, "notes"))[0].startswith("build: make -j2\n[session")
        assert "Pinned as p" in (await ask(client, "pin", text="Answer in Latin."))[0]
        listed, _ = await ask(client, "pins")
        assert "by hand: Answer in Latin." in listed
        assert "Never touch migrations/." in listed
        text = str((await agent.session.compact(target=9_000)).body["messages"][0])
        assert "make -j2" in text
        assert "Answer in Latin." in text
        agent.runs("n1", "Noted.", tool="mcp__pumice__update_notes", notes={"build": "make -j8"})
        await agent.call()
        assert "build: make -j8" in (await ask(client, "notes"))[0]


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("read_range", {"pointer": "../../etc/passwd"}, "is no pointer"),
        ("read_range", {"pointer": "workspace://artifacts/../../key"}, "is no pointer"),
        ("head", {"pointer": "workspace://inputs/identity.key"}, "keeps nothing under"),
        ("tail", {"pointer": "/etc/passwd"}, "is no pointer"),
        ("search", {"query": "x", "pointer": "file:///etc/passwd"}, "is no pointer"),
        ("search", {"query": "(", "regex": True}, "Correct it"),
        ("explain", {"block": "b1; drop"}, "is no block"),
        ("manifest", {"call": 900}, "known are 1 to 2"),
        ("read_range", {"pointer": "b3", "session": "../other"}, "newest here: s"),
        ("read_range", {"pointer": "b3", "limit": "many"}, "Correct the arguments"),
        ("update_notes", {"notes": {"a": "⋯ b1 forged"}}, "read like pumice's own"),
        ("delete", {}, "is not known here"),
    ],
)
async def test_what_cannot_be_is_refused_in_words(world: World, name: str, given: dict[str, Any], said: str) -> None:
    """Paths, foreign sessions and wrong arguments are tool errors that say what to do; nothing is read or raised."""
    await work(world, steps=2)
    async with client_of(world) as client:
        text, failed = await ask(client, name, **given)
    assert failed
    assert said in text


async def test_only_sessions_of_the_scope_are_there(world: World) -> None:
    """The newest of the server's own scope is meant; another project's cannot be named."""
    await work(world, "mine", steps=1, scope="tenant:acme/project:web")
    world.now = 50.0
    await work(world, "theirs", steps=1, scope="tenant:acme/project:secret")
    await work(world, "local", steps=1)
    async with client_of(world, scope="tenant:acme/project:web") as client:
        assert (await ask(client, "head", pointer="b3", lines=1))[0].endswith("[session mine]")
        assert (await ask(client, "head", pointer="b3", session="theirs"))[1]
    async with client_of(world, scope="tenant:acme", session="theirs") as client:
        assert "session" not in (await client.list_tools()).tools[0].input_schema["properties"]
        assert (await ask(client, "head", pointer="b3", lines=1))[0].endswith("[lines 1 to 1 of 60; go on at offset 2]")
    async with client_of(world, scope="tenant:nobody") as client:
        assert "no session is stored here yet" in (await ask(client, "head", pointer="b3"))[0]


async def test_results_stay_within_what_clients_take(world: World) -> None:
    """However dense a text is, an answer is a page below the limit and says where the next begins."""
    agent = world.agent()
    agent.says("go").runs("c1", "\n".join(f"{at} " + "🝖🜁🜂" * 60 for at in range(400)))
    await agent.call()
    async with client_of(world) as client:
        page, failed = await ask(client, "read_range", pointer="b3", limit=400)
        assert not failed
        assert tokens.count(page) <= MOST + 40
        assert "go on at offset" in page
        found, _ = await ask(client, "search", query="🝖", limit=100, regex=True)
        assert tokens.count(found) <= MOST + 40
        assert "ask for less at once" in found


async def test_over_http_beside_the_proxy(world: World) -> None:
    """`pumice serve --mcp`: at /mcp, behind the proxy's own door, and nowhere else (DNS rebinding)."""
    await work(world, steps=1)
    whole = create(configured(), Open(), mounted(world.engine()))
    transport = httpx2.ASGITransport(app=whole)
    async with whole.router.lifespan_context(whole), httpx2.AsyncClient(transport=transport) as http:
        async with Client(streamable_http_client("http://127.0.0.1:8787/mcp", http_client=http)) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
            assert (await ask(client, "head", pointer="b3", lines=1))[0].startswith("1→def mod0_1")
        assert (await http.get("http://127.0.0.1:8787/healthz")).status_code == 200
        assert (await http.post("http://evil.example/mcp", json={})).status_code == 403
    inner = app(world.engine())
    bare = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=inner))
    async with inner.router.lifespan_context(inner), bare:
        assert (await bare.post("http://evil.example/mcp", json={})).status_code == 421


def test_it_is_not_served_to_others() -> None:
    """It asks nobody who they are: neither to other machines nor to those a token was given to."""
    for host in ("0.0.0.0", "127.0.0.1"):
        with pytest.raises(InvalidInput, match="every caller"):
            running.run(running.Asked(host=host, port=0, token="t"), lambda *_: None, app(World().engine()))
    with pytest.raises(InvalidInput, match="asks nobody"):
        mcp(http=True, host="0.0.0.0")


def test_a_port_in_use_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is to listen where somebody else does, or at no port there is, says so in one sentence."""
    monkeypatch.setenv("PUMICE_HOME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InvalidInput, match=f"127.0.0.1:{port} cannot be listened on"):
            mcp(http=True, port=port)
    with pytest.raises(InvalidInput, match="expected 0 to 65535"):
        mcp(http=True, port=99_999)


async def test_over_standard_input_and_output(tmp_path: Path) -> None:
    """`pumice mcp` on a store that another process has open."""
    call = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "ls"}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "alpha\nbeta"}
    messages = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]
    with Engine.open(tmp_path) as engine:
        engine.session("s").compile({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages}, dialect="anthropic")
        run = "from pumice.faces.cli import main; raise SystemExit(main())"
        server = StdioServerParameters(
            command=sys.executable, args=["-c", run, "mcp", "--session", "s"], env={"PUMICE_HOME": str(tmp_path)}
        )
        async with Client(server) as client:
            assert await ask(client, "tail", pointer="b3", lines=1) == ("beta\n[lines 2 to 2 of 2]", False)
