"""The token factor: what a model's tokens are to o200k, learnt from what the provider reports."""

import msgspec

from pumice.domain.book import BLOCK_OVERHEAD
from pumice.measure.naming import parse

SMALLEST, LARGEST = 0.8, 2.5
LEARN_FROM = 2_000
"""Tokens of growth, counted and summed, before the family's factor is left."""
_OLDER_CLAUDE, _NEWER_CLAUDE, _OTHER = 1.25, 1.6, 1.25


def family_factor(model: str) -> float:
    """Where a model's factor starts: 1.25 up to Claude 4.6, 1.6 after, 1.0 OpenAI, 1.25 others (provider-contracts §8.2)."""
    name = parse(model)
    if name.family == "openai":
        return 1.0
    if name.family == "claude":
        return _OLDER_CLAUDE if name.generation <= (4, 6) else _NEWER_CLAUDE
    return _OTHER


class Calibration(msgspec.Struct, frozen=True):
    """Sums of growth between successive calls that share a prefix, and the factor they give (DESIGN §5, counting)."""

    start_factor: float
    reported: int = 0
    """Reported growth less what no factor applies to."""
    counted: int = 0
    """The same growth in o200k tokens."""

    @classmethod
    def start(cls, model: str) -> "Calibration":
        """What is known of a model before its first answer."""
        return cls(family_factor(model))

    @property
    def factor(self) -> float:
        """Model tokens per o200k token, 0.8 to 2.5."""
        if self.counted < LEARN_FROM:
            return self.start_factor
        return min(LARGEST, max(SMALLEST, self.reported / self.counted))

    @property
    def is_exceeded(self) -> bool:
        """What is billed grows by more than text can: reasoning, which no counter reads, or content it does not know."""
        return self.reported - self.counted * LARGEST >= LEARN_FROM

    @property
    def learnt(self) -> bool:
        """The factor comes from reports, not from the family."""
        return self.counted >= LEARN_FROM

    def grown(self, reported: int, counted: int, *, fixed: int = 0) -> "Calibration":
        """What is known after one more call on the same prefix.

        `reported` is the growth of the reported input, `counted` that of the text in o200k tokens, and `fixed` what the
        same growth costs without a factor: 8 per block, media by formula. Growth that is not positive teaches nothing.
        """
        if counted <= 0 or reported <= fixed:
            return self
        return msgspec.structs.replace(self, reported=self.reported + reported - fixed, counted=self.counted + counted)

    def tokens(self, counted: int, blocks: int = 0) -> int:
        """What text of `counted` o200k tokens in so many blocks costs the model."""
        return round(counted * self.factor) + BLOCK_OVERHEAD * blocks
