"""The usable window follows its rule exactly and names where every number comes from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pumice.domain.policy import Budget
from pumice.errors import InvalidInput
from pumice.measure.window import learn_limit, usable


@pytest.mark.parametrize(("window", "tokens"), [(200_000, 167_000), (60_000, 50_100), (8_000, 6_680), (30_000, 25_050)])
def test_unset_reserves_give_the_published_sizes(window: int, tokens: int) -> None:
    """The default reserves are a share of the window up to a fixed size (F-A2)."""
    assert usable(Budget(), window=window).tokens == tokens


def test_argument_wins_over_policy_over_table_over_default() -> None:
    """A window a user sets is never raised or lowered by the model table (B-G2, B-G5)."""
    policy = Budget(window=60_000)
    found = [
        usable(policy, model="claude-opus-4-5", window=100_000),
        usable(policy, model="claude-opus-4-5", learned=8_000),
        usable(Budget(), model="claude-opus-4-5"),
        usable(Budget(), model="unheard-of"),
    ]
    assert [(item.window, item.source.split(" 2")[0]) for item in found] == [
        (100_000, "argument"),
        (60_000, "policy"),
        (200_000, "model table"),
        (128_000, "default"),
    ]


def test_an_unknown_model_is_warned_about() -> None:
    """The default window does not pass for knowledge (B-G1, B-G3)."""
    assert "unheard-of" in usable(Budget(), model="unheard-of").warnings[0]
    assert usable(Budget(), model="gpt-4o").warnings == ()


def test_what_the_provider_refused_lowers_the_window() -> None:
    """A limit learnt from an error holds for unknown and known models, and only ever lowers (B-G1, B-G3)."""
    assert usable(Budget(), model="unheard-of", learned=32_768).window == 32_768
    assert usable(Budget(), model="claude-opus-4-6", learned=200_000).source == "provider error"
    assert usable(Budget(), model="gpt-4o", learned=500_000).window == 128_000


def test_set_reserves_are_kept() -> None:
    """A reserve that fits is used as it stands, also zero."""
    found = usable(Budget(reserve_output=32_000, safety=0), window=200_000)
    assert (found.reserve_output, found.safety, found.tokens) == (32_000, 0, 168_000)


def test_reserves_over_half_shrink_in_proportion_and_say_so() -> None:
    """An output cap of 32k on a 16k window leaves half of it instead of nothing (B-B4)."""
    found = usable(Budget(reserve_output=32_000, safety=8_000), window=16_384)
    assert found.tokens >= 16_384 // 2
    assert found.reserve_output == pytest.approx(4 * found.safety, abs=4)
    assert "32,000" in found.warnings[0]


def test_the_input_limit_is_a_number_of_its_own() -> None:
    """400k of window with an input limit of 272k gives 272k less the margin, not a share of either (B-G6, B-G8)."""
    found = usable(Budget(), model="gpt-5")
    assert (found.window, found.input_limit, found.tokens) == (400_000, 272_000, 259_000)
    assert usable(Budget(), model="gpt-5", window=60_000).input_limit is None
    assert usable(Budget(), model="gpt-5", window=500_000).input_limit is None


def test_an_output_cap_grows_the_reserve_only_where_the_sum_is_refused() -> None:
    """Input plus output cap above the real window is refused by some providers and cut short by others (K-A25)."""
    assert usable(Budget(), model="gpt-4o", output_cap=40_000).reserve_output == 40_000
    assert usable(Budget(), model="gpt-4o", window=60_000, output_cap=16_000).tokens == 50_100
    assert usable(Budget(), model="claude-opus-4-5", output_cap=64_000).tokens == 167_000
    assert usable(Budget(), model="unheard-of", window=16_384, output_cap=32_000).tokens >= 8_192


@pytest.mark.parametrize(
    ("budget", "given"),
    [
        (Budget(), {"window": 0}),
        (Budget(), {"window": -5}),
        (Budget(window=0), {}),
        (Budget(reserve_output=-1), {}),
        (Budget(safety=-1), {}),
        (Budget(), {"output_cap": -1}),
    ],
)
def test_zero_and_negative_budgets_are_refused(budget: Budget, given: dict[str, int]) -> None:
    """A budget that makes no sense is named, with what was expected."""
    with pytest.raises(InvalidInput, match=r"expected [01] or more"):
        usable(budget, **given)


@given(
    st.integers(1, 3_000_000),
    st.none() | st.integers(0, 3_000_000),
    st.none() | st.integers(0, 3_000_000),
    st.sampled_from(["", "gpt-5", "gpt-4o", "claude-opus-4-6[1m]", "gpt-6.1-sol"]),
    st.none() | st.integers(0, 200_000),
)
def test_a_positive_window_is_always_usable(
    window: int, reserve: int | None, safety: int | None, model: str, cap: int | None
) -> None:
    """No setting, model or cap leaves nothing to use (B-B4)."""
    found = usable(Budget(reserve_output=reserve, safety=safety), window=window, model=model, output_cap=cap)
    assert 0 < found.tokens <= window
    assert found.reserve_output >= 0
    assert found.safety >= 0


@pytest.mark.parametrize(
    ("error", "limit"),
    [
        ("prompt is too long: 205103 tokens > 200000 maximum", 200_000),
        ("input length and `max_tokens` exceed context limit: 190001 + 20000 > 200000, decrease input length", 200_000),
        ("This model's maximum context length is 128000 tokens. However, your messages resulted in 130512 tokens.", 128_000),
        ("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens.", 272_000),
        ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576),
        ("This endpoint's maximum context length is 163,840 tokens. However, you requested about 170001 tokens", 163_840),
        ("Prompt contains 40000 tokens, too large for model with 32768 maximum context length", 32_768),
        ("This model's maximum prompt length is 131072 but the request contains 150000 tokens.", 131_072),
        ("the request exceeds the available context size (4096 tokens), try increasing it", 4_096),
        ("Requested tokens (33000) exceed context window of 32768", 32_768),
        ('{"error": {"n_prompt_tokens": 9000, "n_ctx": 8192}}', 8_192),
        ("Input is too long for requested model.", None),
        ("rate limit of 50 requests", None),
        ("", None),
    ],
)
def test_the_limit_is_read_from_the_providers_words(error: str, limit: int | None) -> None:
    """What a provider names as its limit is learnt, never the size of the request (B-G1)."""
    assert learn_limit(error) == limit


@given(st.text())
def test_any_error_text_is_read(error: str) -> None:
    """An error body is hostile text too."""
    assert learn_limit(error) is None or learn_limit(error)
