"""Guard: marks of ours in what a model is about to write are text it took for the thing itself (B-M3)."""

from collections.abc import Iterable

from pumice.domain import marks
from pumice.domain.block import Block, Kind


def marked(blocks: Iterable[Block]) -> tuple[str, ...]:
    """One sentence per tool call whose arguments hold marks of ours."""
    return tuple(
        f"{block.id}: the arguments of {block.tool} hold a mark of pumice; what they write may be an excerpt, not the text"
        for block in blocks
        if block.kind is Kind.CALL and not marks.is_plain(block.text)
    )
