"""The shipped scenarios, played on windows that have to be compacted: what work needs is there after every cut."""

import asyncio
import json
import re
from functools import cache
from itertools import pairwise, product

import pytest
from scenarios import DIALECT, NAMES, Play, load
from tests_support import World, code

from pumice.commit.draft import SAID
from pumice.domain.state import Entry
from pumice.faces import settings
from pumice.wire import rules

TIMES = 3
PAIRS = [(name, policy) for name in NAMES for policy in ("balanced", load(name)["task"])]
SUMMARISING = list(product(("coding-en", "research-zh", "support-en"), ("gemini-cli", "handoff-zh", "codex")))


@cache
def played(name: str, policy: str, times: int = TIMES) -> Play:
    """A scenario played to its end, once for all tests that only look at what came of it."""
    return asyncio.run(Play(name, settings.policy(policy)).run(times))


@pytest.mark.parametrize(("name", "policy"), PAIRS)
def test_no_scenario_overflows(name: str, policy: str) -> None:
    """Twenty turns, three times over: every request fits and keeps the provider's rules."""
    play = played(name, policy)
    assert len(play.scenario["turns"]) >= 20
    assert len(play.answered) >= 3
    for view in play.views:
        assert view.tokens.total <= view.usable.tokens
        assert rules.check(view.raw, DIALECT) == ()


@pytest.mark.parametrize(("name", "policy"), PAIRS)
def test_after_every_compaction_work_can_go_on(name: str, policy: str) -> None:
    """What the user wants, what the project is, what was done, what failed, where we stand: all of it can be read."""
    play = played(name, policy)
    for at, answered in play.answered.items():
        assert {"wants", "project", "rules", "exceptions", "plan", "next", "stand"} <= set(answered), (at, answered)
        assert all(answered.values()), (at, [name for name, found in answered.items() if not found])
    ever = {one for answered in play.answered.values() for one in answered}
    assert {"facts", *(("open", "done", "failed") if play.scenario["task"] != "research" else ())} <= ever


@pytest.mark.parametrize(("name", "policy"), PAIRS)
def test_no_call_is_cut_from_its_result(name: str, policy: str) -> None:
    """On the wire each call has its result in the next message, and each result its call in the one before."""
    for view in played(name, policy).views:
        messages = json.loads(view.raw)["messages"]
        for before, after in pairwise(messages):
            assert _ids(before, "tool_use", "id") == _ids(after, "tool_result", "tool_use_id")


def _ids(message: dict, kind: str, key: str) -> list[str]:
    content = message["content"]
    return [block[key] for block in content if block["type"] == kind] if isinstance(content, list) else []


@pytest.mark.parametrize(("name", "policy"), PAIRS)
def test_the_cache_is_warm_again_within_three_calls(name: str, policy: str) -> None:
    """A cut is paid for once: of one of the next three calls more than four fifths come from the provider's cache."""
    play = played(name, policy)
    for at in play.answered:
        following = play.shares[at + 1 : at + 4]
        assert len(following) < 3 or max(following) > 0.8, (at, following)


@pytest.mark.parametrize(("name", "policy"), SUMMARISING)
async def test_any_statement_of_a_summary_leads_to_the_original(name: str, policy: str) -> None:
    """Through the manifest: each block it names has a row with the hash of its version, and is read back as that version."""
    play = await Play(name, settings.policy(policy), window=8_000).run()
    session, rows = play.agent.session, {row.id: row for row in play.views[-1].manifest.rows}
    summary = play.lane.cut.summary
    assert summary is not None
    assert summary.items
    blocks = session.blocks()
    for item in summary.items:
        assert item.sources or item.text == "", item
        for source in item.sources:
            assert rows[source].content_hash == blocks[source].hash
            session.reads.reset()
            found = await session.read_range(rows[source].pointer or source, limit=400)
            assert found.text == "\n".join(blocks[source].text.split("\n")[:400])
        if item.verbatim and item.text:
            line = re.sub(r"^\d+→", "", item.text.split("\n")[0])
            assert any(line in blocks[source].text for source in item.sources), item


RULES = ("Never touch migrations/, except for 0007_cents.sql.", "只有签收后7天内才可以退货，破损商品除外。")
FACTS = ("The order number is ACME-20931-7.", "已签收，三天前", "We paid 3000 EUR in March.")
STEPS = [{"content": "read the ledger", "status": "completed"}, {"content": "run all tests", "status": "in_progress"}]


@pytest.mark.parametrize(("policy", "window", "passes"), [("balanced", 6_000, 200), ("handoff-zh", 8_000, 80)])
async def test_two_hundred_compactions_in_a_row_lose_nothing(policy: str, window: int, passes: int) -> None:
    """The preface stops growing, and every fact, rule, plan and failure stands in the words of the first pass."""
    agent = World().agent(policy=policy, window=window)
    agent.says(f"Move the ledger to cents. {RULES[0]} {FACTS[0]}").runs("plan", "ok", tool="TodoWrite", todos=STEPS)
    agent.says(f"{RULES[1]} {FACTS[2]}").answers("Shall I push the branch?").says("yes, push it")
    agent.runs("push", "To example.com:bank.git", command="git push origin cents-4711").says(FACTS[1])
    agent.runs("test", "E   assert 1049 == 1050\nFAILED tests/test_cents.py::test_rounding\nExit code 1", command="pytest -q")
    agent.says("Now read all modules, one after the other.")
    prefaces: list[int] = []
    kept: list[tuple[object, ...]] = []
    for at in range(passes):
        agent.runs(f"c{at}", code(f"mod{at}", 16), tool="Read", file_path=f"src/mod{at}.py")
        await agent.call()
        await agent.session.compact()
        lane = agent.session.tree.current["main"]
        if lane.cut is not None:
            prefaces.append(sum(tokens for _, tokens, _ in lane.cut.placed))
            kept.append(tuple(item for item in lane.branch.state.items if item.entry is not Entry.FILE))
            shown = lane.shown.text()
            for words in (
                *RULES,
                *FACTS,
                "run all tests",
                "Shall I push the branch?",
                "test_cents.py::test_rounding",
                "git push origin",
            ):
                assert words in shown, (at, words)
    assert lane.epoch.number >= 0.95 * passes
    assert len(set(kept)) == 1
    assert {item.text for item in kept[0] if item.status == SAID} == set(FACTS)
    usable = (await agent.call()).usable.tokens
    assert max(prefaces) <= 0.6 * usable
    assert max(prefaces[50:]) <= 1.05 * max(prefaces[:50])
