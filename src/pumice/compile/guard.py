"""Guard: marks of ours in what a model is about to write are text it took for the thing itself (B-M3)."""

from collections.abc import Iterable

from pumice.domain import marks
from pumice.domain.block import Block, Kind


def holds_marks(text: str) -> bool:
    """Whether a text holds a mark of ours, or a line that only stands inside one."""
    return not marks.is_clean(text) or any(line.startswith(marks.GAP) for line in text.split("\n"))


def marked(blocks: Iterable[Block]) -> tuple[str, ...]:
    """One sentence per tool call whose arguments hold marks of ours."""
    return tuple(
        f"{block.id}: the arguments of {block.tool} hold a mark of pumice; what they write may be an excerpt, not the text"
        for block in blocks
        if block.kind is Kind.CALL and holds_marks(block.text)
    )
