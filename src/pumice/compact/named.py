"""Which blocks lines of ours name: what can be read back by what a model sees."""

import re
from collections.abc import Iterable, Sequence

from pumice.domain import marks

_NAMES = re.compile(r"\b(b\d+)(?:[–-](b\d+))?\b")


def named(ours: Iterable[str], blocks: Sequence[str]) -> frozenset[str]:
    """Blocks that a line of ours in some texts names, those inside a range too; `blocks` are the names of all, in order."""
    lines = (line for text in ours for line in text.split("\n") if line.startswith((marks.GAP, marks.OPEN)))
    order = {name: at for at, name in enumerate(blocks)}
    found: set[str] = set()
    for first, last in (match.groups() for line in lines for match in _NAMES.finditer(line)):
        found.add(first)
        if last in order and first in order:
            found.update(blocks[order[first] : order[last] + 1])
    return frozenset(found)
