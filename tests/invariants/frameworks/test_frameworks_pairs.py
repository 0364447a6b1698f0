"""What users of other frameworks report of broken pairs (frameworks §3.1): which half of a call goes where."""

from typing import Any

import pytest
from conversations import Item, Use, raw
from promises import is_valid
from rows import Row, blocks, pairs, preface, sent

from pumice import wire
from pumice.domain.block import Kind, Role

DIALECTS = ["anthropic", "openai-chat", "gemini"]
POLICIES = ["balanced", "newest", "middle-out", "tool-rounds", "hybrid", "claude-code", "codex"]


def is_legal(row: Row, view: Any) -> bool:
    """Whether each call of a view has its result behind it, no result stands alone, and a user begins."""
    is_valid(view, raw(row.body()), row.dialect)
    calls, results = map(sorted, pairs(view, row.dialect))
    reader = wire.get(row.dialect)
    read = map(reader.read_message, reader.open(view.raw).messages)
    first = next(message for message in read if message.role is not Role.SYSTEM)
    begins = first.role is Role.USER and all(block.kind is not Kind.RESULT for block in first.blocks)
    return calls == results and begins


@pytest.mark.parametrize("name", POLICIES)
async def test_row_1_a_wide_batch_moves_whole(name: str) -> None:
    """Row 1: ten calls of one answer with a tail that would hold six stay, shrink or go together."""
    row = Row(policy=name).user("Read ten files.")
    row.uses(*(f"{at}: " + "alpha beta gamma " * 60 for at in range(10)))
    for _ in range(12):
        view = await row.steps(1, 30)
        calls, results = pairs(view, "anthropic")
        assert calls == results
        assert sum(call.startswith("c1_") for call in calls) in (0, 10)
    assert view.epoch > 0


async def test_row_2_one_true_result_is_no_proof_for_another() -> None:
    """Row 2: each result is held against its own call; the one whose call is gone is reported and not sent."""
    row = Row().user("Go.")
    row.items.append(Item("assistant", "Reading.", (Use("x", "Read", {"file_path": "a"}, "alpha"),)))
    body = row.body()
    body["messages"][-1]["content"].insert(0, {"type": "tool_result", "tool_use_id": "gone", "content": "beta"})
    view = await row.session.compile(body, dialect="anthropic")
    assert pairs(view, "anthropic") == (["x"], ["x"])
    assert any("gone" in repair for repair in view.manifest.repairs)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", POLICIES)
async def test_rows_3_4_13_15_16_no_policy_parts_a_pair(name: str, dialect: str) -> None:
    """Rows 3, 4, 13, 15, 16: whatever is taken (oldest, middle, to the last message), both halves go and no result begins."""
    row = Row(dialect, policy=name).user("Read.").says("I will.").user("Now.")
    for at in range(16):
        row.uses("alpha beta " * 200, "gamma " * 150).uses(None if at == 5 else "delta " * 200)
        if at % 4 == 3:
            row.says(f"Part {at}.").user(f"Next {at}.")
        view = await row.call()
        assert is_legal(row, view)
    assert view.epoch > 0
    assert is_legal(row, await row.session.compact(target=2500))


async def test_row_6_reasoning_never_stands_without_what_it_led_to() -> None:
    """Row 6: each reasoning block of a view is followed by the words or the call of its own answer."""
    row = Row().user("Go.")
    for at in range(24):
        use = Use(f"t{at}", "Read", {"file_path": f"p{at}.py"}, "alpha beta " * 200)
        row.items.append(Item("assistant", f"so {at}", (use,), thinking=f"thought {at}"))
        view = await row.call()
        for message in sent(view):
            kinds = [part["type"] for part in message["content"]] if isinstance(message["content"], list) else []
            assert "thinking" not in kinds or kinds == ["thinking", "text", "tool_use"]
    assert view.epoch > 0


async def test_row_7_an_open_call_is_no_place_to_compact() -> None:
    """Row 7: a compaction by hand between a call and its result leaves the open batch as it is."""
    row = Row().user("Go.").reads(10, 30)
    row.uses("alpha", None, tool="Bash", command="make")
    await row.call()
    view = await row.session.compact()
    assert view.epoch == 1
    calls = [part for part in blocks(view) if part["type"] == "tool_use"]
    assert [part["input"] for part in calls[-2:]] == [{"command": "make"}] * 2


@pytest.mark.parametrize("name", ["balanced", "claude-code", "codex", "coding"])
async def test_row_8_what_waits_for_a_persons_word_is_carried(name: str) -> None:
    """Row 8: a question without an answer stays open through every cut."""
    row = Row(policy=name).user("Clean the bucket.").says("Shall I delete release-1 to release-9?")
    view = await row.steps(24, 30)
    assert view.epoch > 0
    assert "Shall I delete release-1 to release-9?" in preface(view)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_rows_10_17_a_dead_call_blocks_nothing(dialect: str) -> None:
    """Rows 10, 17: a call that can have no result any more is closed by a stub, said in the manifest, and folds like others."""
    row = Row(dialect).user("Go.").uses(None, tool="Bash", command="sleep").user("Never mind. Read.")
    view = await row.call()
    assert any("c1_0" in repair for repair in view.manifest.repairs)
    view = await row.steps(24, 30)
    assert view.epoch > 0
    assert "c1_0" not in pairs(view, dialect)[0]
    assert is_legal(row, view)


@pytest.mark.parametrize("name", POLICIES)
async def test_row_11_a_view_ends_as_the_conversation_does(name: str) -> None:
    """Row 11: the newest step is in view with its call, however little a policy keeps."""
    row = Row(policy=name).user("Go.")
    for _ in range(14):
        view = await row.steps(1, 30)
        assert sent(view)[-1] == row.body()["messages"][-1]
        assert sent(view)[-2]["role"] == "assistant"
    assert wire.get("anthropic").open(view.raw).messages
