"""The live package gives the same kind of price as the shipped table, which its tool writes from it."""

import datetime
import json
import runpy
from importlib.metadata import version
from pathlib import Path

import pytest

from pumice.measure import prices, prices_live, tables

ON = datetime.date(2026, 11, 30)
TOOL = Path(__file__).resolve().parents[2] / "tools" / "make_tables.py"


@pytest.mark.parametrize("model", ["claude-opus-4-5-20251101", "claude-opus-5-5", "gpt-5.6-sol", "gemini-2.5-pro"])
def test_live_prices_agree_with_the_table_of_their_day(model: str) -> None:
    """Asking the live package changes where a price comes from, not its shape or its unit."""
    live, shipped = prices_live.of(model, on=ON), prices.of(model)
    assert live is not None and shipped is not None
    assert (live.input, live.read, live.write, live.output, live.tiers) == (
        shipped.input,
        shipped.read,
        shipped.write,
        shipped.output,
        shipped.tiers,
    )


def test_a_price_that_changes_is_the_price_of_the_day() -> None:
    """A call is charged what its day costs, before and after an announced change."""
    before, after = (prices_live.of("gemini-4-argon", on=day) for day in (ON, datetime.date(2026, 12, 2)))
    assert before is not None and after is not None
    assert after.input == pytest.approx(2 * before.input)


def test_a_model_the_package_does_not_know_has_no_price() -> None:
    """No price is shown where none is known."""
    assert prices_live.of("some-lab/some-model", on=ON) is None


def test_the_tool_writes_the_table_that_is_shipped() -> None:
    """Nobody edits the table by hand: the tool and the package it names give it back."""
    made_with = next(source for source in tables.shipped().sources if source.startswith("genai-prices"))
    if made_with != f"genai-prices {version('genai-prices')}":
        pytest.skip(f"the table was made with {made_with}")
    found = runpy.run_path(str(TOOL))["tables"](datetime.date.fromisoformat(tables.shipped().date))
    shipped = json.loads(Path(tables.__file__).with_name("tables.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(found)) == {"models": shipped["models"], "aliases": shipped["aliases"]}
