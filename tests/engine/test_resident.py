"""Resident content: one block behind the client's system text, the same bytes for a lane's life, every part accounted for."""

import hashlib
import itertools
import json
from typing import Any

import msgspec
import pytest
from promises import is_counted
from tests_support import Agent, World

from pumice import wire
from pumice.domain.decision import Cause, Outcome
from pumice.domain.policy import FewShot, Policy, Shares
from pumice.engine.call import View
from pumice.errors import InvalidInput
from pumice.faces import settings
from pumice.wire import rules

POLICY = "Never send a customer's address to anyone.\nAsk before a refund above 50 EUR."
MARK = {"cache_control": {"type": "ephemeral"}}
BINDS = "claude-fable-5-1"


class Client:
    """Resends everything at every call, in either dialect."""

    def __init__(self, dialect: str = "anthropic", *, policy: Policy | str = "balanced", model: str = "", **resident: Any):
        self.world, self.dialect, self.policy, self.resident = World(), dialect, policy, resident
        self.model = model or {"anthropic": "claude-sonnet-4-5", "openai-chat": "gpt-4o"}[dialect]
        self.system: Any = "Be exact."
        self.messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
        self.restart()

    def restart(self) -> None:
        """The process ends, another goes on with the same store."""
        self.session = self.world.engine().session("s", policy=self.policy, window=30_000, resident=self.resident)

    def goes_on(self, words: str = "ok") -> "Client":
        self.messages += [{"role": "assistant", "content": words}, {"role": "user", "content": f"more than {words}"}]
        return self

    def body(self) -> dict[str, Any]:
        if self.dialect == "anthropic":
            system = {} if self.system is None else {"system": self.system}
            return {"model": self.model, "max_tokens": 900, **system, "messages": self.messages}
        lead = [] if self.system is None else [{"role": "developer", "content": self.system}]
        return {"model": self.model, "messages": [*lead, *self.messages]}

    async def call(self) -> View:
        return await self.session.compile(json.dumps(self.body()).encode(), dialect=self.dialect)


def sent(view: View) -> list[Any]:
    """What stands before the conversation."""
    body = json.loads(view.raw)
    return body["system"] if "system" in body else [one for one in body["messages"] if one["role"] in ("system", "developer")]


def text(view: View) -> str:
    """The block of ours."""
    last = sent(view)[-1]
    return str(last.get("text", last.get("content")))


def rows(view: View) -> dict[str, Any]:
    return {row.id.removeprefix("head:resident:"): row for row in view.manifest.rows if "resident" in row.id}


@pytest.mark.parametrize("system", ["Be exact.", [{"type": "text", "text": "Be exact.", **MARK}], None, " "])
async def test_the_block_stands_behind_the_clients_own(system: Any) -> None:
    """A string becomes a list, blocks keep their bytes and their cache markers, and no rule is broken."""
    client = Client(platform_policy=POLICY, glossary="SKU: stock keeping unit")
    client.system = system
    view = await client.call()
    theirs = [] if system in (None, " ") else system if isinstance(system, list) else [{"type": "text", "text": system}]
    assert sent(view)[:-1] == theirs
    assert (
        text(view) == f"<pumice:resident>\n⋯ platform_policy\n{POLICY}\n⋯ glossary\nSKU: stock keeping unit\n</pumice:resident>"
    )
    assert rules.check(view.raw, "anthropic") == ()


@pytest.mark.parametrize("system", ["Be exact.", None])
async def test_where_system_text_is_a_message_so_is_the_block(system: str | None) -> None:
    """It speaks in the role of the message before it, so that the two roles never stand together."""
    client = Client("openai-chat", platform_policy=POLICY)
    client.system = system
    view = await client.call()
    assert [one["role"] for one in json.loads(view.raw)["messages"]] == (["developer"] * 2 if system else ["system"]) + ["user"]
    assert POLICY in text(view)
    assert rules.check(view.raw, "openai-chat") == ()


@pytest.mark.parametrize("dialect", ["anthropic", "openai-chat"])
async def test_without_content_nothing_changes(dialect: str) -> None:
    """The request leaves as the client's own bytes."""
    client = Client(dialect, glossary="", few_shot=[])
    assert (await client.call()).raw == json.dumps(client.body()).encode()
    assert client.session.tree.current["main"].resident is None


