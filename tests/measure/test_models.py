"""Windows, limits, cache rules and prices of models come from the shipped table, and an unknown model is never guessed."""

import datetime
from pathlib import Path

import pytest

from pumice.measure import models, prices, tables

PUBLISHED = [
    # provider-contracts §11.2: USD per million, input / read / write / write 1h / output
    ("claude-fable-5-2", 8, 0.20, 10, 16, 40),
    ("claude-mythos-5-2", 8, 0.20, 10, 16, 40),
    ("claude-fable-5-1", 10, 0.25, 12.5, 20, 50),
    ("claude-mythos-5-1", 10, 0.25, 12.5, 20, 50),
    ("claude-fable-5", 10, 1, 12.5, 20, 50),
    ("claude-mythos-5", 10, 1, 12.5, 20, 50),
    ("claude-opus-5-5", 4, 0.20, 5, 8, 20),
    ("claude-opus-5", 5, 0.50, 6.25, 10, 25),
    ("claude-opus-4-8", 5, 0.50, 6.25, 10, 25),
    ("claude-opus-4-6", 5, 0.50, 6.25, 10, 25),
    ("claude-opus-4-5", 5, 0.50, 6.25, 10, 25),
    ("claude-sonnet-5-5", 2, 0.10, 2.5, 4, 10),
    ("claude-sonnet-5", 2, 0.20, 2.5, 4, 10),
    ("claude-sonnet-4-6", 3, 0.30, 3.75, 6, 15),
    ("claude-sonnet-4-5", 3, 0.30, 3.75, 6, 15),
    ("claude-haiku-5-5", 0.10, 0.01, 0.125, 0.2, 0.50),
    ("claude-haiku-4-5", 1, 0.10, 1.25, 2, 5),
    ("gpt-6-astra", 10, 1, 12.5, 12.5, 50),
    ("gpt-6.1-sol", 2, 0.10, 2.5, 2.5, 10),
    ("gpt-6-luna", 0.10, 0.01, 0.125, 0.125, 0.50),
    ("gpt-5.6-sol", 4, 0.4, 5, 5, 20),
    ("gpt-5.6-luna", 0.2, 0.02, 0.25, 0.25, 1.2),
    ("gpt-5.5", 5, 0.50, 5, 5, 30),
    ("gpt-5.4-mini", 0.75, 0.075, 0.75, 0.75, 4.5),
    ("gpt-5", 1.25, 0.125, 1.25, 1.25, 10),
    ("gpt-4.1", 2, 0.5, 2, 2, 8),
    ("gpt-4o", 2.5, 1.25, 2.5, 2.5, 10),
    ("gemini-4-argon", 2, 0.10, 2, 2, 10),
    ("gemini-3.8-flash", 0.75, 0.075, 0.75, 0.75, 3.75),
    ("gemini-2.5-flash-lite", 0.1, 0.01, 0.1, 0.1, 0.4),
]


@pytest.mark.parametrize(("model", "fresh", "read", "write", "write_long", "output"), PUBLISHED)
def test_prices_are_the_published_ones(
    model: str, fresh: float, read: float, write: float, write_long: float, output: float
) -> None:
    """The generated table says what the vendors' pages said on its date, provider by provider."""
    price = prices.of(model)
    assert price is not None
    found = [price.input, price.read, price.write, price.write_long, price.output]
    assert [round(value * 1e6, 6) for value in found] == [fresh, read, write, write_long, output]


