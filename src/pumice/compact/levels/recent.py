"""Level recent: the newest groups that fit, nothing of what is older; a sliding window when cut at every call."""

from pumice.compact.levels.level import Brief, Layout
from pumice.compact.section import Section
from pumice.domain import marks

GAP = marks.gap("earlier steps are left out")
RESERVED = 40
"""Tokens left for that line."""


def lay_out(brief: Brief, _before: Layout) -> Layout:
    """The longest tail of whole groups within the target; the last group always."""
    groups = brief.book.groups
    first = max(0, len(groups) - 1)
    spent = sum(brief.ruler.blocks(group.blocks) for group in groups[first:])
    while first > 0:
        spent += brief.ruler.blocks(groups[first - 1].blocks)
        if spent > brief.target - RESERVED:
            break
        first -= 1
    # Providers want a user's message first; a window that begins inside a turn gets one line of ours.
    gap = () if first == 0 or groups[first].is_user else (Section("note", GAP),)
    return Layout("recent", first_whole=first, sections=gap)