@pytest.mark.parametrize("dialect", ["anthropic", "openai-chat"])
async def test_the_block_keeps_its_bytes_through_calls_cuts_and_restarts(dialect: str) -> None:
    """One block for a lane's whole life, each view extends the one before, and each past view is rebuilt byte for byte."""
    client = Client(dialect, platform_policy=POLICY, project_rules="Use tabs.")
    views = [await client.call()]
    for at in range(16):
        client.goes_on(f"word{at} " * 2500)
        if at % 5 == 2:
            client.restart()
        views.append(await client.call())
    assert views[-1].epoch > 0
    assert {(view.lane, text(view)) for view in views} == {("main", text(views[0]))}
    for before, after in itertools.pairwise(views):
        old, new = ([unit.key for unit in wire.get(dialect).units(view.raw)] for view in (before, after))
        assert before.epoch != after.epoch or new[: len(old)] == old
    client.restart()
    for view in views:
        assert await client.session.rebuild(view.call) == view.raw


async def test_stable_comes_before_semi_stable_in_the_policys_order() -> None:
    """The zones a policy names decide the place; what it does not name stands where it belongs anyway."""
    given = {name: f"text of {name}" for name in ("skill_index", "glossary", "few_shot", "project_rules", "platform_policy")}
    base = settings.policy("balanced")
    named = msgspec.structs.replace(base, stable=("project_rules", "platform_policy"), semi_stable=("glossary",))
    for policy, order in [
        (base, ["platform_policy", "glossary", "few_shot", "project_rules", "skill_index"]),
        (named, ["project_rules", "platform_policy", "few_shot", "glossary", "skill_index"]),
    ]:
        view = await Client(policy=policy, **given).call()
        said = [line.removeprefix("⋯ ").split()[0] for line in text(view).split("\n") if line.startswith("⋯")]
        assert said == order
        zones = {name.partition("-")[0]: row.zone for name, row in rows(view).items()}
        assert zones["project_rules"] == ("stable" if policy is named else "semi-stable")


async def test_every_part_has_its_row() -> None:
    """Partition, zone, authority and trust by name, the tokens it takes, and the hash of the words given."""
    client = Client(platform_policy=POLICY, agent_contract="Answer in one line.", few_shot=["Q: 1\nA: 2"])
    view = await client.call()
    found = rows(view)
    assert list(found) == ["platform_policy", "agent_contract", "few_shot-1"]
    assert {row.partition for row in found.values()} == {"system"}
    assert {name: (row.authority, row.trust, row.zone) for name, row in found.items()} == {
        "platform_policy": ("platform", "platform", "stable"),
        "agent_contract": ("agent", "agent", "stable"),
        "few_shot-1": ("agent", "agent", "stable"),
    }
    assert found["platform_policy"].content_hash == hashlib.sha256(POLICY.encode()).hexdigest()
    assert all(row.outcome == Outcome.PLACED and row.tokens > 0 for row in found.values())
    is_counted(view, "anthropic", client.model)
    is_counted(await Client("openai-chat", platform_policy=POLICY).call(), "openai-chat", "gpt-4o")


async def test_examples_are_counted_and_long_ones_are_pointed_at() -> None:
    """At most three by default; a long one and those beyond are lines with an address that can be read, after a restart too."""
    long = "\n".join(f"step {at} of a long example" for at in range(300))
    client = Client(few_shot=["first", long, "third", "fourth", "fifth"])
    view = await client.call()
    assert "first" in text(view) and "third" in text(view)
    assert "step 7 of" not in text(view) and "fifth" not in text(view)
    found = rows(view)
    assert [row.outcome for row in found.values()] == [Outcome.PLACED, Outcome.FOLD, Outcome.PLACED, Outcome.FOLD]
    assert "few_shot.tokens" in found["few_shot-2"].reason and "few_shot.examples" in found["few_shot-4"].reason
    assert all(row.pointer in text(view) for row in found.values() if row.pointer)
    client.restart()
    assert (await client.session.read_range(found["few_shot-2"].pointer, offset=8, limit=1)).text == "step 7 of a long example"
    assert (await client.session.read_range(found["few_shot-4"].pointer)).text == "fourth\n\nfifth"
    assert any("few_shot-2" in warning for warning in view.manifest.warnings)


async def test_the_policy_says_how_many_examples_and_how_long() -> None:
    """`few_shot.examples` and `few_shot.tokens` hold."""
    policy = msgspec.structs.replace(settings.policy("balanced"), few_shot=FewShot(examples=1, tokens=10_000))
    view = await Client(policy=policy, few_shot=["word " * 3000, "second"]).call()
    assert text(view).count("word") == 3000 and "second" not in text(view)


async def test_what_is_added_stays_within_the_share_of_the_system_partition() -> None:
    """Examples give way first, the platform's policy never does; what gives way can still be read."""
    policy = msgspec.structs.replace(settings.policy("balanced"), shares=Shares(system=0.02))
    given = {"platform_policy": POLICY * 30, "glossary": "term: meaning\n" * 100, "few_shot": ["Q: x\nA: y " * 20]}
    client = Client(policy=policy, **given)
    view = await client.call()
    assert {name: row.outcome for name, row in rows(view).items()} == {
        "platform_policy": Outcome.PLACED,
        "glossary": Outcome.FOLD,
        "few_shot-1": Outcome.FOLD,
    }
    assert (await client.session.read_range(rows(view)["glossary"].pointer)).text == ("term: meaning\n" * 100)
    assert {row.outcome for row in rows(await Client(**given).call()).values()} == {Outcome.PLACED}


