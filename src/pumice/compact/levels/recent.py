"""Level recent: the newest groups that fit, nothing of what is older; a sliding window when cut at every call."""

from pumice.compact.levels.level import Brief, Layout


def lay_out(brief: Brief) -> Layout:
    """The longest tail of whole groups within the target; the last group always."""
    groups = brief.book.groups
    first = max(0, len(groups) - 1)
    spent = sum(brief.ruler.blocks(group.blocks) for group in groups[first:])
    while first > 0:
        spent += brief.ruler.blocks(groups[first - 1].blocks)
        if spent > brief.target:
            break
        first -= 1
    return Layout("recent", first)
