"""Edits a client asks for, as decisions on blocks of a view: tool results and reasoning that give way, the oldest first.

Each is decided once: what was cleared stays so with the same bytes, and only what stands is measured against a trigger.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from pumice.compact import labels
from pumice.compact.cuts import begins_turn
from pumice.compact.exchanges import paired
from pumice.domain import marks, pointer
from pumice.domain.block import Block, Kind
from pumice.domain.decision import Decision, Outcome, shown_as
from pumice.domain.edits import ClearThinking, ClearTools, Edit, Edited, Measure
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group
from pumice.domain.redeem import Redeem

LEVEL = "edits"
"""What decisions made here are decided by."""
NO_INPUT = "{}"
"""What stands for cleared arguments."""
_AWAY = (Outcome.FOLD, Outcome.DROP)


class Scene(msgspec.Struct, frozen=True):
    """A view that edits are applied to."""

    groups: Sequence[Group]
    uses: Mapping[str, ToolUse]
    decisions: Mapping[str, Decision]
    """What holds for blocks that do not stand in their own bytes."""
    whole: Callable[[Block], int]
    """Calibrated tokens of a block in its own bytes."""
    shown: Callable[[str], int | None]
    """Calibrated tokens of the text that stands for a block, by its id, where that has been counted."""
    count: Callable[[str], int]
    """Calibrated tokens of a new text of ours."""
    total: int
    """Of the complete request as it stands."""
    redeem: Redeem
    binds: bool
    """The model binds reasoning to its prefix: of turns that stay none may have lost it before them (K-A36)."""

    def is_cleared(self, block: Block) -> bool:
        """Whether an edit has cleared a block."""
        found = self.decisions.get(block.id)
        return found is not None and found.level == LEVEL

    def is_away(self, block: Block) -> bool:
        """Whether nothing stands at a block's place."""
        found = self.decisions.get(block.id)
        return found is not None and found.outcome in _AWAY

    def size(self, block: Block, made: Decision | None) -> int:
        """Tokens of a block under a decision, its overhead included."""
        if made is None or made.outcome in (Outcome.KEEP, Outcome.PLACED):
            return self.whole(block)
        known = self.shown(block.id) if made is self.decisions.get(block.id) else None
        return known if known is not None else 0 if made.text is None else self.count(made.text)

    def pairs(self) -> Iterator[tuple[Block, Block]]:
        """Tool calls with their results, as far as they stand, the oldest first."""
        found = (pair for group in self.groups for pair in paired(group))
        return (pair for pair in found if not any(map(self.is_away, pair)))

    def turns(self) -> Iterator[list[Block]]:
        """The reasoning that stands in each turn that has any (K-A30)."""
        turn: list[Block] = []
        for group in self.groups:
            if begins_turn(group) and turn:
                yield turn
                turn = []
            turn += [block for block in group.blocks if block.kind is Kind.REASONING and not self.is_away(block)]
        yield from [turn] if turn else []


def decide(scene: Scene, edits: Sequence[Edit]) -> dict[str, Decision]:
    """New decisions by block, of one edit after another; none where no trigger is reached."""
    made: dict[str, Decision] = {}
    blocks = {block.id: block for group in scene.groups for block in group.blocks}
    for edit in edits:
        found = dict(_tools(scene, edit) if isinstance(edit, ClearTools) else _thinking(scene, edit))
        made |= found
        freed = sum(_freed(scene, blocks[name], one) for name, one in found.items())
        scene = msgspec.structs.replace(scene, decisions={**scene.decisions, **found}, total=scene.total - freed)
    return made


def edited(scene: Scene) -> tuple[Edited, ...]:
    """What edits have cleared of a view, now and before."""
    blocks = [block for group in scene.groups for block in group.blocks if scene.is_cleared(block)]
    found = [Edited(True, sum(block.kind is Kind.RESULT for block in blocks), _saved(scene, blocks, is_reasoning=False))]
    found.append(Edited(False, sum(1 for _ in _thoughtless(scene)), _saved(scene, blocks, is_reasoning=True)))
    return tuple(one for one in found if one.count)


def _tools(scene: Scene, edit: ClearTools) -> Iterator[tuple[str, Decision]]:
    standing = [pair for pair in scene.pairs() if not scene.is_cleared(pair[1])]
    reached = len(standing) if edit.trigger.of is Measure.USES else scene.total
    if reached <= edit.trigger.value:
        return
    old = standing[: max(0, len(standing) - edit.keep)]
    made = [one for pair in old if pair[0].tool not in edit.exclude for one in _cleared(scene, edit, *pair)]
    if edit.at_least <= sum(_freed(scene, block, one) for block, one in made):
        yield from ((block.id, one) for block, one in made)


def _cleared(scene: Scene, edit: ClearTools, call: Block, result: Block) -> Iterator[tuple[Block, Decision]]:
    why = "cleared as the client asked"
    address = pointer.artifact(result.id)
    text = marks.wrap("cleared", labels.label((call, result), scene.uses), **scene.redeem.mark(result.id, address))
    yield result, shown_as(result.id, text, level=LEVEL, reason=why, pointer=address)
    if edit.clears_input(call.tool):
        yield call, shown_as(call.id, NO_INPUT, level=LEVEL, reason=why, pointer=pointer.artifact(call.id))


def _thinking(scene: Scene, edit: ClearThinking) -> Iterator[tuple[str, Decision]]:
    """Where the model binds its reasoning nothing goes: what stays behind it would no longer stand for its prefix."""
    if edit.keep is None or scene.binds:
        return
    turns = list(scene.turns())
    for block in (block for turn in turns[: max(0, len(turns) - edit.keep)] for block in turn):
        yield block.id, Decision(block.id, Outcome.DROP, LEVEL, "reasoning cleared as the client asked")


def _thoughtless(scene: Scene) -> Iterator[None]:
    """One for each turn whose reasoning was cleared."""
    is_counted = False
    for group in scene.groups:
        is_counted = is_counted and not begins_turn(group)
        has_lost = any(block.kind is Kind.REASONING and scene.is_cleared(block) for block in group.blocks)
        if has_lost and not is_counted:
            yield None
        is_counted = is_counted or has_lost


def _freed(scene: Scene, block: Block, made: Decision) -> int:
    return scene.size(block, scene.decisions.get(block.id)) - scene.size(block, made)


def _saved(scene: Scene, blocks: Iterable[Block], *, is_reasoning: bool) -> int:
    mine = (block for block in blocks if (block.kind is Kind.REASONING) is is_reasoning)
    return max(0, sum(scene.whole(block) - scene.size(block, scene.decisions[block.id]) for block in mine))