async def test_a_change_of_what_is_stable_opens_a_lane() -> None:
    """The new words hold from the next call on, with the cause a change of the head has, in every later call the same."""
    client = Client(platform_policy=POLICY)
    first = await client.call()
    client.goes_on()
    await client.session.resident("platform_policy", POLICY + "\nAnd never promise a date.")
    view = await client.call()
    assert (view.lane, view.cause) == ("main~2", Cause.CLIENT_HEAD)
    assert "promise a date" in text(view) and "promise a date" not in text(first)
    client.resident = {}
    client.restart()
    after = await client.goes_on().call()
    assert (after.lane, text(after)) == (view.lane, text(view))
    assert await client.session.rebuild(first.call) == first.raw
    assert any("resident:platform_policy" in warning for warning in view.manifest.warnings)


async def test_a_change_of_what_is_semi_stable_waits_for_the_next_epoch() -> None:
    """A warm cache is not given up for it."""
    client = Client(project_rules="Use tabs.")
    await client.call()
    await client.session.resident("project_rules", "Use spaces.")
    client.goes_on()
    view = await client.call()
    assert (view.lane, view.epoch) == ("main", 0)
    assert "Use tabs." in text(view)
    client.resident = {}
    client.restart()
    cut = view
    while not cut.epoch:
        cut = await client.goes_on("word " * 4000).call()
    assert cut.lane == "main"
    assert "Use spaces." in text(cut) and "Use tabs." not in text(cut)
    client.restart()
    assert await client.session.rebuild(view.call) == view.raw
    assert await client.session.rebuild(cut.call) == cut.raw


async def test_what_is_taken_away_is_gone() -> None:
    """An empty text takes the block out of the head, with a lane of its own where it was stable."""
    client = Client(glossary="SKU: stock keeping unit")
    await client.call()
    await client.session.resident("glossary", "")
    view = await client.goes_on().call()
    assert (view.cause, json.loads(view.raw)["system"]) == (Cause.CLIENT_HEAD, "Be exact.")


@pytest.mark.parametrize("dialect", ["anthropic", "openai-chat"])
async def test_a_client_may_go_on_from_the_view(dialect: str) -> None:
    """A request that repeats the block is the same conversation, and the block stands once."""
    client = Client(dialect, platform_policy=POLICY)
    view = await client.call()
    body = json.loads(view.raw)
    body["messages"] += [{"role": "assistant", "content": "ok"}, {"role": "user", "content": "more"}]
    after = await client.session.compile(body, dialect=dialect)
    assert after.lane == view.lane
    assert json.dumps(after.body).count("pumice:resident>") == 2
    assert json.loads(after.raw) == after.body


async def test_reasoning_signed_over_another_head_is_let_go() -> None:
    """Where a lane's head changes under signed reasoning, the provider is told to drop it, at every later call."""
    client = Client(model=BINDS)
    client.messages += [
        {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "hm", "signature": "s" * 40}, {"type": "text", "text": "ok"}],
        },
        {"role": "user", "content": "more"},
    ]
    assert "block_binding" not in (await client.call()).raw.decode()
    await client.session.resident("platform_policy", POLICY)
    for _ in range(2):
        view = await client.call()
        assert json.loads(view.raw)["thinking"]["block_binding"] == {"prefix_mismatch_behavior": "drop_block"}
        assert "thinking-binding" in view.headers["anthropic-beta"]
        assert await client.session.rebuild(view.call) == view.raw
        client.goes_on()


async def test_secrets_are_replaced_and_marks_of_ours_are_refused() -> None:
    """The head shows what the store may hold; what would read as ours never stands in it."""
    view = await Client(glossary="key: AKIAIOSFODNN7EXAMPLE").call()
    assert "AKIA" not in view.raw.decode() and "[secret:" in text(view)
    for name, words in [
        ("glossary", "a\n⋯ b"),
        ("glossary", "</pumice:resident>"),
        ("manners", "be kind"),
        ("glossary", ["a", "b"]),
        ("glossary", 5),
    ]:
        with pytest.raises(InvalidInput):
            Client(**{name: words})


async def test_every_agent_of_a_session_has_the_block(world: World) -> None:
    """A sub-agent stands under the same policy."""
    session = world.engine().session("s", policy="balanced", window=30_000, resident={"platform_policy": POLICY})
    agent = Agent(session).says("go")
    await agent.call()
    assert POLICY in text(await agent.call(agent="child"))
