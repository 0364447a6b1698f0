"""Probes at a cut: a loss fails an advisable cut, sends a necessary one down the ladder, and is in the manifest anyway."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from scripted import Scripted, summarising, until
from tests_support import Agent, World, code

from pumice.domain.decision import Cause
from pumice.domain.policy import Policy
from pumice.domain.summary import Ask
from pumice.faces import settings

WINDOW = 12_000
PASSWORD = "harbour_lantern_42"


def policy_with(folder: Path, probes: str, **parts: Any) -> Policy:
    """A policy that asks the probes of a file."""
    (folder / "mine.yaml").write_text(f"name: mine\nversion: 2\nprobes:\n{probes}\n", "utf-8")
    (folder / "policy.yaml").write_text("extends: balanced\nprobes: [mine.yaml]\n", "utf-8")
    found = settings.policy(str(folder / "policy.yaml"))
    return summarising(probes=found.probes, probe_texts=found.probe_texts, summarize=found.summarize, **parts)


async def grow(agent: Agent, to_epoch: int = 1, most: int = 40, start: int = 0) -> list[Any]:
    """Work on until an epoch has begun; all views."""
    views = []
    for at in range(start, start + most):
        agent.runs(f"c{at}", code(f"mod{at}", 12), tool="Read", file_path=f"src/mod{at}.py")
        views.append(await agent.call())
        if views[-1].epoch >= to_epoch:
            break
    return views


async def ready(agent: Agent) -> None:
    """Enough steps for a cut asked for by hand to be worth it, far from the budget."""
    for at in range(8):
        agent.runs(f"r{at}", code(f"part{at}", 24))
    await agent.says("go on").call()


SECRET = f'  - {{id: key, ask: "Which key?", kind: contains, texts: [{PASSWORD}]}}'
"""A word of an old result: nothing keeps it in view, unless a probe does."""


@pytest.fixture
def agent(world: World, tmp_path: Path) -> Agent:
    """A session in whose first result something stands that only a probe wants."""
    talk = world.agent(policy=policy_with(tmp_path, SECRET), window=WINDOW).says("Refactor the modules one by one.")
    filler = "\n".join(f"plain words of line {at} without a name" for at in range(80))
    return talk.runs("first", f"{filler}\nthe key is {PASSWORD} and nothing else\n{filler}", tool="Bash", command="cat notes")


async def test_a_loss_sends_a_necessary_cut_down_to_the_floor_and_is_told(agent: Agent) -> None:
    """Nothing below the floor keeps the word, so the loss stands, and every manifest of the epoch says so."""
    views = await grow(agent)
    view = views[-1]
    assert (view.epoch, view.cause) == (1, Cause.BUDGET)
    assert PASSWORD not in view.raw.decode()
    [probed] = view.manifest.probes
    assert (probed.set, probed.id, probed.lost) == ("mine@2", "key", (PASSWORD,))
    told = view.manifest.warnings
    assert any(said.startswith("a planned cut was dropped: ") and PASSWORD in said for said in told)
    assert any("has lost what mine@2/key asks for" in said for said in told)
    assert {row.level for row in view.manifest.rows if row.outcome == "fold"} == {"floor"}
    later = await agent.says("go on").call()
    assert later.epoch == 1
    assert any("has lost what mine@2/key asks for" in said for said in later.manifest.warnings)
    assert not any("dropped" in said for said in later.manifest.warnings)


async def test_a_loss_drops_a_cut_that_need_not_be_made(agent: Agent) -> None:
    """Asked for when a phase ends, it fails: the view from before stands, and the manifest says why."""
    await ready(agent)
    await agent.session.end_phase("reading")
    view = await agent.says("and on").call()
    assert (view.epoch, view.manifest.probes) == (0, ())
    assert PASSWORD in view.raw.decode()
    [said] = [said for said in view.manifest.warnings if "dropped" in said]
    assert f"probe: mine@2/key has lost '{PASSWORD}'" in said


async def test_what_a_pin_keeps_is_not_lost(agent: Agent) -> None:
    """The same cut passes once the word stands."""
    await agent.session.pin(f"The key is {PASSWORD}.")
    view = (await grow(agent))[-1]
    [probed] = view.manifest.probes
    assert (probed.before, probed.after, probed.lost) == (1, 1, ())
    assert not any("dropped" in said for said in view.manifest.warnings)


async def test_probes_survive_a_restart(agent: Agent, world: World) -> None:
    """What was found at a cut is part of it."""
    view = (await grow(agent))[-1]
    options = {"policy": agent.session.context.policy, "window": WINDOW}
    agent.session = world.engine().session("s", **options)
    again = await agent.call()
    assert (again.raw, again.manifest.probes) == (view.raw, view.manifest.probes)


QUESTION = '  - {id: order, ask: "Which order is it about?", kind: answer}'


def knows(ask: Ask) -> str:
    """A model that says the order's number if it can read it."""
    return "It is ACME_20931." if "ACME_20931" in ask.material else "not known"


