"""What a provider takes of images besides their tokens, by its own list."""

import pytest

from pumice.domain.block import Media
from pumice.measure import limits


def test_a_small_window_takes_fewer_images() -> None:
    """100 images and pages on models of 200,000 tokens, 600 on larger ones and where the model is not known (K-A24)."""
    assert [limits.anthropic(window).count for window in (200_000, 1_000_000, None)] == [100, 600, 600]
    assert limits.of("openai-chat", 128_000) is None


@pytest.mark.parametrize(
    ("held", "words"),
    [
        (Media("image/png", 8000, 8000, size=7_000_000), ""),
        (Media("image/png", 8001, 20), "8,001 pixels a side"),
        (Media("image/png", 20, 9000), "9,000 pixels a side"),
        (Media("image/jpeg", 900, 900, size=7_864_320), ""),
        (Media("image/jpeg", 900, 900, size=7_864_321), "bytes of base64"),
        (Media(""), ""),
    ],
)
def test_an_image_that_no_request_may_hold_is_known(held: Media, words: str) -> None:
    """Sides over 8,000 pixels and base64 over 10 MB are refused whatever else a request holds (K-A24)."""
    found = limits.breach(held, limits.ANTHROPIC)
    assert words in found
    assert bool(found) == bool(words)


def test_pages_of_documents_count_like_images() -> None:
    """A document of unknown length counts as one page."""
    assert [limits.units(held) for held in (Media("image/png"), Media(limits.PDF, pages=12), Media(limits.PDF))] == [1, 12, 1]
