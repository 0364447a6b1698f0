"""What users of other frameworks report of loops and thresholds (frameworks §3.3): passes for nothing or too late."""

from itertools import pairwise

import pytest
from rows import Row, sent
from scripted import Scripted
from summed import policy, until_epoch

from pumice.errors import CannotFit

ACTING = ["balanced", "claude-code", "codex", "gemini-cli", "coding", "notes", "newest", "tool-rounds", "hybrid", "jev"]


async def test_row_32_the_same_input_never_triggers_twice() -> None:
    """Row 32: after an empty summary the same request makes no new cut, puts no question, and leaves the guard as it is."""
    model = Scripted("empty")
    row = Row(policy=policy("codex", tokens=900), answering=model).user("Fix it.")
    view = await until_epoch(row, 2)
    asked, breaker = len(model.asked), row.session.tree.current["main"].breaker
    for _ in range(5):
        again = await row.call()
        await row.session.asker.settled()
        assert (again.epoch, again.raw) == (view.epoch, view.raw)
    assert len(model.asked) == asked
    assert row.session.tree.current["main"].breaker == breaker


@pytest.mark.parametrize("name", ["balanced", "claude-code", "codex", "tool-rounds"])
async def test_row_33_a_picture_pins_no_boundary(name: str) -> None:
    """Row 33: with an image in the first message each cut still gets under the line, and no cut follows a cut at once."""
    row = Row(policy=name).user("Make it look like this.", images=2)
    for _ in range(30):
        view = await row.steps(1, 40)
        assert view.tokens.total <= view.usable.tokens
    cuts = [at for at, (before, after) in enumerate(pairwise(row.views)) if before.epoch != after.epoch]
    assert cuts
    assert all(later - earlier > 1 for earlier, later in pairwise(cuts))


async def test_rows_33_41_what_cannot_fit_is_one_typed_error_before_the_call() -> None:
    """Rows 33, 41: nothing is sent, nothing is tried again; the parts that take the room are named with their sizes."""
    row = Row(window=6000).user("Go.")
    row.system = "Be exact. " * 6000
    for _ in range(2):
        with pytest.raises(CannotFit) as found:
            await row.call()
        assert max(size for _, size in found.value.parts) > 6000


async def test_row_34_usage_of_an_older_view_decides_nothing() -> None:
    """Row 34: a reply's bill from before the cut, reported again, does not make the next cut due."""
    row = Row(window=12_000).user("Read.")
    epoch = 0
    for at in range(40):
        view = await row.reads(1, 40).call()
        answer = {"id": f"m{at}", "type": "message", "role": "assistant", "model": "x", "content": []}
        if view.epoch and epoch == 0:
            await row.session.record({**answer, "usage": {"input_tokens": view.tokens.total, "output_tokens": 9}})
            after = await row.reads(1, 10).call()
            assert after.epoch == view.epoch
            assert after.tokens.total < view.usable.tokens // 2 + 2000
            break
        await row.session.record({**answer, "usage": {"input_tokens": view.tokens.total, "output_tokens": 9}})
        epoch = view.epoch
    assert view.epoch == 1


async def test_row_37_an_unknown_window_is_a_stated_default() -> None:
    """Row 37: with its source in the view, the system text and the tools counted, and cuts that come in time."""
    row = Row(window=None, model="nobody-knows-1").user("Read.")
    row.system = "Be exact. " * 2000
    view = await row.call()
    assert (view.usable.window, view.usable.source) == (128_000, "default")
    assert view.tokens.head > 4000
    for _ in range(30):
        view = await row.steps(1, 400)
        assert view.tokens.total <= view.usable.tokens
    assert view.epoch > 0


@pytest.mark.parametrize("name", ACTING)
async def test_row_38_a_cut_goes_down_to_the_share_it_was_asked_for(name: str) -> None:
    """Row 38: what stays is at most the policy's share of usable, but for the newest groups that it names by number."""
    row = Row(window=60_000, policy=policy(name)).user("Read.")
    for _ in range(60):
        view = await row.steps(1, 100)
        if view.epoch:
            break
    assert view.epoch == 1
    chosen = row.session.context.policy
    by_number = (chosen.recent.groups or 1) if "recent" in chosen.order else 1
    assert view.tokens.total <= chosen.budget.to * view.usable.tokens + by_number * 2700


@pytest.mark.parametrize("name", ACTING)
async def test_row_40_a_long_turn_is_cut_inside(name: str) -> None:
    """Row 40: one request and a tool loop: tokens count, whoever speaks, and each call is within the budget."""
    row = Row(policy=policy(name)).user("Read all of it.")
    for _ in range(30):
        view = await row.steps(1, 40)
        assert view.tokens.total <= view.usable.tokens
    assert view.epoch > 0
    keeps_words = row.session.context.policy.keep.pins != "none"
    assert ("Read all of it." in str(sent(view))) is keeps_words


async def test_row_41_a_long_result_is_made_to_fit_before_the_call() -> None:
    """Row 41: a result above the window leaves as an excerpt that says how to read on; no call overflows."""
    row = Row(window=10_000).user("Build.").uses("\n".join(f"step {at} of the build" for at in range(9000)), tool="Bash")
    view = await row.call()
    assert view.tokens.total <= view.usable.tokens
    assert "workspace://artifacts/" in str(sent(view))
