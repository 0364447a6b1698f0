"""Every spelling of a model's name leads to the same facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pumice.measure.naming import NEWEST, parse

SPELLINGS = [
    ("claude-opus-4-5-20251101", "claude-opus-4-5"),
    ("anthropic/claude-opus-4.5", "claude-opus-4-5"),
    ("openrouter/anthropic/claude-opus-4.5:thinking", "claude-opus-4-5"),
    ("claude-opus-4-5@20251101", "claude-opus-4-5"),
    ("us.anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-4-5"),
    ("us-gov.anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-4-5"),
    ("arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-4-5"),
    ("Claude-4.5-Opus", "claude-opus-4-5"),
    ("claude-3-5-haiku-latest", "claude-haiku-3-5"),
    ("claude-sonnet-4-0", "claude-sonnet-4"),
    ("claude-sonnet-4-20250514", "claude-sonnet-4"),
    ("openai/gpt-5.4-mini-2026-03-01", "gpt-5.4-mini"),
    ("models/gemini-2.5-pro", "gemini-2.5-pro"),
    ("claude-opus-4-6[1m]", "claude-opus-4-6"),
]


@pytest.mark.parametrize(("spelling", "base"), SPELLINGS)
def test_spellings_of_clients_and_clouds_are_one_model(spelling: str, base: str) -> None:
    """Provider prefixes, cloud ids, dates, versions and options do not hide the model."""
    assert parse(spelling).base == base


@pytest.mark.parametrize(
    ("model", "family", "generation"),
    [
        ("claude-opus-4-5-20251101", "claude", (4, 5)),
        ("claude-sonnet-4-20250514", "claude", (4, 0)),
        ("claude-mythos-preview", "claude", NEWEST),
        ("gpt-6.2-sol", "openai", (6, 2)),
        ("gpt-4-32k", "openai", (4, 0)),
        ("gpt-oss-120b", "openai", (0, 0)),
        ("o3-mini", "openai", (3, 0)),
        ("gemini-3.1-pro-preview", "gemini", (3, 1)),
        ("deepseek-chat", "other", (0, 0)),
        ("", "other", (0, 0)),
    ],
)
def test_family_and_generation_are_read_from_the_name(model: str, family: str, generation: tuple[int, int]) -> None:
    """Counting factor and provider rules hang on family and generation, so dates and sizes must not be taken for them."""
    assert (parse(model).family, parse(model).generation) == (family, generation)


def test_the_million_token_option_is_seen() -> None:
    """`[1m]` names a window, not another model."""
    assert parse("claude-sonnet-4-5[1m]").million
    assert not parse("claude-sonnet-4-5").million


def test_a_dated_name_is_kept_beside_the_base() -> None:
    """A dated version with a price of its own can be told from its line."""
    assert parse("gpt-4o-2024-05-13").dated == "gpt-4o-2024-05-13"


@given(st.text())
def test_any_name_is_read(model: str) -> None:
    """A name from a hostile request gives some reading, never an error."""
    name = parse(model)
    assert parse(name.base).family == name.family