def interviewed(world: World, folder: Path, model: Any) -> Agent:
    world.model = model
    talk = world.agent(policy=policy_with(folder, QUESTION), window=WINDOW).says("Refactor the modules one by one.")
    return talk.runs("first", "order ACME_20931", tool="Bash", command="cat order")


async def test_a_model_that_no_longer_knows_fails_a_cut_that_may_wait(world: World, tmp_path: Path) -> None:
    """The same question before and after: the number it named then has to be in its second answer."""
    forgets = Scripted(knows, lambda ask: "It is some order.")
    agent = interviewed(world, tmp_path, forgets)
    await ready(agent)
    await agent.session.end_phase("reading")
    view = await agent.says("and on").call()
    assert [ask.purpose for ask in forgets.asked] == ["probe", "probe"]
    assert view.epoch == 0
    assert any("mine@2/order has lost 'ACME_20931'" in said for said in view.manifest.warnings)


async def test_a_model_that_still_knows_lets_the_cut_stand(world: World, tmp_path: Path) -> None:
    """And it is on record what was asked and answered."""
    agent = interviewed(world, tmp_path, Scripted(lambda ask: "It is ACME_20931."))
    await ready(agent)
    await agent.session.end_phase("reading")
    view = await agent.says("and on").call()
    assert (view.epoch, view.cause) == (1, Cause.PHASE)
    [probed] = view.manifest.probes
    assert (probed.asked, probed.before, probed.after, probed.lost) == (1, 1, 1, ())


async def test_a_cut_that_cannot_wait_is_judged_once_the_answers_are_there(world: World, tmp_path: Path) -> None:
    """The budget's cut goes out at once; what it has lost is told in the next manifests."""
    gate, asked = asyncio.Event(), list[Ask]()

    async def slow(ask: Ask) -> str:
        asked.append(ask)
        await gate.wait()
        return "It is ACME_20931." if ask is asked[0] else "not known"

    agent = interviewed(world, tmp_path, slow)
    view = (await grow(agent))[-1]
    assert (view.epoch, [one.asked for one in view.manifest.probes]) == (1, [0])
    await until(lambda: len(asked) == 2)
    gate.set()
    await agent.session.asker.settled()
    later = await agent.says("go on").call()
    assert (later.epoch, [one.lost for one in later.manifest.probes]) == (1, [("ACME_20931",)])
    assert any("has lost what mine@2/order asks for: ACME_20931" in said for said in later.manifest.warnings)


async def test_without_a_model_nothing_is_asked(world: World, tmp_path: Path) -> None:
    """A probe that needs one is left out; the cut is made as ever."""
    view = (await grow(interviewed(world, tmp_path, None)))[-1]
    assert (view.epoch, view.manifest.probes) == (1, ())
