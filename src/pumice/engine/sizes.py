"""Sizes of blocks, counted in one batch: text by o200k, media by formula, what is opaque by its bytes."""

from collections.abc import Sequence

from pumice.domain.block import Block, Kind
from pumice.domain.book import BLOCK_OVERHEAD, Size
from pumice.measure import media, tokens


def counted_text(block: Block) -> str:
    """What of a block is counted as text: an opaque one by its bytes, so that nothing unknown is free."""
    is_unknown = block.kind is Kind.OPAQUE and not block.media
    return block.raw.decode("utf-8", "replace") if is_unknown else block.text


def measure(blocks: Sequence[Block], model: str = "") -> list[Size]:
    """One size per block; media by the model's formula."""
    counts = tokens.count_many([counted_text(block) for block in blocks])
    return [
        Size(count, BLOCK_OVERHEAD + sum(media.tokens(item, model) for item in block.media))
        for block, count in zip(blocks, counts, strict=True)
    ]
