"""How a client fetches what has left the window: as files of its own machine, by a tool, or told honestly that it cannot."""

import json
import shutil
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests_support import Agent, World, code

from pumice import Engine
from pumice.domain.redeem import FILES, NONE, POINTERS, Redeem
from pumice.engine.redeeming import chosen, tool_of
from pumice.engine.terms import Terms
from pumice.faces import library, settings
from pumice.wire import get

HERE = Terms(is_here=True)
READ = {"name": "Read", "input_schema": {"type": "object"}}
LOG = "\n".join(f"step {at}: module m{at} built in {at % 7} s" for at in range(900))


class Client(Agent):
    """A client with a read tool, on this machine."""

    def body(self) -> dict[str, Any]:
        return {**super().body(), "tools": [READ]}


async def client(place: Path) -> Client:
    """A client that has asked once, so that what comes is seen first here."""
    made = Client(library.open_async(place).session("s", policy="balanced", window=20_000))
    made.says("Port the modules.")
    await made.call(terms=HERE)
    return made


def texts(body: Any) -> str:
    found = [block for message in body["messages"] for block in message["content"] if not isinstance(block, str)]
    return "\n".join(str(block.get("text") or block.get("content")) for block in found)


async def work(agent: Client, steps: int, terms: Terms = HERE) -> Any:
    for at in range(steps):
        agent.runs(f"c{at}", code(f"mod{at}", 60), tool="Read", file_path=f"src/mod{at}.py")
        view = await agent.call(terms=terms)
    return view


async def test_what_leaves_the_window_is_a_file_the_client_can_open(tmp_path: Path) -> None:
    """The note names the folder once; every hidden block lies there whole, for its owner alone, before the view is sent."""
    agent = await client(tmp_path)
    agent.runs("log", LOG)
    first = await agent.call(terms=HERE)
    folder = tmp_path / "workspace" / "s" / "artifacts"
    assert 'of="b3" lines="' in texts(first.body)
    assert f'read="{folder}/b3"' in texts(first.body)
    assert (folder / "b3").read_text() == LOG
    view = await work(agent, 12)
    assert view.epoch == 1
    assert texts(view.body).count(f"is a file of its name in {folder}; read it in parts") == 1
    hidden = [row.id for row in view.manifest.rows if row.outcome in ("fold", "excerpt")]
    blocks = agent.session.blocks()
    assert hidden
    assert {name: (folder / name).read_text() for name in hidden} == {name: blocks[name].text for name in hidden}
    assert {stat.S_IMODE((folder / name).stat().st_mode) for name in hidden} == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent, folder.parent.parent)} == {0o700}
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


async def test_a_restarted_session_shows_the_same_and_writes_what_is_missing(tmp_path: Path) -> None:
    """The folder is an input on record: the same bytes after a restart, and a lost file is there again."""
    agent = await client(tmp_path)
    agent.runs("log", LOG)
    view = await work(agent, 12)
    (tmp_path / "workspace" / "s" / "artifacts" / "b3").unlink()
    again = Client(library.open_async(tmp_path).session("s", policy="balanced", window=20_000))
    again.messages = agent.messages
    assert (await again.call(terms=HERE)).raw == view.raw
    assert json.loads(await again.session.rebuild(view.call)) == json.loads(view.raw)
    assert (tmp_path / "workspace" / "s" / "artifacts" / "b3").read_text() == LOG


async def test_a_file_that_is_read_back_is_not_cut_into_another_one(tmp_path: Path) -> None:
    """Whatever tool opened it, its result stays whole on arrival and counts as a read-back."""
    agent = await client(tmp_path)
    agent.runs("log", LOG)
    await agent.call(terms=HERE)
    path = tmp_path / "workspace" / "s" / "artifacts" / "b3"
    agent.runs("again", LOG, tool="Bash", command=f"sed -n 1,900p {path} | cat")
    agent.runs("other", LOG.replace("step", "part"), tool="Bash", command="make")
    view = await agent.call(terms=HERE)
    rows = {row.id: row.outcome for row in view.manifest.rows}
    assert (rows["b3"], rows["b5"], rows["b7"]) == ("excerpt", "keep", "excerpt")
    assert agent.session.read_back == {"b3"}


