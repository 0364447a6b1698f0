"""Remembered counts are the counts."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pumice.engine.memo import LONGEST, Counts
from pumice.measure import tokens

TEXTS = st.lists(
    st.sampled_from(["", "a b", "\ud800", "⋯ b1 Read src/app.py 412 lines", "x" * (LONGEST + 1)]) | st.text(max_size=9)
)


@settings(deadline=None)  # the first count loads the vocabulary
@given(st.lists(TEXTS, max_size=4))
def test_what_was_asked_before_is_counted_the_same(batches: list[list[str]]) -> None:
    """Whatever was counted before, and however often a text stands in a batch, each gets its own count."""
    counts = Counts()
    for batch in batches:
        assert counts(batch) == tokens.count_many(batch)
