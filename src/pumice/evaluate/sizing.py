"""Sums of sizes: text is summed before it is calibrated, so that one rounding serves a whole request."""

from collections.abc import Iterable

from pumice.domain.book import Size

NOTHING = Size(0, 0)


def add(one: Size, other: Size) -> Size:
    """Two sizes together."""
    return Size(one.text + other.text, one.fixed + other.fixed)


def running(sizes: Iterable[Size]) -> list[Size]:
    """Sizes of the first 0, 1, 2, … blocks."""
    text = fixed = 0
    sums = [NOTHING]
    for size in sizes:
        text += size.text
        fixed += size.fixed
        sums.append(Size(text, fixed))
    return sums
