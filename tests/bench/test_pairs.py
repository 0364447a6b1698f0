"""The comparison of presets: what counts as lost, what is pooled, and that a run once done is not done again."""

from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from pumice.evaluate.metrics.cost import Bill, Money
from pumice.evaluate.metrics.grounding import Grounding
from pumice.evaluate.result import policy_result
from pumice.evaluate.score import Score
from pumice.evaluate.share import Share

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def pairs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The bench stands beside the package, not in it."""
    monkeypatch.syspath_prepend(str(ROOT))
    from bench import pairs

    return pairs


def done(pairs: ModuleType, policy: str, cost: float, far: Share, line: Share, *, file: str = "a.jsonl", over: int = 0) -> Any:
    grounding = Grounding(far=far, line=line)
    score = Score(1, Bill(10, 30), 80, over, money=Money(cost, 1.0, cost, 0.5), grounding=grounding)
    return pairs.Done("claude-code", file, policy, 60_000, 1, 1, policy_result(score), ())


def compared(pairs: ModuleType, ours: tuple[float, int], theirs: tuple[float, int]) -> Any:
    """One session longer than the window, costs and hits of ten."""
    runs = [done(pairs, "none", 1.0, Share(10, 10), Share(10, 10), over=3)]
    for name, (cost, hits) in (("balanced", ours), ("other", theirs)):
        runs.append(done(pairs, name, cost, Share(hits, 10), Share(hits, 10)))
    found = list(pairs.pairs(runs))
    assert [pair.file for pair in found] == ["a.jsonl", ""], "the session, and all pooled"
    return found[1]


@pytest.mark.parametrize(
    ("theirs", "dominated", "outdone"),
    [
        ((0.39, 9), True, True),
        ((0.39, 8), False, False),
        ((0.49, 9), False, True),
        ((0.51, 9), False, False),
        ((0.40, 8), False, False),
    ],
)
def test_a_pair_is_lost_to_what_finds_more_and_costs_less_or_about_as_much(
    pairs: ModuleType, theirs: tuple[float, int], dominated: bool, outdone: bool
) -> None:
    """Up to 1.25 times our cost a preset is compared on recall alone; a tie is no loss."""
    pair = compared(pairs, (0.40, 8), theirs)
    assert (pair.is_dominated, pair.is_outdone) == (dominated, outdone)


def test_sessions_pool_over_money_and_cases(pairs: ModuleType) -> None:
    """A long session weighs more than a short one."""
    short, long = (done(pairs, "x", cost, Share(hits, of), Share(hits, of)) for cost, hits, of in ((0.2, 1, 2), (0.6, 9, 18)))
    side = pairs.side([short, long])
    assert (side.cost, side.far) == (pytest.approx(0.4), pytest.approx(0.5))


def test_a_session_within_the_window_is_not_compared(pairs: ModuleType) -> None:
    """Where the full history fits, nothing has to be left out."""
    runs = [done(pairs, name, 0.5, Share(1, 1), Share(1, 1)) for name in ("none", "balanced", "other")]
    assert not [pair for pair in pairs.pairs(runs) if pair.file]


def test_a_run_is_kept_as_it_was(pairs: ModuleType) -> None:
    """What is read back from its file is what was written."""
    one = done(pairs, "x", 0.2, Share(1, 2), Share(1, 2))
    assert msgspec.json.decode(msgspec.json.encode(one), type=pairs.Done) == one
    assert one.is_clean and not done(pairs, "x", 0.2, Share(), Share(), over=1).is_clean
