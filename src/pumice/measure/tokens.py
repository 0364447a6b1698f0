"""Exact o200k token counts of text, offline."""

import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module

import toktok

from pumice.errors import InvalidInput

ENCODING = "o200k_base"
_SURROGATE = re.compile("[\ud800-\udfff]")
_PARALLEL_FROM = 1_000_000
"""Characters from which a batch gains more from threads than starting them costs."""


@cache
def load() -> None:
    """Load the vocabulary, which stands inside the toktok wheel: 0.4 s of CPU, and no other thread runs meanwhile."""
    import_module("pumice.measure.vocabulary")


def count(text: str) -> int:
    """Tokens of a text in o200k; strings such as `<|endoftext|>` count as the ordinary text they are."""
    return count_many((text,))[0]


def count_many(texts: Sequence[str]) -> list[int]:
    """Tokens of each text in order; a batch costs about 1 µs a text, a single call 30 µs (reference dependencies.md C.1).

    The first call loads the vocabulary if nobody has (`load`).
    """
    load()
    threads = 0 if sum(map(len, texts)) >= _PARALLEL_FROM else 1
    try:
        counts: list[int] = toktok.batch_count(texts, ENCODING, threads)
    except UnicodeEncodeError:
        counts = toktok.batch_count([well_formed(text) for text in texts], ENCODING, threads)
    return counts


def truncate(text: str, limit: int) -> str:
    """The longest beginning of a text with at most `limit` tokens that ends between two characters.

    A lone surrogate in what is kept comes back as it was. Raises InvalidInput for a negative limit.
    """
    if limit < 0:
        raise InvalidInput(f"Token limit {limit!r} is negative, expected 0 or more.", hint="Give the number of tokens to keep.")
    load()
    kept, _ = toktok.truncate(well_formed(text), limit, ENCODING)
    return text[: len(kept)]


def well_formed(text: str) -> str:
    """The text with each lone surrogate replaced by U+FFFD, one character for one, so that it can be encoded."""
    return _SURROGATE.sub("\ufffd", text)
