"""Shrink a group that has to stay but does not fit: its largest results become excerpts (frontier §5.5 step 7)."""

from collections.abc import Sequence

from pumice import excerpt
from pumice.compact.ruler import Ruler
from pumice.compact.words import GOAL_CHARS, middle_cut
from pumice.domain import marks, pointer
from pumice.domain.block import Block, Kind, Role
from pumice.domain.decision import Decision, shown_as
from pumice.domain.group import Group

LEAST_SIZE = 500
"""Tokens: rather than bring other results down below this, the spared one shrinks too."""
LEAST_EXCERPT = 60
"""o200k tokens below which an excerpt is only its pointer."""
_FRAME = 60
"""Tokens of the marks around an excerpt."""


def shrink(group: Group, over: int, ruler: Ruler, level: str, *, spare: str = "") -> dict[str, Decision]:
    """Excerpts, by block id, that make the group at least `over` tokens smaller where that is possible.

    The largest results and pasted texts are brought down to one common size; calls and what the model said stay. The
    block named by `spare` stays whole if the others alone can make the room.
    """
    sizes = {block.id: ruler.block(block) for block in group.blocks if _may_shrink(block)}
    others = {name: size for name, size in sizes.items() if name != spare}
    cap = _cap(sorted(others.values(), reverse=True), over)
    if cap < LEAST_SIZE:
        others, cap = sizes, _cap(sorted(sizes.values(), reverse=True), over)
    least = max(cap, _FRAME)  # what is smaller than the marks of an excerpt would grow by them
    return {block.id: _excerpt(block, cap - _FRAME, ruler, level) for block in group.blocks if others.get(block.id, 0) > least}


def shrink_all(groups: Sequence[Group], over: int, ruler: Ruler, level: str) -> dict[str, Decision]:
    """Excerpts that make several groups at least `over` tokens smaller together, the oldest first; none when over is 0."""
    forms: dict[str, Decision] = {}
    for group in groups:
        if over > 0:
            made = shrink(group, over, ruler, level)
            over -= sum(ruler.block(block) - ruler.shown(block, made[block.id]) for block in group.blocks if block.id in made)
            forms.update(made)
    return forms


def _may_shrink(block: Block) -> bool:
    return block.kind is Kind.RESULT or (block.kind is Kind.TEXT and block.role is Role.USER)


def _cap(sizes: Sequence[int], over: int) -> int:
    """The largest size that, as a cap on all, saves `over` tokens; 0 when none does. `sizes` fall."""
    for many in range(1, len(sizes) + 1):
        cap = (sum(sizes[:many]) - over) // many
        if cap >= (sizes[many] if many < len(sizes) else 0):
            return cap
    return 0


def _excerpt(block: Block, room: int, ruler: Ruler, level: str) -> Decision:
    address = pointer.artifact(block.id)
    lines = block.text.count("\n") + 1
    body = _shown(block, int(room / ruler.factor), ruler) or marks.gap(f"{lines} lines")
    text = marks.wrap("excerpt", body, of=block.id, **ruler.redeem.mark(block.id, address))
    return shown_as(block.id, text, level=level, reason="too big for the window", pointer=address)


def _shown(block: Block, limit: int, ruler: Ruler) -> str:
    """What is shown of a block within `limit` o200k tokens; empty when nothing sensible is."""
    if not marks.is_plain(block.text):
        return ""
    if block.kind is Kind.TEXT:
        return middle_cut(block.text, max(limit / max(1, ruler.count(block.text)), GOAL_CHARS / len(block.text)))
    if limit < LEAST_EXCERPT:
        return ""
    made = excerpt.make(block.text, limit=limit, count=ruler.count, tool=block.tool)
    return made.text if made is not None else ""