@pytest.mark.parametrize(
    ("model", "window", "max_input", "max_output"),
    [
        ("claude-opus-4-5-20251101", 200_000, None, 64_000),
        ("anthropic/claude-opus-4.6", 1_000_000, None, 128_000),
        ("claude-sonnet-4-5[1m]", 1_000_000, None, 64_000),
        ("gpt-5", 400_000, 272_000, 128_000),
        ("gpt-5.1-codex-max", 400_000, 272_000, 128_000),
        ("gpt-6.1-sol", 1_050_000, 922_000, 128_000),
        ("gpt-4o-2024-08-06", 128_000, None, 16_384),
        ("gemini-2.5-pro-preview-05-06", 1_048_576, None, 65_535),
    ],
)
def test_window_input_and_output_limits_are_three_numbers(
    model: str, window: int, max_input: int | None, max_output: int | None
) -> None:
    """The input limit of a model is not its window, and either may be unknown (B-G8)."""
    facts = models.facts(model)
    assert (facts.window, facts.max_input, facts.max_output) == (window, max_input, max_output)
    assert facts.known
    assert facts.source != "default"


def test_an_unknown_model_gets_the_default_window_and_no_price() -> None:
    """Nothing is invented for a model in no table (B-G1)."""
    facts = models.facts("some-lab/some-model")
    assert (facts.window, facts.known, facts.source) == (128_000, False, "default")
    assert prices.of("some-lab/some-model") is None
    assert prices.of("gpt-6.2-sol") is None


@pytest.mark.parametrize(
    ("model", "binds"),
    [
        ("claude-opus-4-6", False),
        ("claude-opus-5", False),
        ("claude-fable-5", False),
        ("claude-fable-5-1", True),
        ("us.anthropic.claude-haiku-5-5-20260901-v1:0", True),
        ("claude-opus-7", True),
        ("claude-unheard-of", True),
        ("gpt-6.1-sol", False),
        ("gpt-6.2-astra", True),
        ("gpt-oss-120b", False),
        ("gemini-4-argon", False),
    ],
)
def test_reasoning_is_bound_from_the_generation_that_binds_it(model: str, binds: bool) -> None:
    """A model whose reasoning dies behind an edited prefix is known by its generation, also one not yet announced (K §0.1)."""
    assert models.facts(model).binds_reasoning is binds


@pytest.mark.parametrize(
    ("model", "minimum"),
    [
        ("claude-fable-5", 512),
        ("claude-opus-5", 512),
        ("claude-opus-4-8", 1024),
        ("claude-opus-4-7", 2048),
        ("claude-opus-4-5", 4096),
        ("claude-haiku-4-5", 4096),
        ("claude-3-5-haiku-latest", 2048),
        ("gpt-4o", 1024),
        ("gemini-2.5-pro", 2048),
        ("gemini-3.8-flash", 4096),
    ],
)
def test_the_shortest_cached_prefix_is_the_models(model: str, minimum: int) -> None:
    """A prefix below the model's own minimum is not counted on (K §1.4)."""
    assert models.facts(model).cache.min_tokens == minimum


def test_cache_multipliers_come_from_the_price_table() -> None:
    """Newer models read cheaper than a tenth of input, so the multiplier is never a constant (K §1.4)."""
    assert models.facts("claude-opus-5-5").cache.read == 0.05
    assert prices.relative("claude-fable-5-2") == (1.25, 0.025)
    assert prices.relative("gpt-4o") == (1.0, 0.5)
    assert prices.relative("unknown") == (1.25, 0.1)


def test_above_a_tier_the_whole_request_costs_more() -> None:
    """One token above the limit moves the price of every token, not of that one."""
    price = prices.of("gpt-5.6-sol")
    assert price is not None
    assert price.at(272_000) == price
    dear = price.at(272_001)
    expected = (price.input * 2, price.read * 2, price.write * 2, price.output * 1.5)
    assert (dear.input, dear.read, dear.write, dear.output) == pytest.approx(expected)
    sonnet = prices.of("claude-sonnet-4-5")
    assert sonnet is not None and sonnet.tiers == ()


def test_the_shipped_table_is_dated_and_small() -> None:
    """A reader can see how old the prices are, and the package stays light."""
    assert datetime.date.fromisoformat(tables.shipped().date) >= datetime.date(2026, 11, 30)
    assert Path(tables.__file__).with_name("tables.json").stat().st_size < 200_000
