"""Altered values: names and numbers inside our marks that no source holds. Anything but none is a fault of ours."""

import re
from collections.abc import Iterator

from pumice.domain import marks
from pumice.evaluate.lines import without_number
from pumice.evaluate.metrics.theirs import Theirs
from pumice.evaluate.view import Shown, View
from pumice.measure import entities

_MARK = re.compile(rf"{marks.OPEN}(?P<open>[\w-]+)[^\n]*>$|{marks.CLOSE}(?P<close>[\w-]+)>", re.M)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SECRET = re.compile(r"\[secret:[\w-]+\]")
"""What the store shows in place of a secret."""


class Altered:
    """Follows one session under one policy; each block of ours is looked at when it first stands in a view."""

    def __init__(self, theirs: Theirs, head: str = "") -> None:
        self._theirs = theirs
        self._read = 0
        self._lines = {line.strip() for line in head.split("\n")}
        self._scalars = set(_scalars(head))
        self._judged: set[str] = set()

    def see(self, view: View) -> list[str]:
        """Scalars of ours that are new with this view and occur in no source so far."""
        for source in self._theirs.sources[self._read :]:
            self._lines.update(line.strip() for line in source.block.text.split("\n"))
            self._scalars.update(_scalars(source.block.text))
        self._read = len(self._theirs.sources)
        return [scalar for shown in view.messages for scalar in self._judge(shown)]

    def _judge(self, shown: Shown) -> Iterator[str]:
        for key, block in zip(shown.keys, shown.message.blocks, strict=True):
            if key in self._judged or self._theirs.has(key):
                continue
            self._judged.add(key)
            for line in ours(block.text):
                yield from self._foreign(line)

    def _foreign(self, line: str) -> Iterator[str]:
        """Scalars of a line that no source has; a line that stands in a source as it is has none."""
        if line.strip() not in self._lines and without_number(line).strip() not in self._lines:
            said = _SECRET.sub(" ", without_number(line))
            yield from (scalar for scalar in _scalars(said) if not self._occurs(scalar))

    def _occurs(self, scalar: str) -> bool:
        """A number must occur as such: 12 is not found in 123. A name may be part of a longer one, cut by a line's piece."""
        if scalar in self._scalars:
            return True
        if scalar[0].isdigit() and _NUMBER.fullmatch(scalar):
            return False
        return any(scalar in source.block.text for source in self._theirs.sources)


def ours(text: str) -> Iterator[str]:
    """Lines inside our marks; what marks exempt is left out: the marks themselves and lines that start with `⋯`."""
    depth = start = 0
    for mark in _MARK.finditer(text):
        if depth:
            yield from _lines(text[start : mark.start()])
        depth = depth + 1 if mark["open"] else max(0, depth - 1)
        start = mark.end()


def _lines(text: str) -> Iterator[str]:
    return (line for line in text.split("\n") if line.strip() and not line.startswith(marks.GAP))


def _scalars(text: str) -> Iterator[str]:
    """Names, then the numbers that stand outside them."""
    rest, at = [], 0
    for entity in entities.find(text):
        if entity.kind != "number":
            yield entity.text
            rest.append(text[at : entity.start])
            at = entity.end
    rest.append(text[at:])
    yield from _NUMBER.findall(" ".join(rest))
