"""What a provider takes of images and documents in one request, besides their tokens."""

import msgspec

from pumice.domain.block import Media
from pumice.domain.book import MediaLimits

PDF = "application/pdf"
SMALL_WINDOW = 200_000

ANTHROPIC = MediaLimits(600, 8000, 20, 2000, 10 * 1024 * 1024, 32 * 1024 * 1024)
"""provider-contracts K-A24."""
SMALL_COUNT = 100
"""Images and pages for models whose window is 200,000 tokens or less."""


def of(dialect: str, window: int | None) -> MediaLimits | None:
    """The limits of a dialect for a model of so large a window; None where none are known."""
    return anthropic(window) if dialect == "anthropic" else None


def anthropic(window: int | None) -> MediaLimits:
    """Anthropic's limits for a model of so large a window."""
    is_small = window is not None and window <= SMALL_WINDOW
    return msgspec.structs.replace(ANTHROPIC, count=SMALL_COUNT) if is_small else ANTHROPIC


def units(media: Media) -> int:
    """How many images and pages a medium counts as."""
    return max(media.pages, 1) if media.mime == PDF else 1


def breach(media: Media, limits: MediaLimits) -> str:
    """Why a provider takes this medium in no request; empty when it may."""
    side, length = max(media.width, media.height), -(-media.size // 3) * 4
    if side > limits.side:
        return f"{side:,} pixels a side, {limits.side:,} are the most"
    return f"{length:,} bytes of base64, {limits.base64:,} are the most" if length > limits.base64 else ""
