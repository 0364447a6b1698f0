"""What a manifest says of a part of the preface: who stands behind it, which level put it there, how it was made."""

from collections.abc import Mapping

from pumice.domain.block import Block, Trust
from pumice.domain.decision import Cut

FALLING = (Trust.PLATFORM, Trust.AGENT, Trust.USER, Trust.TOOL, Trust.EXTERNAL)
"""From the most trusted to the least."""
_PERSONS = ("pins", "words")
_LEVELS = {"summary": "summarize", "recalled": "recall", "children": "isolate", "rules": "extract"}
"""The level that adds a part; any other was placed by the newest that ran."""


def trust(name: str, cut: Cut, sources: tuple[str, ...], blocks: Mapping[str, Block]) -> Trust:
    """A person's own words are the person's; a summary is worth what the least of its sources is, and no more than a tool's
    word where it says something without one (coding-agents §5, N3)."""
    if name in _PERSONS:
        return Trust.USER
    if name != "summary" or cut.summary is None:
        return Trust.TOOL
    behind = [blocks[source].trust for source in sources if source in blocks]
    if not behind or any(not item.sources for item in cut.summary.items):
        behind.append(Trust.TOOL)
    return max(behind, key=FALLING.index)


def level(name: str, cut: Cut) -> str:
    newest = cut.steps[-1].level if cut.steps else "offload"
    return _LEVELS.get(name, newest)


def transform(name: str, cut: Cut) -> str:
    """A quotation, or the words of a model."""
    is_told = name == "summary" and cut.summary is not None and bool(cut.summary.by)
    return "summary" if is_told else "quotation"
