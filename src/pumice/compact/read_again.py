"""Sections that were read back so often that they are needed all the time: shown in the preface, verbatim (F-E3)."""

from collections.abc import Iterable, Mapping

from pumice.commit import effects
from pumice.compact.layout import Brief
from pumice.compact.section import Section
from pumice.domain import marks, pointer
from pumice.domain.block import Block

NAME = "read_again"


def section(brief: Brief, standing: Iterable[str], room: int) -> tuple[Section, int]:
    """The newest sections that stand in no text of the view and fit `room` tokens, and how many do not fit.

    What an edit since has made untrue is evidence no more, and is let go.
    """
    blocks = {block.id: block for group in brief.book.groups for block in group.blocks} if brief.book.reread else {}
    texts = tuple(standing) if blocks else ()
    chosen: list[tuple[str, str]] = []
    left_out = 0
    for one in reversed(brief.book.reread):
        text = one.of(blocks[one.block].text) if one.block in blocks else ""
        if not text or not marks.is_plain(text) or any(text in said for said in texts) or _is_past(brief, blocks, one):
            continue
        line = f"{marks.gap(f'{one.block} {one.unit} {one.first} to {one.last}')}\n{text}"
        [cost] = brief.ruler.inline([line])
        if cost > room:
            left_out += 1
            continue
        room -= cost
        chosen.append((one.block, line))
    chosen.reverse()
    return Section(NAME, "\n".join(line for _, line in chosen), tuple(name for name, _ in chosen)), left_out


def _is_past(brief: Brief, blocks: Mapping[str, Block], one: pointer.Section) -> bool:
    """Whether the file a section is of has been changed since."""
    use = brief.book.uses.get(one.block)
    if use is None or not use.target:
        return False
    names = list(blocks)
    later = (blocks[name] for name in names[names.index(one.block) + 1 :] if name in brief.book.uses)
    edits = (block for block in later if brief.book.uses[block.id].is_edit and brief.book.uses[block.id].target == use.target)
    return any(not effects.failed(block) for block in edits)
