"""How much memory a session takes: its texts, and what is kept up for them."""

from pumice.engine.branch import Branch
from pumice.engine.tree import Tree

EMPTY = 20_000
"""Bytes of a session without a message."""
READ, INDEXED = 7, 6
"""Bytes per byte of a message that was read into blocks, and more per byte that stands in the line index: measured."""


def of(tree: Tree) -> int:
    """Bytes of memory, roughly."""
    return EMPTY + sum(map(_taken, tree.branches.values()))


def _taken(branch: Branch) -> int:
    return round(branch.bytes * (READ + INDEXED * branch.indexed))
