"""Known failures of other agents, J and K: signed reasoning and the provider's cache (with the double: tests/e2e)."""

import json
from itertools import pairwise
from typing import Any

import pytest
from rows import Row, sent
from tests_support import code

from pumice import wire
from pumice.domain.decision import Cause

DIALECTS = list(wire.dialects)


def units(view: Any, dialect: str) -> list[bytes]:
    return [unit.key for unit in wire.get(dialect).units(view.raw)]


def thinking(row: Row, rounds: int) -> list[dict[str, Any]]:
    """A tool loop whose answers begin with signed reasoning."""
    messages = row.body()["messages"]
    for at in range(rounds):
        thought = {"type": "thinking", "thinking": f"thought {at}", "signature": f"sig{at}" + "x" * 60}
        use = {"type": "tool_use", "id": f"t{at}", "name": "Read", "input": {"file_path": f"p{at}.py"}}
        result = {"type": "tool_result", "tool_use_id": f"t{at}", "content": code(f"p{at}", 40)}
        messages += [
            {"role": "assistant", "content": [thought, {"type": "text", "text": "so"}, use]},
            {"role": "user", "content": [result]},
        ]
    return messages


@pytest.mark.parametrize("model", ["claude-opus-4-5", "claude-fable-5-1"])
async def test_j1_the_latest_answer_with_reasoning_is_frozen(model: str) -> None:
    """Across cuts the newest assistant message leaves exactly as it came, reasoning included (K-A29)."""
    row = Row(model=model).user("Go.")
    for rounds in range(1, 26):
        body = {**row.body(), "messages": thinking(row, rounds), "thinking": {"type": "adaptive"}}
        view = await row.session.compile(json.dumps(body).encode(), dialect="anthropic")
        assert sent(view)[-2:] == body["messages"][-2:]
    assert view.epoch > 0


async def test_j2_reasoning_behind_a_cut_goes_as_a_whole() -> None:
    """On a model that binds reasoning to its prefix a cut leaves none from before it but the running step's (K-A36)."""
    row = Row(model="claude-fable-5-1").user("Go.")
    epoch, cut_at = 0, 0
    for rounds in range(1, 26):
        body = {**row.body(), "messages": thinking(row, rounds), "thinking": {"type": "adaptive"}}
        view = await row.session.compile(json.dumps(body).encode(), dialect="anthropic")
        if view.epoch != epoch:
            epoch, cut_at = view.epoch, rounds
        left = [int(at) for at in range(rounds) if f'"thought {at}"' in view.raw.decode()]
        if epoch:
            assert left == list(range(left[0], rounds)), "no holes"
            assert left[0] >= cut_at - 1
    assert epoch > 0


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_k1_k5_the_common_prefix_does_not_shrink_between_cuts(dialect: str) -> None:
    """One more message is one more message: everything sent before stands, and the rare steps are on record."""
    row = Row(dialect).user("Go.")
    await row.steps(40)
    moved = 0
    for before, after in pairwise(row.views):
        is_prefix = units(after, dialect)[: len(units(before, dialect))] == units(before, dialect)
        assert is_prefix or after.epoch == before.epoch + 1
        moved += not is_prefix
    assert 1 <= moved <= 10


async def test_k2_what_was_rewritten_on_a_cold_cache_stays_rewritten() -> None:
    """After two idle hours the view may be cut; the quick turns after it replay that cut and make no other."""
    row = Row(window=60_000).user("Go.")
    await row.steps(42)
    before = row.views[-1]
    row.world.now += 7200
    cold = await row.steps(1)
    assert cold.cause == Cause.COLD
    assert cold.tokens.total < before.tokens.total
    for _ in range(2):
        row.world.now += 5
        quick = await row.steps(1)
        assert quick.epoch == cold.epoch
        assert units(quick, "anthropic")[: len(units(cold, "anthropic"))] == units(cold, "anthropic")


async def test_k3_a_warm_cache_is_not_thrown_away_for_little() -> None:
    """Where the window has room for all, no cut is made that its reads would not pay back."""
    row = Row(window=200_000).user("Go.")
    await row.steps(25)
    assert row.views[-1].epoch == 0
    assert row.views[-1].manifest.economics is None


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_k7_the_same_input_gives_the_same_bytes_in_any_session(dialect: str) -> None:
    """No name, address or order in a view depends on the process, the store or the time it was made in."""
    rows = [Row(dialect), Row(dialect)]
    rows[1].world.now = 1_000_000.0
    for row in rows:
        await row.user("Go. Never touch migrations/.").steps(25)
    assert [view.raw for view in rows[0].views] == [view.raw for view in rows[1].views]
    assert rows[0].views[-1].epoch > 0
