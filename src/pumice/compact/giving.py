"""The order of the levels, where a policy says in which order the partitions give way (F-B3)."""

from collections.abc import Mapping, Sequence

TAKES: Mapping[str, str] = {
    "offload": "tools",
    "recent": "history",
    "summarize": "history",
    "extract": "history",
    "isolate": "history",
}
"""The partition a level takes from. Mechanical takes what is worthless anywhere, recall takes nothing, rebuild everything."""
FIRST, LAST = ("mechanical",), ("rebuild",)


def ordered(order: Sequence[str], cut_order: Sequence[str]) -> tuple[str, ...]:
    """The levels of `order`, those that take from one partition among themselves as they were; as they are without a word.

    What is worthless still goes first and a view is rebuilt last; a level that takes nothing stays where it stands.
    """
    if not cut_order:
        return tuple(order)
    ranks = {partition: rank for rank, partition in enumerate(cut_order)}
    taking = iter(sorted((level for level in order if level in TAKES), key=lambda level: ranks.get(TAKES[level], len(ranks))))
    placed = [next(taking) if level in TAKES else level for level in order]
    return tuple(sorted(placed, key=lambda level: (level in LAST) - (level in FIRST)))
