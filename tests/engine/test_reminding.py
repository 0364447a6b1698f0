"""Notes of ours between the client's messages: the goal quoted again, placed once, in a place a note may have."""

import json
from typing import Any

import msgspec
import pytest
from noting import CHAT, GOAL, OTHER, TAKES, TAKES_NOT, Client, extend_each_other, notes

from pumice.domain.decision import Cause
from pumice.domain.policy import Policy, Reminder
from pumice.faces import settings


def policy(after: int | None = 4, **parts: Any) -> Policy:
    return msgspec.structs.replace(settings.policy("balanced"), reminder=Reminder(after=after), **parts)


@pytest.mark.parametrize("client", [TAKES, TAKES_NOT, CHAT, OTHER])
async def test_without_a_word_of_the_policy_there_is_none(client: tuple[str, str]) -> None:
    """`reminder.after` is unset: the request leaves as the client's own bytes."""
    agent = Client(*client, policy(None))
    await agent.works(12)
    assert json.loads(agent.views[-1].raw) == agent.body()


@pytest.mark.parametrize("client", [TAKES, CHAT])
async def test_where_the_model_takes_it_the_system_quotes_the_goal_again(client: tuple[str, str]) -> None:
    """After so many groups, behind the newest results, word for word; it stays where it was placed."""
    agent = Client(*client, policy())
    await agent.works(10)
    assert [len(notes(view)) for view in agent.views] == [0, 0, 1, 1, 1, 1, 2, 2, 2, 2], (
        "every four groups, the first a person's"
    )
    at, role, text = notes(agent.views[-1])[0]
    assert role == "system"
    assert GOAL in text.split("\n")
    assert "⋯ asked for" in text
    later = json.loads(agent.views[-1].raw)["messages"]
    assert later[at + 1]["role"] == "assistant"
    extend_each_other(agent.views, agent.dialect)
    agent.restart()
    await agent.step().call()
    extend_each_other(agent.views, agent.dialect)
    for view in agent.views:
        assert await agent.session.rebuild(view.call) == view.raw


@pytest.mark.parametrize("client", [TAKES_NOT, OTHER])
async def test_elsewhere_it_waits_for_the_next_words_of_a_person(client: tuple[str, str]) -> None:
    """Never behind results: it comes before the user's new words, as the user's, and stays."""
    agent = Client(*client, policy())
    await agent.works(8)
    assert not any(notes(view) for view in agent.views)
    view = await agent.turn().call()
    [(at, role, text)] = notes(view)
    messages = json.loads(view.raw)["messages"]
    assert role == "user"
    assert GOAL in text
    assert messages[at - 1]["role"] == "assistant"
    assert messages[at + 1]["content"] == "Go on."
    await agent.works(3)
    agent.restart()
    await agent.step().call()
    extend_each_other(agent.views, agent.dialect)
    assert len(notes(agent.views[-1])) == 1
    for view in agent.views:
        assert await agent.session.rebuild(view.call) == view.raw


@pytest.mark.parametrize("client", [TAKES, CHAT, TAKES_NOT])
async def test_a_cut_ends_it_and_counts_anew(client: tuple[str, str]) -> None:
    """The preface says the goal again, so the note is gone and the next comes so many groups later."""
    agent = Client(*client, policy(6), window=20_000)
    for at in range(40):
        await (agent.turn() if at % 3 == 2 else agent.step("line of output with words\n" * 150)).call()
    first = next(view for view in agent.views if view.epoch)
    assert not notes(first)
    assert any(notes(view) for view in agent.views if view.epoch)
    extend_each_other(agent.views, agent.dialect)
    for view in agent.views[::5]:
        assert await agent.session.rebuild(view.call) == view.raw


async def test_each_note_has_its_row() -> None:
    """Partition, zone, authority, trust, what it was made of and why."""
    agent = Client(*TAKES, policy())
    view = await agent.works(5)
    [row] = [row for row in view.manifest.rows if row.id.startswith("note:")]
    assert (row.id, row.partition, row.zone, row.authority) == ("note:reminder-1", "state", "dynamic", "task")
    assert row.trust == "user"
    assert row.reason == "reminder.after, 4 groups"
    assert row.sources == ("b1",)
    assert row.tokens > 10


async def test_a_client_that_goes_on_without_an_answer_has_no_note_there() -> None:
    """Behind a system message the model must be next: the note goes, on record as an epoch."""
    agent = Client(*TAKES, policy())
    view = await agent.works(3)
    assert notes(view)
    agent.messages.append({"role": "user", "content": "Wait."})
    after = await agent.call()
    assert not notes(after)
    assert (after.epoch, after.cause) == (view.epoch + 1, Cause.CLIENT_EDIT)


async def test_a_client_may_go_on_from_the_view() -> None:
    """Messages of a view that hold a note are the same conversation."""
    agent = Client(*TAKES, policy())
    view = await agent.works(4)
    body = json.loads(view.raw)
    body["messages"] += [{"role": "assistant", "content": "ok"}, {"role": "user", "content": "more"}]
    after = await agent.session.compile(json.dumps(body).encode(), dialect="anthropic")
    assert (after.lane, after.epoch) == (view.lane, view.epoch)
    assert len(notes(after)) == 1


async def test_an_edit_behind_a_note_leaves_it_where_it_is() -> None:
    """A lane that forks keeps the beginning it shares, notes included."""
    agent = Client(*TAKES, policy())
    await agent.works(5)
    agent.messages = agent.messages[:-2]
    agent.messages += [{"role": "assistant", "content": "Another way."}, {"role": "user", "content": "Fine."}]
    view = await agent.call()
    assert view.cause == Cause.CLIENT_EDIT
    assert len(notes(view)) == 1
    agent.restart()
    assert await agent.session.rebuild(view.call) == view.raw
