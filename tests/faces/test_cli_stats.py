"""`pumice stats`: what was saved, what was lost, and what is said before there is anything to say."""

import asyncio
import json
from pathlib import Path

import msgspec
import pytest
from rows_of_calls import entered, facts, session, usage

from pumice.domain.account import Account
from pumice.domain.event import SessionKey
from pumice.faces.cli import main
from pumice.faces.library import Engine
from pumice.store.home import open_store

DAY = 86_400.0


def on(day: int, name: str, rows: list[Account]) -> list[Account]:
    key = SessionKey("local", name, project="web" if name == "good" else "api")
    return [msgspec.structs.replace(row, key=key, at=row.at + day * DAY) for row in rows]


async def keep(home: Path, rows: list[Account]) -> None:
    store = open_store(home)
    for row in rows:
        await store.accounts.add(row)
    await store.close()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PUMICE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["stats", *words])
    return code, capsys.readouterr().out


def test_an_empty_store_says_what_to_do(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody is left with an empty table."""
    assert said(capsys)[1].startswith("no calls are on the books yet: start `pumice serve`")
    assert said(capsys, "--line") == (0, "pumice: no calls yet\n")
    assert json.loads(said(capsys, "--json")[1])["total"]["calls"] == 0


def test_saved_and_lost_stand_side_by_side(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each way of telling apart adds up to the same; a session that cost more is named with its loss."""
    good = on(0, "good", session(40, cut_every=25, cut_to=30_000))
    bad = on(1, "bad", session(24, cut_every=3, cut_to=40_000, start=40_000, growth=1_500))
    unknown = on(1, "good", entered([facts(1, model="house-model", full=900, sent=800, usage=usage(800, 0))]))
    asyncio.run(keep(home, [*good, *bad, *unknown]))
    for by, names in (("day", {"1970-01-01", "1970-01-02"}), ("project", {"web", "api"}), ("session", {"web/good", "api/bad"})):
        found = json.loads(said(capsys, "--by", by, "--json")[1])
        assert {row["name"] for row in found["rows"]} == names
        assert sum(row["calls"] for row in found["rows"]) == found["total"]["calls"] == 65
        assert sum(row["saved_usd"] for row in found["rows"]) == pytest.approx(found["total"]["saved_usd"])
    assert [row["name"] for row in found["losses"]] == ["api/bad"]
    assert found["total"]["unpriced"] == 1
    code, out = said(capsys)
    assert code == 0
    assert "api/bad cost $" in out
    assert "with pumice" in out, "days are drawn"
    assert max(map(len, out.splitlines())) <= 110


def test_since_and_scope_narrow(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A date leaves out what is older, a scope what is elsewhere; a word that is neither is refused."""
    asyncio.run(
        keep(home, [*on(0, "good", session(3, cut_every=0, cut_to=0)), *on(2, "bad", session(2, cut_every=0, cut_to=0))])
    )
    assert json.loads(said(capsys, "--since", "1970-01-02", "--json")[1])["total"]["calls"] == 2
    assert json.loads(said(capsys, "--scope", "tenant:local/project:web", "--json")[1])["total"]["calls"] == 3
    assert said(capsys, "--since", "7d")[1] == "no calls are on the books since then\n"
    assert main(["stats", "--since", "soon"]) == 2


def test_a_long_name_stands_whole(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Other commands take a session's name: figures give way to it, and no line is wider than 110 columns."""
    name = f"claude-code-{'0123456789abcdef' * 2}-more"
    asyncio.run(keep(home, on(0, name, session(3, cut_every=0, cut_to=0))))
    out = said(capsys, "--by", "session")[1]
    assert f"api/{name} " in out
    assert "saved $" in out
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= 110
    with Engine.open(home) as engine:
        engine.session(name, dialect="openai-chat").pin("a pin")
    assert main(["session", "list"]) == 0
    assert f"{name} " in capsys.readouterr().out
