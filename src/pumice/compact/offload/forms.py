"""What stays in view of an offloaded result: an excerpt or one line of ours, with its address and size (F-C4)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from pumice.compact.exchanges import Exchange
from pumice.compact.judge import LINES
from pumice.compact.ruler import Ruler
from pumice.domain import marks
from pumice.domain.block import Block
from pumice.domain.decision import Decision, shown_as
from pumice.domain.policy import Summary
from pumice.excerpt import Excerpt, make
from pumice.excerpt.ends import ends

LEVEL = "offload"
USEFUL = 0.70
"""Share of its original above which an excerpt is not used (frontier §5.1)."""
SHARE = 0.35
"""Share of its original that an excerpt takes where the policy's numbers of lines do not make it smaller."""
LEAST = 200
"""Tokens below which a result has no excerpt: the marks around it would take what it saves."""
MOST = 1500
"""Tokens an excerpt of content with a shape takes at most, about what 40 lines of both ends of a log do."""


class Former:
    """Makes the forms of one policy."""

    def __init__(self, ruler: Ruler, summary: Summary) -> None:
        self._ruler = ruler
        self._summary = summary
        self._known: dict[str, Excerpt | None] = {}

    def measure(self, addressed: Iterable[tuple[Exchange, str]]) -> None:
        """Make the excerpts of results, each with its address, that are sure to be asked for, and count them at once."""
        self._ruler.measure([self._excerpt(exchange, address) for exchange, address in addressed])

    def excerpt(self, exchange: Exchange, address: str, why: str) -> Decision | None:
        """Lines of a result that say most; None where that saves too little or the result may not be inlined."""
        block, text = exchange.result, self._excerpt(exchange, address)
        is_useful = text and self._ruler.text(text) <= USEFUL * self._ruler.block(block)
        return _decision(block, text, address, why) if is_useful else None

    def _excerpt(self, exchange: Exchange, address: str) -> str:
        """The excerpt of a result in its mark; empty for none."""
        block = exchange.result
        if block.id not in self._known:
            is_big = _is_showable(block) and self._ruler.block(block) >= LEAST
            self._known[block.id] = self._made(block, exchange.use.tool) if is_big else None
        made = self._known[block.id]
        if made is None:
            return ""
        lines = f"{made.shown_lines}/{made.total_lines}"
        return marks.wrap("excerpt", made.text, of=block.id, lines=lines, **self._mark(block, address))

    def line_of_unshowable(self, exchange: Exchange, address: str, why: str) -> Decision | None:
        """One line for a result nothing of which may be inlined: it holds images, or lines that read like ours."""
        return None if _is_showable(exchange.result) else self.line(exchange, address, why)

    def line(self, exchange: Exchange, address: str, why: str) -> Decision | None:
        """One line of ours with the size of a result."""
        block = exchange.result
        text = marks.wrap("excerpt", marks.gap(_size(block, self._ruler)), of=block.id, **self._mark(block, address))
        return _decision(block, text, address, why) if self._ruler.text(text) < self._ruler.block(block) else None

    def opening(self, exchange: Exchange, address: str, why: str, chars: int) -> Decision | None:
        """The first characters of a result, cut where no word or number is, and a line with how many there are more."""
        block = exchange.result
        if not _is_showable(block):
            return self.line(exchange, address, why)
        head = _opening(block.text, chars)
        more = marks.gap(f"{len(block.text) - len(head)} more characters")
        text = marks.wrap("excerpt", f"{head}\n{more}", of=block.id, **self._mark(block, address))
        return _decision(block, text, address, why) if self._ruler.text(text) < self._ruler.block(block) else None

    def parts(self, exchange: Exchange, address: str, why: str, scores: Sequence[float], least: float) -> Decision | None:
        """The parts of a long output whose scores reach `least`, verbatim in their order; None where that is none, or all."""
        block, lines = exchange.result, exchange.result.text.split("\n")
        kept = [score >= least for score in scores for _ in range(LINES)][: len(lines)]
        if not _is_showable(block) or not any(kept) or all(kept):
            return None
        shown: list[str] = []
        for stays, run in groupby(zip(kept, lines, strict=True), key=lambda one: one[0]):
            held = [line for _, line in run]
            shown += held if stays else [marks.gap(f"{len(held)} lines")]
        told = f"{sum(kept)}/{len(lines)}"
        text = marks.wrap("excerpt", "\n".join(shown), of=block.id, lines=told, **self._mark(block, address))
        return _decision(block, text, address, why) if self._ruler.text(text) <= USEFUL * self._ruler.block(block) else None

    def _mark(self, block: Block, address: str) -> Mapping[str, str]:
        return self._ruler.redeem.mark(block.id, address)

    def _made(self, block: Block, tool: str) -> Excerpt | None:
        """An excerpt measured by what the text's own characters come to in tokens, which is known.

        To count every try takes most of the time of a cut, and the room is no more than a share; what comes of it is counted.
        """
        total, lines = self._ruler.full(block) / self._ruler.factor, self._summary
        per_char = total / max(1, len(block.text))

        def count(part: str) -> int:
            return math.ceil(per_char * len(part))

        errors = lines.error_lines if isinstance(lines.error_lines, int) else None
        limit = int(USEFUL * total)
        by_lines = ends(block.text, head=lines.head, tail=lines.tail, errors=errors, limit=limit, count=count, tool=tool)
        return by_lines or make(block.text, limit=min(MOST, int(SHARE * total)), count=count, tool=tool)


def _opening(text: str, chars: int) -> str:
    """The beginning of a text up to white space or, failing that, to where no word is cut in two."""
    if len(text) <= chars:
        return text.rstrip()
    at = max(text.rfind(mark, chars // 2, chars + 1) for mark in (" ", "\n"))
    if at < 0:
        at = next((at for at in range(chars, chars // 2, -1) if not text[at - 1 : at + 1].isalnum()), chars)
    return text[:at].rstrip()


def _is_showable(block: Block) -> bool:
    return not block.media and marks.is_plain(block.text)


def _size(block: Block, ruler: Ruler) -> str:
    lines = block.text.count("\n") + 1
    media = f", {len(block.media)} × {block.media[0].mime}" if block.media else ""
    return f"{lines} lines, {ruler.full(block)} tokens{media}"


def _decision(block: Block, text: str, address: str, why: str) -> Decision:
    return shown_as(block.id, text, level=LEVEL, reason=why, pointer=address)
