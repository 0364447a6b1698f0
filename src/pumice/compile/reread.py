"""A client that reads an unchanged file again may answer with one line that points at the earlier result.

If that result is no longer whole in view, the line alone would leave the model blind: first sight shows the content from
the ledger in its place (reference: real clients, "Truncation by the client").
"""

import re
from collections.abc import Callable, Iterator, Sequence

from pumice.domain import marks, pointer
from pumice.domain.block import Block, Kind
from pumice.domain.decision import Decision, shown_as
from pumice.domain.effect import ToolUse
from pumice.domain.group import Node

LONGEST = 400
"""Characters such a line has at most."""
_SAYS_SO = re.compile(r"\b(?:unchanged|not changed|no changes|has not been modified|same as)\b", re.IGNORECASE)
_POINTS_BACK = re.compile(r"\b(?:earlier|previous|previously|last|above|already)\b", re.IGNORECASE)


def points_back(block: Block, use: ToolUse | None) -> bool:
    """Whether a result says that its content stands earlier in the conversation."""
    if block.kind is not Kind.RESULT or use is None or not use.is_file_read or len(block.text) > LONGEST:
        return False
    return bool(_SAYS_SO.search(block.text) and _POINTS_BACK.search(block.text))


def _reads(nodes: Sequence[Node], uses: Callable[[str], ToolUse | None], target: str) -> Iterator[tuple[Node, Block]]:
    """Earlier results of reads of a file that hold its content, newest first."""
    for node in reversed(nodes):
        for block in reversed(node.blocks):
            use = uses(block.id)
            if use is None or use.target != target or block.kind is not Kind.RESULT:
                continue
            if use.is_file_read and not points_back(block, use):
                yield node, block


def returned(
    newest: Sequence[Block],
    before: Sequence[Node],
    uses: Callable[[str], ToolUse | None],
    is_whole: Callable[[Node, Block], bool],
) -> Iterator[str]:
    """One sentence per new file read that brings back, unchanged, what had left the view: part of it would have been enough."""
    for block in newest:
        use = uses(block.id)
        if block.kind is not Kind.RESULT or use is None or not use.is_file_read or not block.text:
            continue
        node, earlier = next(_reads(before, uses, use.target), (None, None))
        if node is not None and earlier is not None and earlier.text == block.text and not is_whole(node, earlier):
            yield f"{block.id} reads again what {earlier.id} held, which had left the view; a range of its lines costs less"


def decide(
    block: Block,
    before: Sequence[Node],
    uses: Callable[[str], ToolUse | None],
    is_whole: Callable[[Node, Block], bool],
) -> Decision | None:
    """The earlier content in place of the line that points at it; None while that content is whole in view."""
    use = uses(block.id)
    if use is None or not points_back(block, use):
        return None
    node, earlier = next(_reads(before, uses, use.target), (None, None))
    if node is None or earlier is None or is_whole(node, earlier) or not marks.is_plain(earlier.text):
        return None
    text = marks.wrap("earlier", f"{marks.gap(block.text.splitlines()[0])}\n{earlier.text}", of=earlier.id)
    reason = f"points at {earlier.id}, which is not whole in view"
    return shown_as(block.id, text, level="first_sight", reason=reason, pointer=pointer.artifact(earlier.id))