async def test_secrets_are_not_in_files_and_forgetting_removes_them(tmp_path: Path) -> None:
    """What is written is the store's form; forget leaves nothing of the session on disk."""
    engine = library.open_async(tmp_path)
    agent = Client(engine.session("a/../b", policy={"read_back": {"mode": "files", "folder": str(tmp_path / "out")}}))
    await agent.says("go").call()
    agent.runs("log", f"key = 'ghp_{'a1B2' * 9}'\n{LOG}")
    await agent.call()
    (file,) = (path for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert file.parent.parent.parent == tmp_path / "out"
    assert file.read_text().startswith("key = '[secret:")
    await engine.forget("a/../b")
    assert not list((tmp_path / "out").iterdir())


@pytest.mark.parametrize(
    ("mode", "tools", "is_here", "folder", "found"),
    [
        ("auto", ["Read"], None, "/w", POINTERS),
        ("auto", ["Read"], True, "/w", Redeem(FILES, "/w")),
        ("auto", ["exec_command"], True, "/w", Redeem(FILES, "/w")),
        ("auto", ["Read"], True, "", Redeem(NONE)),
        ("auto", ["Read"], False, "/w", Redeem(NONE)),
        ("auto", ["Read", "mcp__pumice__read_range"], False, "/w", POINTERS),
        ("auto", ["WebFetch", "mcp_pumice_read_range"], True, "/w", POINTERS),
        ("auto", ["WebFetch"], True, "/w", Redeem(NONE)),
        ("files", [], None, "/w", Redeem(FILES, "/w")),
        ("files", [], None, "", Redeem(NONE)),
        ("mcp", ["Read"], True, "/w", POINTERS),
        ("tool", ["Read"], True, "/w", POINTERS),
        ("none", ["Read"], True, "/w", Redeem(NONE)),
    ],
)
def test_the_way_is_chosen_by_what_the_client_can_do(
    mode: str, tools: list[str], is_here: bool | None, folder: str, found: Redeem
) -> None:
    """Files need a tool that opens them and a client on this machine; nothing is promised that nobody can fetch."""
    policy = settings.policy({"read_back": mode})
    named = [{"name": name, "input_schema": {"type": "object"}} for name in tools]
    body = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [{"role": "user", "content": "x"}], "tools": named}
    request = get("anthropic").open(msgspec.json.encode(body))
    assert chosen(policy, request, is_here, folder) == found
    assert tool_of(policy, request) == next((name for name in tools if name.endswith("read_range")), "")


def test_tools_a_client_declares_in_an_item_count_too() -> None:
    """Codex declares its shell inside a namespace of an item, and is pointed at files all the same."""
    exec_ = {"type": "namespace", "name": "functions", "tools": [{"type": "custom", "name": "exec"}]}
    item = {"type": "additional_tools", "role": "developer", "tools": [exec_]}
    body = {"model": "gpt-6.2-sol", "input": [item, {"role": "user", "content": "x"}]}
    request = get("openai-responses").open(msgspec.json.encode(body))
    assert chosen(settings.policy("balanced"), request, is_here=True, folder="/w") == Redeem(FILES, "/w")


async def test_where_nothing_can_fetch_it_no_address_is_shown(world: World) -> None:
    """Labels stand, but no mark names a place and the note does not promise that anything can be read back."""
    agent = world.agent(policy=settings.policy({"read_back": "none"}), window=20_000)
    await agent.says("go").call()
    agent.runs("log", LOG)
    for at in range(12):
        agent.runs(f"c{at}", code(f"mod{at}", 60), tool="Read", file_path=f"src/mod{at}.py")
        view = await agent.call()
    assert view.epoch == 1
    shown = texts(view.body)
    assert "⋯ b" in shown
    assert "workspace://" not in shown
    assert "read=" not in shown
    assert "read back" not in shown


def test_nothing_is_written_where_a_link_leads_or_under_another_name(tmp_path: Path) -> None:
    """A folder that is a link is refused, and so is a name that is no block's."""
    (tmp_path / "workspace").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "workspace" / "s").symlink_to(tmp_path / "elsewhere")
    with Engine.open(tmp_path) as engine:
        session = engine.session("s", policy={"read_back": "files"})
        asked = Client(session.inner).says("go")
        session.compile(asked.body(), dialect="anthropic")
        body = asked.runs("log", LOG).body()
        with pytest.raises(Exception, match="leads elsewhere"):
            session.compile(body, dialect="anthropic")
    assert not list((tmp_path / "elsewhere").rglob("b*"))


@pytest.mark.parametrize("removed", ["workspace", "workspace/s/artifacts", "workspace/s/artifacts/b3"])
def test_files_that_somebody_removes_are_there_again_at_the_next_call(tmp_path: Path, removed: str) -> None:
    """A view names every file it ever named: one that was tidied away is written anew before the view goes out."""
    with Engine.open(tmp_path) as engine:
        session = engine.session("s", policy={"read_back": "files"})
        asked = Client(session.inner).says("go")
        session.compile(asked.body(), dialect="anthropic")
        session.compile(asked.runs("log", LOG).body(), dialect="anthropic")
        path = tmp_path / removed
        path.unlink() if path.is_file() else shutil.rmtree(path)
        session.compile(asked.runs("other", LOG[:-1]).body(), dialect="anthropic")
        found = tmp_path / "workspace" / "s" / "artifacts"
        assert [(found / name).read_text() for name in ("b3", "b5")] == [LOG, LOG[:-1]]
