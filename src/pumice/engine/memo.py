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
        known = self._known
        missing = [text for text in texts if text not in known]
        found = tokens.count_many(missing)
        new = iter(found)
        counts = found if len(missing) == len(texts) else [known[text] if text in known else next(new) for text in texts]
        if len(known) > MOST:
            known.clear()
        # Not a source's line, which ends as one: what those cost the line index remembers without their words.
        pairs = zip(missing, found, strict=True)
        known.update((text, count) for text, count in pairs if len(text) <= LONGEST and text[-1:] != "\n")
        return counts
