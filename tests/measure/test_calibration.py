"""The token factor follows what the provider reports, and only that."""

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pumice.domain.book import BLOCK_OVERHEAD
from pumice.measure.calibration import LARGEST, LEARN_FROM, SMALLEST, Calibration


@pytest.mark.parametrize(
    ("model", "factor"),
    [
        ("claude-3-5-sonnet-latest", 1.25),
        ("claude-opus-4-6", 1.25),
        ("claude-opus-4-7", 1.6),
        ("claude-unheard-of", 1.6),
        ("gpt-4o", 1.0),
        ("some-lab/some-model", 1.25),
    ],
)
def test_the_factor_starts_at_the_familys(model: str, factor: float) -> None:
    """Before the first report a model counts as its family does, an unknown one on the careful side."""
    assert Calibration.start(model).factor == factor


def test_the_familys_factor_stands_until_enough_has_grown() -> None:
    """A small first answer cannot swing the counter."""
    small = Calibration.start("gpt-4o").grown(4_000, LEARN_FROM - 1)
    assert small.factor == 1.0
    assert not small.learnt
    grown = small.grown(2, 1)
    assert grown.factor == pytest.approx(4_002 / LEARN_FROM)
    assert grown.learnt


def test_what_no_factor_applies_to_is_taken_out_of_the_report() -> None:
    """Overhead and media do not pass for dearer text: counting back gives what was reported."""
    grown = Calibration.start("claude-opus-4-5").grown(3_580, 2_500, fixed=10 * BLOCK_OVERHEAD)
    assert grown.factor == 1.4
    assert grown.tokens(2_500, 10) == 3_580


@given(st.lists(st.tuples(st.integers(-10_000, 10**7), st.integers(-10_000, 10**7), st.integers(0, 10**5)), max_size=20))
def test_the_factor_stays_between_its_bounds(reports: list[tuple[int, int, int]]) -> None:
    """No report, however wrong, makes a token cost nothing or everything."""
    known = Calibration.start("claude-opus-4-5")
    for reported, counted, fixed in reports:
        known = known.grown(reported, counted, fixed=fixed)
        assert SMALLEST <= known.factor <= LARGEST


def test_recorded_growth_is_predicted_within_four_percent(data: Path, record_property: Callable[[str, object], None]) -> None:
    """Each recorded pair counted with what was known before it sums to the bill within 4%, for each model (issue's target)."""
    known: dict[str, Calibration] = {}
    predicted: dict[str, int] = defaultdict(int)
    billed: dict[str, int] = defaultdict(int)
    with (data / "claude-token-calibration" / "pairs.jsonl").open(encoding="utf-8") as lines:
        for pair in map(json.loads, lines):
            model = pair["model"]
            before = known.get(model) or Calibration.start(model)
            predicted[model] += before.tokens(pair["o200k"], pair["blocks"])
            billed[model] += pair["true_tokens"]
            known[model] = before.grown(pair["true_tokens"], pair["o200k"], fixed=BLOCK_OVERHEAD * pair["blocks"])
    assert len(billed) == 2
    for model in billed:
        record_property(model, f"{predicted[model] / billed[model] - 1:+.2%}, factor {known[model].factor:.3f}")
        assert predicted[model] == pytest.approx(billed[model], rel=0.04)
