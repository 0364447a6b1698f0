"""The cache simulator foretells what a provider bills, by the provider's own rules."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from pumice.domain.message import Usage
from pumice.measure import models
from pumice.measure.cache import Cache, Hit, Unit, common, compare

CLAUDE = models.facts("claude-sonnet-4-5").cache
OLDER_GPT = models.facts("gpt-4o").cache
NEWER_GPT = models.facts("gpt-5.6-sol").cache


def units(text: str, tokens: int = 1_000) -> list[Unit]:
    return [Unit(letter.encode(), tokens) for letter in text]


def after(cache: Cache, text: str, at: float = 0.0, markers: Sequence[int] | None = None, *, long: bool = False) -> Cache:
    return cache.see(units(text), at=at, markers=markers, long=long)[1]


def hit(cache: Cache, text: str, at: float = 1.0, markers: Sequence[int] | None = None) -> Hit:
    return cache.see(units(text), at=at, markers=markers)[0]


def test_a_first_request_writes_and_a_second_reads_it() -> None:
    """What one request wrote up to its marker the next one reads, and writes only what is new."""
    assert hit(Cache(CLAUDE), "abc") == Hit(0, 3_000)
    assert hit(after(Cache(CLAUDE), "abc"), "abcde") == Hit(3_000, 2_000)


def test_what_follows_the_last_marker_is_taken_plainly() -> None:
    """Only a marker writes; text after it is billed as plain input (K §1.4)."""
    assert hit(Cache(CLAUDE), "abcde", markers=[2]) == Hit(0, 3_000, 2_000)
    assert hit(Cache(CLAUDE), "abcde", markers=[]) == Hit(0, 0, 5_000)


def test_a_changed_unit_loses_everything_behind_it() -> None:
    """With markers, an edit before the written end leaves the nearest earlier entry, or nothing."""
    cache = after(Cache(CLAUDE), "abcd", markers=[1, 3])
    assert hit(cache, "abXd", markers=[1, 3]) == Hit(2_000, 2_000)
    assert hit(after(Cache(CLAUDE), "abcd"), "abXd") == Hit(0, 4_000)
    assert hit(after(Cache(OLDER_GPT), "abcd"), "abXd").read == 2_000 // 128 * 128


def test_an_entry_out_of_reach_of_the_marker_is_missed() -> None:
    """More than nineteen new blocks put the old entry out of reach; an older marker brings it back (K §1.4)."""
    start = "abc"
    cache = after(Cache(CLAUDE), start)
    more = start + "".join(chr(0x100 + place) for place in range(20))
    assert hit(cache, more[:-1]).read == 3_000
    assert hit(cache, more).read == 0
    assert hit(cache, more, markers=[2, len(more) - 1]).read == 3_000


def test_an_entry_dies_after_its_time_and_lives_on_with_use() -> None:
    """A read starts the five minutes again; a longer entry lives an hour (K §1.4)."""
    cache = after(Cache(CLAUDE), "abc", at=0)
    assert hit(cache, "abc", at=299).read == 3_000
    assert hit(cache, "abc", at=300).read == 0
    assert hit(after(cache, "abc", at=299), "abc", at=590).read == 3_000
    assert hit(after(Cache(CLAUDE), "abc", long=True), "abc", at=3_000).read == 3_000


def test_short_prefixes_are_not_cached() -> None:
    """Below the model's minimum nothing is read or written."""
    small = [Unit(b"a", CLAUDE.min_tokens - 1)]
    _, cache = Cache(CLAUDE).see(small, at=0)
    assert cache.entries == ()
    assert cache.see(small, at=1)[0] == Hit(0, 0, CLAUDE.min_tokens - 1)


def test_older_automatic_caches_count_in_steps_and_newer_exactly() -> None:
    """OpenAI up to 5.5 rounds a hit down to 128 tokens, from 5.6 on it is exact (K §3.4)."""
    assert hit(after(Cache(OLDER_GPT), "abc"), "abcd").read == 2_944
    assert hit(after(Cache(NEWER_GPT), "abc"), "abcd").read == 3_000


@given(st.lists(st.tuples(st.text("abc", max_size=8), st.integers(0, 400)), max_size=8), st.sampled_from([CLAUDE, OLDER_GPT]))
def test_every_token_is_billed_once(requests: list[tuple[str, int]], rules: models.CacheRules) -> None:
    """Read, written and plain tokens add up to the request, whatever came before and when."""
    cache, at = Cache(rules), 0.0
    for text, wait in requests:
        at += wait
        found, cache = cache.see(units(text), at=at)
        assert found.input == 1_000 * len(text)
        assert min(found.read, found.written, found.plain) >= 0


@given(st.lists(st.binary(max_size=1)), st.lists(st.binary(max_size=1)))
def test_the_common_prefix_is_the_longest(first: list[bytes], second: list[bytes]) -> None:
    """Everything before the divergence is equal, and the first difference is a difference."""
    shared = common(first, second)
    assert first[:shared] == second[:shared]
    assert shared == min(len(first), len(second)) or first[shared] != second[shared]


def test_a_miss_is_told_from_an_estimates_error() -> None:
    """A report a little below the foretold is the counter's error, a report far below it a miss (K-C8)."""
    predicted = Hit(100_000, 2_000)
    assert compare(predicted, Usage(102_000, cache_read=96_000)).missed == 0
    assert compare(predicted, Usage(102_000, cache_read=20_000)).missed == 80_000
    assert compare(predicted, Usage(140_000, cache_read=130_000)).missed == 0
