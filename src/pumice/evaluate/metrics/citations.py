"""Citations: does a line that a view quotes under the name of a block stand in that block?"""

import re
from collections.abc import Iterator, Mapping, Sequence

from pumice.domain import marks
from pumice.domain.block import Kind
from pumice.evaluate.lines import without_number
from pumice.evaluate.metrics.theirs import Theirs
from pumice.evaluate.share import Share
from pumice.evaluate.sources import Source
from pumice.evaluate.view import Shown, View

_OPENING = re.compile(rf"{marks.OPEN}([\w-]+)[^\n]*>$")
_OF = re.compile(r'\bof="(b\d+)"')
_NAME = re.compile(r"\bb\d+\b(?!–)")
_CITES = re.compile(rf"{marks.GAP} (?:b\d+(?!\d|–)|[^\n]*, call b\d+$)")
"""A line of ours that what follows is quoted under: it begins with the name of a block."""
_SECRET = re.compile(r"\[secret:[\w-]+\]")
"""What the store shows in place of a secret: the rest of the line is the source's."""
_SAID = frozenset({"pins", "words", "recent", "plan", "notes"})
"""Parts of a preface that stand for themselves: their lines are a person's or the agent's own words, under no name."""
_GAP = re.compile(rf"{marks.GAP} \d")
"""A line of ours that says how much was left out between two quoted lines; any other without a name is a heading."""


class Citations:
    """Follows one session under one policy; each block of ours is looked at when it first stands in a view."""

    def __init__(self, theirs: Theirs) -> None:
        self._theirs = theirs
        self._judged: set[str] = set()

    def see(self, view: View, names: Sequence[str]) -> Share:
        """Quoted lines that are new with this view, and how many stand where they are said to; `names` of the blocks."""
        fresh = [text for shown in view.messages if marks.OPEN in shown.text for text in self._fresh(shown)]
        if not fresh:
            return Share()
        texts = _texts(names, self._theirs.sources)
        return sum((_judge(text, texts) for text in fresh), Share())

    def _fresh(self, shown: Shown) -> Iterator[str]:
        """Texts of ours that no view before showed."""
        for key, block in zip(shown.keys, shown.message.blocks, strict=True):
            if key not in self._judged and not self._theirs.has(key) and marks.OPEN in block.text:
                self._judged.add(key)
                yield block.text


def _texts(names: Sequence[str], sources: Sequence[Source]) -> dict[str, str]:
    """What stands under each name; what a call brought stands under the call's name too."""
    texts = {name: source.block.text for name, source in zip(names, sources, strict=False)}
    calls: dict[str, str] = {}
    for name, source in zip(names, sources, strict=False):
        if source.block.kind is Kind.CALL:
            calls[source.block.call_id] = name
        elif source.block.kind is Kind.RESULT and source.block.call_id in calls:
            texts[calls[source.block.call_id]] += f"\n{source.block.text}"
    return texts


def _judge(text: str, texts: Mapping[str, str]) -> Share:
    hits = total = 0
    for line, names in quoted(text):
        total += 1
        hits += any(all(piece in texts.get(name, "") for piece in _SECRET.split(line)) for name in names)
    return Share(hits, total)


def quoted(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Lines inside our marks that stand under the name of a block, each with the names it stands under."""
    names: tuple[str, ...] = ()
    has_names = is_excerpt = False
    for line in text.split("\n"):
        if line.startswith((marks.OPEN, marks.CLOSE)):
            opened = _OPENING.match(line)
            found = _OF.search(line) if opened else None
            names, is_excerpt = (found[1],) if found else (), found is not None
            has_names = opened is not None and opened[1] not in _SAID
        elif has_names and _CITES.match(line):
            names = tuple(_NAME.findall(line))
        elif line.startswith(marks.GAP):
            names = names if _GAP.match(line) or is_excerpt else ()
        elif names and (bare := without_number(line).strip()):
            yield bare, names
