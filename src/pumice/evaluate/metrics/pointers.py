"""Pointers: which blocks a view points at, and whether the label says what stands there."""

from collections.abc import Iterable

from pumice.domain.block import Kind
from pumice.evaluate.sources import Source
from pumice.evaluate.view import Shown

LABEL_CHARS = 30
"""Characters of a long command that name it."""


class Pointers:
    """The pointers of a view to single blocks, with what their labels say; ranges and pointers to a session do not count."""

    def __init__(self, messages: Iterable[Shown]) -> None:
        self._labels: dict[str, str] = {}
        self._excerpts: set[str] = set()
        for shown in messages:
            if shown.labels or shown.excerpts:
                self._labels.update(shown.labels)
                self._excerpts.update(shown.excerpts)

    @property
    def all(self) -> set[str]:
        """Names of all blocks pointed at."""
        return self._labels.keys() | self._excerpts

    def names(self, name: str, source: Source) -> bool:
        """Whether a pointer to the block stands in the view, in its own place or under a label that names file or command."""
        if name in self._excerpts:
            return True
        label = self._labels.get(name)
        if label is None:
            return False
        target = source.use.target if source.use and source.block.kind in (Kind.CALL, Kind.RESULT) else ""
        return not target or _says(label, target)


def _says(label: str, target: str) -> bool:
    """A path by its last part, a command by its beginning."""
    return target.rstrip("/").rsplit("/", 1)[-1][:LABEL_CHARS] in label or target[:LABEL_CHARS] in label
