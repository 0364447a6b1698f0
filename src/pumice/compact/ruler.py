"""How big things are in a plan, by the one counter the engine uses for the finished view."""

from collections.abc import Callable, Iterable, Sequence

from pumice.domain.block import Block
from pumice.domain.book import Book, Size
from pumice.domain.decision import Decision, Outcome

CountMany = Callable[[Sequence[str]], Sequence[int]]
"""o200k tokens of each text, in order (`measure.tokens.count_many`)."""


class Ruler:
    """Calibrated sizes of blocks in the form they stand in, and of texts of ours."""

    def __init__(self, book: Book, factor: float, count: CountMany) -> None:
        self.factor = factor
        self._count = count
        self._sizes = book.sizes
        self._forms = book.forms
        self._texts: dict[str, int] = {}
        self.redeem = book.redeem
        """How what leaves the window is fetched again: what marks say of it."""

    def block(self, block: Block) -> int:
        """Tokens of a block as it was first shown."""
        form = self._forms.get(block.id)
        return self._sizes[block.id].tokens(self.factor) if form is None else self.shown(block, form)

    def full(self, block: Block) -> int:
        """Tokens of a block's own text, as a part of another block."""
        return round(self._sizes[block.id].text * self.factor)

    def shown(self, block: Block, decision: Decision) -> int:
        """Tokens of a block under a decision; 0 when it is left out."""
        if decision.outcome is Outcome.EXCERPT and decision.text is not None:
            return self.text(decision.text)
        return self._sizes[block.id].tokens(self.factor) if decision.outcome is Outcome.KEEP else 0

    def blocks(self, blocks: Iterable[Block]) -> int:
        return sum(self.block(block) for block in blocks)

    def text(self, text: str) -> int:
        """Tokens of a text that is a block of its own; 0 for none."""
        if text and text not in self._texts:
            self._texts[text] = Size(self.count(text)).tokens(self.factor)
        return self._texts.get(text, 0)

    def measure(self, texts: Iterable[str]) -> None:
        """Count at once what `text` will be asked for: short texts one by one take several times as long."""
        new = [text for text in dict.fromkeys(texts) if text and text not in self._texts]
        self._texts.update((text, Size(n).tokens(self.factor)) for text, n in zip(new, self.count_many(new), strict=True))

    def count(self, text: str) -> int:
        """o200k tokens, before calibration."""
        return self.count_many([text])[0]

    def count_many(self, texts: Sequence[str]) -> Sequence[int]:
        return self._count(texts) if texts else []

    def inline(self, texts: Sequence[str]) -> list[int]:
        """Calibrated tokens of texts that stand, one line each, inside a block of ours."""
        return [round((tokens + 1) * self.factor) for tokens in self.count_many(texts)]
