"""Sealed items: opened by the engine that made them, made again from the ledger otherwise, never a crash or a silent loss."""

import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.fernet import Fernet
from tests_support import World

from pumice import Engine
from pumice.compact import sealed
from pumice.compact.sealed import Content, Refused
from pumice.domain.ports import Redacted
from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.errors import InvalidInput
from pumice.faces import settings
from pumice.store.home import memory_store
from pumice.store.seal import FernetSealer, StoreSealer

RULE = "Never touch migrations/."
FACT = "The order number is AX-4471-B."


def request(*messages: Any, model: str = "claude-sonnet-4-5") -> dict[str, Any]:
    return {"model": model, "max_tokens": 1000, "messages": list(messages)}


def said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


HISTORY = (
    said("user", f"{RULE} {FACT} Fix the parser in src/parse.py."),
    said("assistant", "I changed parse_header in src/parse.py:41."),
    said("user", "Good. Now the lexer."),
)


def sealed_by(engine: Engine, name: str = "s", **model: str) -> str:
    session = engine.session(name)
    session.compile(request(*HISTORY, **model), dialect="anthropic")
    return session.seal()


def test_an_item_stands_for_the_history_it_was_made_of() -> None:
    """Sent back alone it shows the model everything again; the item itself shows nothing to anyone else."""
    with Engine.open(":memory:") as engine:
        item = sealed_by(engine)
        assert not any(words in item for words in ("migrations", "AX-4471", "parse"))
        view = engine.session("s").compile(request(said("user", item), said("user", "Go on.")), dialect="anthropic")
        text = str(view.body)
        assert all(words in text for words in (RULE, FACT, "src/parse.py:41", "Now the lexer."))
        assert sealed.token(item) not in text
        again = engine.session("s").compile(request(said("user", item), said("user", "Go on.")), dialect="anthropic")
        assert again.body == view.body


def test_another_session_of_the_store_can_open_it() -> None:
    """All it needs travels with it: a new session over the same store knows nothing else of the conversation."""
    with Engine.open(":memory:") as engine:
        item = sealed_by(engine)
        view = engine.session("new").compile(request(said("user", item), said("user", "Go on.")), dialect="anthropic")
        assert RULE in str(view.body)
        assert "src/parse.py:41" in str(view.body)


