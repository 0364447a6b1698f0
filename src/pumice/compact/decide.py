"""Turn a layout into one decision for every block of the path, and count what they show."""

from collections.abc import Sequence

import msgspec

from pumice.compact import turns
from pumice.compact.layout import Brief, Layout
from pumice.domain import marks, pointer
from pumice.domain.block import Block, Kind
from pumice.domain.book import Book, Size
from pumice.domain.decision import Decision, Outcome


def decisions(book: Book, layout: Layout, *, strips_reasoning: bool) -> tuple[Decision, ...]:
    """One decision per block, in order; a call and its results share their fate."""
    plan = _Plan(book, layout, strips_reasoning, turns.running(book.groups, layout), left_out(book))
    return tuple(plan.of(position, block) for position, group in enumerate(book.groups) for block in group.blocks)


def left_out(book: Book) -> frozenset[str]:
    """Reasoning the live view shows the rest of a message without."""
    if book.epoch.cut is None:
        return frozenset()
    made = {one.block: one.outcome for one in book.epoch.cut.decisions}
    shown = {name for name, outcome in made.items() if outcome not in (Outcome.FOLD, Outcome.DROP)}
    nodes = (node for group in book.groups for node in group.nodes if any(block.id in shown for block in node.blocks))
    blocks = (block for node in nodes for block in node.blocks if block.kind is Kind.REASONING)
    return frozenset(block.id for block in blocks if made.get(block.id) is Outcome.DROP)


def size(brief: Brief, made: Sequence[Decision], preface: str) -> Size:
    """Size of the view, preface and kept blocks, as the engine counts it: summed first, calibrated once."""
    shown = [brief.book.sizes[one.block] for one in made if one.outcome is Outcome.KEEP]
    ours = [one.text for one in made if one.outcome is Outcome.EXCERPT and one.text is not None]
    ours += [preface] if preface else []
    shown += [Size(tokens) for tokens in brief.ruler.count_many(ours)]
    return Size(sum(one.text for one in shown), sum(one.fixed for one in shown))


class _Plan(msgspec.Struct, frozen=True):
    book: Book
    layout: Layout
    strips: bool
    turn: int
    """Position from which reasoning stays whatever a level has decided, since its turn is not over."""
    gone: frozenset[str]
    """Reasoning that a message was shown without: it never comes back to it, since its turn may not be over by now."""

    def of(self, position: int, block: Block) -> Decision:
        if block.stays:
            return Decision(block.id, Outcome.KEEP, self.layout.level, "what it holds stands nowhere else")
        if block.kind is Kind.REASONING:
            return self._reasoning(position, block)
        form = self.book.forms.get(block.id)
        if form is not None and form.level == marks.SEALED:
            return form
        if not self.layout.folds(position):
            is_newest = position >= self.layout.first_whole
            return self._stays(block, "in the newest groups" if is_newest else "in the first groups")
        if block.id in self.layout.pairs:
            return self._stays(block, self.layout.pairs[block.id])
        if block.kind is Kind.OPAQUE and self._is_part_kept(position):
            return self._stays(block, "belongs to a step that stays in part")
        return _away(block, self.layout)

    def _reasoning(self, position: int, block: Block) -> Decision:
        """Reasoning goes with its step; it stays with whatever stays of that, since the turn may not be over (K-A30)."""
        is_last = position == len(self.book.groups) - 1
        if self.layout.folds(position) and not self._is_part_kept(position):
            return Decision(block.id, Outcome.DROP, self.layout.level, "reasoning of a folded step")
        if self.strips and not is_last:
            return Decision(block.id, Outcome.DROP, self.layout.level, "reasoning bound to a prefix that has changed")
        if block.id in self.gone:
            return Decision(block.id, Outcome.DROP, self.layout.level, "reasoning its step was shown without before")
        why, is_given_up = "reasoning of a step that stays", block.id in self.layout.forms
        if is_given_up and position >= self.turn and self._is_accompanied(position, block):
            return Decision(block.id, Outcome.KEEP, self.layout.level, why)
        return self._stays(block, why)

    def _is_accompanied(self, position: int, block: Block) -> bool:
        """Whether anything but reasoning is shown of a block's message."""
        node = next(node for node in self.book.groups[position].nodes if block in node.blocks)
        others = (other for other in node.blocks if other.kind is not Kind.REASONING)
        return any(self.of(position, other).outcome not in (Outcome.FOLD, Outcome.DROP) for other in others)

    def _is_part_kept(self, position: int) -> bool:
        return any(block.id in self.layout.pairs for block in self.book.groups[position].blocks)

    def _stays(self, block: Block, reason: str) -> Decision:
        form = self.layout.forms.get(block.id) or self.book.forms.get(block.id)
        return form or Decision(block.id, Outcome.KEEP, self.layout.level, reason)


def _away(block: Block, layout: Layout) -> Decision:
    if block.kind is Kind.REASONING:
        return Decision(block.id, Outcome.DROP, layout.level, "reasoning of a folded step")
    if not block.text and not block.media and block.kind not in (Kind.CALL, Kind.RESULT):
        return Decision(block.id, Outcome.DROP, layout.level, "shows nothing")
    reason = layout.reasons.get(block.id, "old; in a range pointer")
    return Decision(block.id, Outcome.FOLD, layout.level, reason, pointer=pointer.artifact(block.id))
