"""Token counts are exact, total and never raise."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pumice.errors import InvalidInput
from pumice.measure import tokens

GOLDEN = json.loads((Path(__file__).parent / "golden_counts.json").read_text(encoding="utf-8"))

any_text = st.text(st.characters(exclude_categories=()))


def test_five_hundred_texts_have_the_counts_two_other_tokenizers_gave() -> None:
    """CJK, Hangul, emoji, ANSI, base64, code: an upgrade of the tokenizer cannot move a count unseen."""
    assert len(GOLDEN["cases"]) == 500
    counts = tokens.count_many([text for _, text, _ in GOLDEN["cases"]])
    wrong = [case for case, counted in zip(GOLDEN["cases"], counts, strict=True) if case[2] != counted]
    assert wrong == []


def test_recorded_pairs_have_the_counts_they_were_published_with(data: Path) -> None:
    """The counter agrees with the recorded o200k counts of what real sessions sent."""
    with (data / "claude-token-calibration" / "pairs.jsonl").open(encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    assert tokens.count_many([pair["text"] for pair in pairs]) == [pair["o200k"] for pair in pairs]


@given(any_text)
def test_any_text_is_counted(text: str) -> None:
    """Lone surrogates and control characters count instead of raising, and only nothing counts as nothing."""
    assert (tokens.count(text) == 0) == (text == "")
    assert tokens.count(text) <= 4 * len(text)


@given(any_text, any_text)
def test_a_joined_text_is_not_larger_than_its_parts_by_more_than_the_seam(left: str, right: str) -> None:
    """Counting blocks one by one is a safe stand-in for counting them joined: only the seam can differ."""
    apart = tokens.count(left) + tokens.count(right)
    joined = tokens.count(left + right)
    assert max(tokens.count(left), tokens.count(right)) <= joined + 8
    assert joined <= apart + 8


@given(st.lists(any_text, max_size=6))
def test_a_batch_counts_as_its_texts_do(texts: list[str]) -> None:
    """A batch is only faster."""
    assert tokens.count_many(texts) == [tokens.count(text) for text in texts]


@pytest.mark.parametrize(
    "text", ["안녕" * 1000, "🔥" * 1000, "你" * 8000, "かな" * 500, "ｱｲｳ" * 300, "각" * 300, "한국어" * 300]
)
def test_scripts_count_exactly_and_never_by_characters_over_four(text: str) -> None:
    """Han, Kana, Hangul (decomposed or halfwidth too), emoji are not counted by a Latin rule of thumb (B-H1, B-H2, B-H3)."""
    assert tokens.count(text) > len(text) / 4


@given(any_text, st.integers(0, 40))
def test_a_cut_text_is_a_beginning_that_fits(text: str, limit: int) -> None:
    """Cutting keeps a prefix within the limit and the whole text when it fits."""
    kept = tokens.truncate(text, limit)
    assert text.startswith(kept)
    assert tokens.count(kept) <= limit
    assert kept == text or tokens.count(text) > limit


def test_a_negative_limit_is_refused() -> None:
    """A negative limit names itself instead of giving an odd cut."""
    with pytest.raises(InvalidInput, match="-1"):
        tokens.truncate("text", -1)


def test_special_strings_are_text() -> None:
    """A tool result cannot pass as one token by naming a special token."""
    assert tokens.count("<|endoftext|>") > 1
