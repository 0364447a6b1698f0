"""Turn a layout into one decision for every block of the path, and count what they show."""

from collections.abc import Iterator, Sequence

from pumice.compact.levels.level import Brief, Layout
from pumice.domain import pointer
from pumice.domain.block import Block, Kind
from pumice.domain.book import Book, Size
from pumice.domain.decision import Decision, Outcome
from pumice.domain.group import Group


def decisions(book: Book, layout: Layout, *, strips_reasoning: bool) -> tuple[Decision, ...]:
    """One decision per block, in order; a call and its results share their fate."""
    return tuple(
        decision
        for position, group in enumerate(book.groups)
        for decision in _of_group(book, layout, position, group, strips=strips_reasoning)
    )


def size(brief: Brief, made: Sequence[Decision], preface: str) -> Size:
    """Size of the view, preface and kept blocks, as the engine counts it: summed first, calibrated once."""
    shown = [brief.book.sizes[one.block] for one in made if one.outcome is Outcome.KEEP]
    ours = [one.text for one in made if one.outcome is Outcome.EXCERPT and one.text is not None]
    ours += [preface] if preface else []
    shown += [Size(tokens) for tokens in brief.ruler.count_many(ours)]
    return Size(sum(one.text for one in shown), sum(one.fixed for one in shown))


def _of_group(book: Book, layout: Layout, position: int, group: Group, *, strips: bool) -> Iterator[Decision]:
    is_whole = position >= layout.first_whole
    is_last = position == len(book.groups) - 1
    for block in group.blocks:
        if not is_whole and block.id not in layout.pairs:
            yield _away(block, layout)
        elif is_whole and block.kind is Kind.REASONING and strips and not is_last:
            yield Decision(block.id, Outcome.DROP, layout.level, "reasoning bound to a prefix that has changed")
        else:
            yield _stays(book, layout, block, layout.pairs.get(block.id, "in the newest groups"))


def _stays(book: Book, layout: Layout, block: Block, reason: str) -> Decision:
    form = layout.forms.get(block.id) or book.forms.get(block.id)
    return form or Decision(block.id, Outcome.KEEP, layout.level, reason)


def _away(block: Block, layout: Layout) -> Decision:
    if block.kind is Kind.REASONING:
        return Decision(block.id, Outcome.DROP, layout.level, "reasoning of a folded step")
    if not block.text and not block.media and block.kind not in (Kind.CALL, Kind.RESULT):
        return Decision(block.id, Outcome.DROP, layout.level, "shows nothing")
    reason = layout.reasons.get(block.id, "old; in a range pointer")
    return Decision(block.id, Outcome.FOLD, layout.level, reason, pointer=pointer.artifact(block.id))
