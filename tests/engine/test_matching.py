"""Regular expressions of a model's are run where they can be stopped."""

import pytest

from pumice.engine.matching import matched
from pumice.errors import InvalidInput

TEXTS = ["alpha 1\nbeta\nALPHA 22", "x" * 50 + "alpha 3", "\ud800 alpha 4"]


async def test_lines_are_found_with_their_place() -> None:
    """In any case, no further into a line than asked for, all of them counted and the first ones named."""
    assert await matched(r"alpha \d+", TEXTS, longest=40, most=2) == (3, [(0, 1, 0), (0, 3, 0)])


@pytest.mark.parametrize(
    ("pattern", "said"),
    [("(a+)+$", "took more than"), ("(", "unterminated"), ("a{99999999999}", "too large"), ("(?P<n", "name")],
)
async def test_a_pattern_that_is_none_or_never_ends_is_refused_in_words(pattern: str, said: str) -> None:
    """It holds up nothing but its own process, which is gone then."""
    with pytest.raises(InvalidInput, match=said):
        await matched(pattern, ["a" * 60 + "!"], longest=100, most=1, seconds=0.05 if "took" in said else 5)