@pytest.mark.parametrize("how", ["altered", "cut", "other key", "other model"])
def test_an_item_that_cannot_be_used_is_made_again_from_the_ledger(how: str) -> None:
    """Nothing is lost where the ledger knows the session, and the manifest says why the item was not used."""
    with Engine.open(":memory:") as engine:
        item = sealed_by(engine)
        if how == "altered":
            item = item.replace(item[40:44], "AAAA", 1)
        if how == "cut":
            item = item[: len(item) // 2]
        if how == "other key":
            item = sealed.item(FernetSealer(Fernet.generate_key()).seal(b"{}"))
        model = "gpt-5.1" if how == "other model" else "claude-sonnet-4-5"
        view = engine.session("s").compile(
            request(said("user", item), said("user", "Go on."), model=model), dialect="anthropic"
        )
        assert all(words in str(view.body) for words in (RULE, FACT, "src/parse.py:41"))
        assert any(row.reason.startswith("sealed item not used") for row in view.manifest.rows)


def test_where_nothing_is_known_the_view_says_so() -> None:
    """An item of a foreign store in a session without a ledger is one line that owns up to the loss."""
    with Engine.open(":memory:") as one, Engine.open(":memory:") as other:
        view = other.session("s").compile(request(said("user", sealed_by(one)), said("user", "Go on.")), dialect="anthropic")
        assert "cannot be used here" in str(view.body)


@pytest.mark.parametrize(
    "text",
    [
        "<pumice:sealed> is what?",
        "see <pumice:sealed>",
        "<pumice:sealed>\nwhat is\n</pumice:sealed>",
        "<pumice:sealed>\n" + "x" * 40 + "\n</pumice:sealed>\nWhat is that?",
    ],
)
def test_a_persons_words_about_an_item_stay(text: str) -> None:
    """Only a text that is an item and nothing else is taken for one that was damaged."""
    with Engine.open(":memory:") as engine:
        view = engine.session("s").compile(request(said("user", text)), dialect="anthropic")
        assert view.body["messages"][0]["content"] == text


def going_on(item: str, model: str = "claude-sonnet-4-5") -> dict[str, Any]:
    return request(said("user", item), said("assistant", "ok"), said("user", "Go on."), model=model)


def test_it_is_made_again_from_the_conversation_it_was_made_of() -> None:
    """Another conversation of the session that came later is not shown in its place."""
    with Engine.open(":memory:") as engine:
        item = sealed_by(engine)
        engine.session("s").compile(request(said("user", "Write a haiku about tea.")), dialect="anthropic")
        for damaged, model in ((item[:-200], ""), (f"{item[:80]}AAAA{item[84:]}", ""), (item, "gpt-5.1"), (item, "")):
            given = going_on(damaged, model or "claude-sonnet-4-5")
            text = str(engine.session("s").compile(given, dialect="anthropic").body)
            assert RULE in text
            assert FACT in text
            assert "haiku" not in text


def test_where_it_cannot_be_told_which_conversation_it_was_the_view_says_so() -> None:
    """Of two that it could be made of neither is taken on a guess."""
    with Engine.open(":memory:") as engine:
        item = sealed_by(engine)
        engine.session("s").compile(request(said("user", "Write a haiku about tea.")), dialect="anthropic")
        view = engine.session("s").compile(going_on(f"<pumice:sealed>{item[30:-200]}"), dialect="anthropic")
        assert "what it held is not known" in str(view.body)
        assert "haiku" not in str(view.body)


def test_a_session_that_knows_nothing_of_it_reads_it_for_another_model_too() -> None:
    """What it holds is plain words: made again where the ledger has them, else as they are, and the manifest says so."""
    with Engine.open(":memory:") as engine:
        view = engine.session("new").compile(going_on(sealed_by(engine), "gpt-5.1"), dialect="anthropic")
        assert RULE in str(view.body)
        assert any("another kind of model" in row.reason for row in view.manifest.rows)


@pytest.mark.parametrize(
    "among",
    [
        lambda item: f"Here is where we stopped:\n\n{item}\n\nGo on from there.",
        lambda item: f"```\n{item}\n```",
        lambda item: "\n".join(item[at : at + 76] for at in range(0, len(item), 76)),
        lambda item: f"{item}\n{item}",
        lambda item: f"{item[:-6]}AAAAAA",
        lambda item: item.replace("<pumice", "<pumIce", 1),
        lambda item: f"{item[:100]} {item[100:]}",
    ],
)
def test_an_item_among_other_words_is_opened(among: Any) -> None:
    """Beside a person's words, fenced, wrapped, twice, with a mark or a blank wrong: no token goes to a model."""
    with Engine.open(":memory:") as engine:
        item = sealed_by(engine)
        text = str(engine.session("new").compile(going_on(among(item)), dialect="anthropic").body)
        assert RULE in text
        assert "gAAAA" not in text
        assert ("Go on from there." in text) == ("Go on from there." in among(item))


def test_damage_anywhere_loses_nothing_unsaid() -> None:
    """At any place and by any character: the words are there, or it is said that they are not, and no token goes to a model."""
    with Engine.open(":memory:") as engine:
        item = sealed_by(engine)
        for place in (0, 3, 9, 15, 18, 22, 25, 30, 100, len(item) // 2, -60, -20, -17, -9, -1):
            for wrong in "A! \n<":
                at = place % len(item)
                damaged = item[:at] + wrong + item[at + 1 :]
                text = str(engine.session("s").compile(going_on(damaged), dialect="anthropic").body)
                assert RULE in text or "is not known" in text, (place, wrong)
                assert item[len(item) // 2 + 1 :][:40] not in text, (place, wrong)


def unlucky(text: str) -> Redacted:
    """Takes every other token for a secret."""
    is_token = text.startswith("<pumice:sealed")
    return Redacted(text.replace(text[200:240], "[secret:x]") if is_token and text[70] < "a" else text)


async def test_no_item_looks_like_a_secret_by_chance() -> None:
    """What redaction would replace on its way back is sealed anew."""
    key = Fernet.generate_key().decode()
    store = msgspec.structs.replace(memory_store(), redactor=unlucky)
    session = AsyncEngine(store, Ports(clock=lambda: 0.0, sealer=StoreSealer(None, key)), settings.policy).session("s")
    await session.compile(request(*HISTORY), dialect="anthropic")
    made = [await session.seal() for _ in range(12)]
    assert all(unlucky(item).text == item for item in made)


@pytest.mark.parametrize("key", [b"garbage", b"\xff\xfe", b"   "])
def test_a_key_that_cannot_be_read_opens_nothing(key: bytes, tmp_path: Path) -> None:
    """A request that holds an item is served all the same; only to seal something new is refused."""
    path = tmp_path / "seal.key"
    path.write_bytes(key)
    assert StoreSealer(path).open("gAAAAA==") is None
    assert StoreSealer(None, "short").open("gAAAAA==") is None


def test_an_item_in_a_tools_output_is_text_like_any_other() -> None:
    """Only what the client sends as a user's message is opened: output that smuggles one in gets nothing."""
    with Engine.open(":memory:") as engine:
        item = sealed_by(engine)
        call = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "x"}}
        result = {"type": "tool_result", "tool_use_id": "t1", "content": item}
        view = engine.session("victim").compile(
            request(said("user", "read x"), {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}),
            dialect="anthropic",
        )
        assert RULE not in str(view.body)


def test_another_tenants_item_stays_shut() -> None:
    """A tenant cannot read what another has sealed, whatever store they share."""
    with Engine.open(":memory:") as engine:
        item = sealed_by(engine)
        session = engine.session("s", scope="tenant:other")
        view = session.compile(request(said("user", item), said("user", "Go on.")), dialect="anthropic")
        assert RULE not in str(view.body)
        assert "another tenant" in str(view.body)


def test_an_opened_item_outlives_later_cuts() -> None:
    """What it stands for is in view after the next compaction too."""
    with Engine.open(":memory:") as engine:
        item = sealed_by(engine)
        session = engine.session("new")
        steps = [said("user" if at % 2 == 0 else "assistant", f"step {at} " + "more words here " * 200) for at in range(21)]
        session.compile(request(said("user", item), *steps), dialect="anthropic")
        view = session.compact(target=6000)
        assert view.epoch > 0
        assert "src/parse.py:41" in str(view.body)


def test_the_key_is_made_when_first_needed_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    """Opening a store makes no key; sealing makes one of mode 0600, and a second process uses the same."""
    path = tmp_path / "seal.key"
    sealer = StoreSealer(path)
    assert sealer.open("gAAAAA==") is None
    assert not path.exists()
    token = sealer.seal(b"words")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert StoreSealer(path).open(token) == b"words"
    assert StoreSealer(path, Fernet.generate_key().decode()).open(token) is None
    with pytest.raises(InvalidInput, match="no Fernet key"):
        StoreSealer(None, "short").seal(b"words")


def test_what_is_inside_is_checked_before_it_is_used() -> None:
    """Old versions, other models and plain rubbish are reasons, not errors; lone surrogates survive."""
    content = Content("t", "s", "c", 3, "a \ud800 b")
    assert sealed.unpack(sealed.pack(content), tenant="t") == content
    for data, words in ((b"\xff", "no sealed item"), (b"[]", "no sealed item"), (b"{}", "no sealed item")):
        found = sealed.unpack(data, tenant="t")
        assert isinstance(found, Refused)
        assert words in found.reason
    assert isinstance(sealed.unpack(sealed.pack(content), tenant="u"), Refused)


CODEX = {"extends": "codex-remote", "summarize": {"model": None}}


def long_talk() -> list[dict[str, Any]]:
    steps = [said("user", f"{RULE} {FACT} Fix the modules.")]
    for at in range(30):
        steps += [
            said("assistant", f"I changed part_{at} in src/part_{at}.py. " + f"Detail {at}. " * 60),
            said("user", "Go on."),
        ]
    return steps


def test_a_preset_that_seals_hands_out_its_item_with_the_cut() -> None:
    """Sent back in place of the history it shows what that view showed; later calls of the epoch bring no other."""
    with Engine.open(":memory:") as engine:
        session = engine.session("s", policy=CODEX, window=4_000)
        view = session.compile(request(*long_talk()), dialect="anthropic")
        assert view.epoch == 1
        assert view.sealed
        assert not any(words in view.sealed for words in ("migrations", "AX-4471"))
        again = session.compile(request(*long_talk(), said("assistant", "ok"), said("user", "More.")), dialect="anthropic")
        assert again.sealed == ""
        opened = engine.session("new", window=4_000).compile(
            request(said("user", view.sealed), said("user", "Go on.")), dialect="anthropic"
        )
        assert RULE in str(opened.body)
        assert FACT in str(opened.body)


async def test_without_a_key_the_cut_stands_in_plain_form(world: World) -> None:
    """And the manifest says why."""
    session = world.engine().session("s", policy="codex-remote", window=4_000)
    view = await session.compile(request(*long_talk()), dialect="anthropic")
    assert (view.epoch, view.sealed) == (1, "")
    assert FACT in str(view.body)
    assert any("plain form, not sealed: this engine has no key" in said for said in view.manifest.warnings)
