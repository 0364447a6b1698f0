"""Counts of short texts that plans ask for again and again: labels, marks, notes."""

from collections.abc import Sequence

from pumice.measure import tokens

LONGEST = 500
"""Characters from which a text is counted anew: it hardly ever comes again."""
MOST = 50_000
"""Texts remembered; then it starts over."""


class Counts:
    """o200k tokens of each text, in order: `measure.tokens.count_many` with a memory."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def __call__(self, texts: Sequence[str]) -> list[int]:
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        found = dict(zip(missing, tokens.count_many(missing), strict=True))
        counts = [self._known[text] if text in self._known else found[text] for text in texts]
        if len(self._known) > MOST:
            self._known.clear()
        self._known.update((text, count) for text, count in found.items() if _comes_again(text))
        return counts


def _comes_again(text: str) -> bool:
    """Not a long text, nor a source's line: what those cost the line index remembers without their words."""
    return len(text) <= LONGEST and not text.endswith("\n")
