"""The accidents compaction is known for (F-D6), each in a session long enough to be compacted several times."""

from typing import Any

import msgspec
import pytest
from accidents import POLICIES, TURNS, Work
from scripted import Scripted, good
from tests_support import World

from pumice.domain.policy import Questions
from pumice.domain.summary import Ask
from pumice.faces import settings

IDENTIFIER = "ACME-20931-7"


@pytest.fixture
def world() -> World:
    return World()


@pytest.mark.parametrize("policy", POLICIES)
async def test_an_identifier_is_never_paraphrased(world: World, policy: str) -> None:
    """Named once by a person, it stands as it was written; nothing like it stands beside it."""
    work = Work(world, policy)
    await work.turn(f"My order number is {IDENTIFIER}. Please find out where it is.")
    await work.until(TURNS)
    assert work.cuts >= 3
    assert work.gone(IDENTIFIER)
    assert IDENTIFIER in work.shown()


@pytest.mark.parametrize("policy", POLICIES)
async def test_a_models_paraphrase_of_an_identifier_is_refused(world: World, policy: str) -> None:
    """A summary that writes it otherwise is on record as refused, and never shown."""

    def paraphrases(ask: Ask) -> str:
        return good(ask).replace("All of it went as planned.", "The order is ACME-20931-70, and all of it went as planned.")

    world.model = Scripted(paraphrases)
    found = settings.policy(policy)
    summarize = msgspec.structs.replace(found.summarize, model="scripted")
    found = msgspec.structs.replace(found, order=("summarize",), summarize=summarize, questions=Questions(wait_seconds=1.0))
    work = Work(world, found)
    await work.turn(f"My order number is {IDENTIFIER}. Please find out where it is.")
    await work.until(5)
    view = await work.agent.session.compact()
    assert view.epoch == 1
    assert [ask.purpose for ask in world.model.asked] == ["summary", "summary"]
    assert any("the model's summary is not used" in said and "ACME-20931-70" in said for said in view.manifest.warnings)
    assert "ACME-20931-70" not in work.shown()
    assert IDENTIFIER in work.shown()


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("rule", ["Never touch migrations/ without asking me.", "绝不要改动 migrations/ 目录。"])
async def test_a_rule_of_twenty_turns_ago_still_stands(world: World, policy: str, rule: str) -> None:
    """Word for word, in every view between then and now."""
    work = Work(world, policy)
    await work.turn(f"Tidy up the modules one by one. {rule}")
    await work.until(TURNS)
    assert work.cuts >= 3
    assert all(rule in text for text in work.texts)


@pytest.mark.parametrize("policy", POLICIES)
async def test_one_huge_result_takes_nothing_from_the_rest(world: World, policy: str) -> None:
    """Of a log of 50,000 tokens the view keeps its error and a pointer to all of it; what was said before still stands."""
    log = "\n".join(f"[{at:05}] compiled unit {at * 7919} of the target" for at in range(4_000))
    log = log.replace("[02000] compiled", "[02000] ERROR: undefined symbol load_ledger_v2 in")
    log += "\nmake: *** [all] Error 2\nExit code 2"
    work = Work(world, policy)
    await work.turn("Never push to main. Build it.")
    view = await work.turn("Why does it fail?", steps=[("Bash", {"command": "make all"}, log)])
    assert "undefined symbol load_ledger_v2" in work.shown()
    assert "Never push to main." in work.shown()
    [row] = [row for row in view.manifest.rows if row.outcome == "excerpt"]
    found = await work.agent.session.read_range(row.pointer, offset=1998, limit=6)
    assert found.text in log
    assert found.total == 4_002
    await work.until(8)
    assert "undefined symbol load_ledger_v2" in work.shown()


DONE: list[tuple[str, dict[str, Any], str]] = [
    ("refund_order", {"order_id": "ACME-4711", "amount": "12.50"}, "refund R-77120 accepted"),
    ("send_email", {"to": "kim@example.com", "subject": "Your refund"}, "queued"),
    ("Bash", {"command": "git push origin release/0.2"}, "To example.com:shop.git\n   1a2b3c4..5d6e7f8  release/0.2"),
]


@pytest.mark.parametrize("policy", POLICIES)
async def test_finished_work_is_not_done_again(world: World, policy: str) -> None:
    """What changed something outside is named as done long after, and the view says not to do it again."""
    work = Work(world, policy)
    await work.turn("Refund order ACME-4711, tell the customer, and push the fix.", steps=DONE)
    await work.until(TURNS)
    assert work.cuts >= 3
    shown = work.shown()
    assert "do not redo" in shown.lower()
    _, _, listed = shown.partition("⋯ done and not to be repeated")
    for what in ("refund_order ACME-4711", "send_email kim@example.com", "Bash git push origin release/0.2"):
        assert what in listed, what


FACTS = [
    "It was already signed for, three days ago.",
    "已签收，三天前",
    "The parcel was paid for with card 4402.",
    "退款 35 元已经到账了。",
    "My order was cancelled on May 3, can you see that?",
]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("fact", FACTS)
async def test_what_was_told_in_turn_6_is_known_in_turn_22(world: World, policy: str, fact: str) -> None:
    """Said once, without a word that marks it as important, on a window that shows only the newest request."""
    work = Work(world, policy)
    await work.until(5)
    await work.turn(fact)
    view = await work.until(TURNS)
    assert view.usable.window <= 50_000
    assert work.gone(fact)
    assert fact in work.shown()
    assert all(fact in text for text in work.texts[-10:])


EXCEPTIONS = [
    "Only refund if the parcel is unopened, except for food.",
    "Refunds are possible only within 30 days, except for VIP customers.",
    "只有签收后7天内才可以退货，定制商品除外。",
    "除节假日外，每天最多发送3条短信。",
]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("rule", EXCEPTIONS)
async def test_an_exception_is_never_lost_from_its_rule(world: World, policy: str, rule: str) -> None:
    """However often the session is compacted, by hand and for want of room: condition, exception and limit stand together."""
    work = Work(world, policy)
    await work.turn(f"Help the customers. {rule}")
    for at in range(24):
        await work.turn()
        if at % 2:
            await work.agent.session.compact()
        assert rule in work.shown()
    assert work.cuts >= 10


@pytest.mark.parametrize("policy", POLICIES)
async def test_no_result_leaves_without_a_trace(world: World, policy: str) -> None:
    """Every result there ever was has a row in every manifest: shown, or with the level, the reason and where it is."""
    work = Work(world, policy)
    await work.agent.session.pin("Ask before every refund.", expires="1970-01-01T00:00:30")
    await work.turn("Read the orders.", steps=[("get_order", {"id": "ACME-4711"}, '{"status": "sent"}')])
    world.now = 60.0
    view = await work.until(12)
    lane = work.agent.session.tree.current["main"]
    results = [block for node in lane.branch.nodes for block in node.blocks if block.kind == "result"]
    rows = {row.id: row for row in view.manifest.rows}
    assert len(results) == 25
    for block in results:
        row = rows[block.id]
        assert row.reason
        if row.outcome in ("fold", "drop", "excerpt"):
            assert row.level
            assert row.pointer
            assert row.content_hash == block.hash
    [dropped] = [row for row in view.manifest.rows if row.id.startswith("pin:")]
    assert (dropped.outcome, dropped.reason) == ("drop", "expired 1970-01-01T00:00:30")
