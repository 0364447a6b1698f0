"""Edits of a lane's history that its client asks for: each clearing is an epoch of its own, on record like any cut.

In place of a provider that would do it (F-H3): decided once, shown with the same bytes ever after.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from pumice.compact import clearing
from pumice.compact.clearing import LEVEL, Scene
from pumice.compact.cuts import begins_turn
from pumice.compact.economics import pulse_after
from pumice.domain.block import Block, Kind
from pumice.domain.book import BLOCK_OVERHEAD, Size
from pumice.domain.decision import Cause, Cut, Decision, Outcome
from pumice.domain.edits import Edit, Edited
from pumice.domain.group import Group
from pumice.engine import journal, verify
from pumice.engine.lane import Lane
from pumice.engine.shown import Shown
from pumice.errors import Unprovable
from pumice.measure import models, tokens

if TYPE_CHECKING:
    from pumice.engine.case import Case


def run(case: "Case", edits: Sequence[Edit], total: int) -> None:
    """Clear what is due of a request of so many tokens; where that would break a rule, nothing."""
    lane = case.lane
    made = clearing.decide(_scene(lane, total + lane.unexplained()), edits) if edits else {}
    if not made:
        return
    cut = _cut(lane, made)
    shown = Shown(lane.branch, lane.dialect, cut, lane.coming)
    try:
        verify.prove(lane, case.request, shown)
    except Unprovable as error:
        case.write(journal.CutDropped(lane.name, str(error), lane.breaker))
        return
    cut = msgspec.structs.replace(cut, tokens=shown.size.tokens(lane.calibration.factor))
    pulse = pulse_after(cut, case.at, case.session.tree.spent.usd)
    case.session.read_back.clear()
    case.write(journal.CutEvent(lane.name, lane.epoch.number + 1, cut, pulse, lane.breaker))


def standing(lane: Lane) -> Mapping[str, Decision]:
    """What was cleared in the present epoch: a cut of another kind leaves it so."""
    return {one.block: one for one in lane.cut.decisions if one.level == LEVEL} if lane.cut is not None else {}


def edited(lane: Lane) -> tuple[Edited, ...]:
    """What has been cleared of what the lane shows."""
    return clearing.edited(_scene(lane, 0))


def _scene(lane: Lane, total: int) -> Scene:
    factor, texts = lane.calibration.factor, lane.shown.texts
    return Scene(
        groups=_groups(lane),
        uses=lane.branch.uses,
        decisions=_decisions(lane),
        whole=lambda block: lane.branch.sizes[block.id].tokens(factor),
        shown=lambda name: texts[name].tokens(factor) if name in texts else None,
        count=lambda text: Size(tokens.count(text), BLOCK_OVERHEAD).tokens(factor),
        total=total,
        redeem=lane.how,
        binds=models.facts(lane.model).binds_reasoning,
    )


def _groups(lane: Lane) -> tuple[Group, ...]:
    """Without the system messages in front: they are the head."""
    return lane.branch.groups[1:] if lane.branch.lead else lane.branch.groups


def _decisions(lane: Lane) -> dict[str, Decision]:
    found = ((block.id, lane.shown.decision(block.id, node.index)) for node in lane.branch.nodes for block in node.blocks)
    return {name: one for name, one in found if one is not None}


def _cut(lane: Lane, made: Mapping[str, Decision]) -> Cut:
    """The lane's view with some blocks shown otherwise, everything else as it stands."""
    held, before, groups = _decisions(lane), lane.cut, _groups(lane)
    binds = models.facts(lane.model).binds_reasoning
    bound = _bound(groups, made) if binds else frozenset()
    decisions = (made.get(block.id) or _as_it_stands(block, held, bound) for group in groups for block in group.blocks)
    return Cut(
        cause=Cause.REQUESTED,
        necessary=False,
        decisions=tuple(decisions),
        preface=before.preface if before else "",
        until=len(lane.branch.nodes),
        tokens=0,
        placed=before.placed if before else (),
        strips_reasoning=binds,
        summary=before.summary if before else None,
    )


def _bound(groups: Sequence[Group], made: Mapping[str, Decision]) -> frozenset[str]:
    """Reasoning behind the first change, which is bound to a prefix that is no more; that of the running turn stays (K-A30)."""
    first = next((at for at, group in enumerate(groups) if any(block.id in made for block in group.blocks)), len(groups))
    last = max((at for at, group in enumerate(groups) if begins_turn(group)), default=0)
    blocks = (block for group in groups[first:last] for block in group.blocks)
    return frozenset(block.id for block in blocks if block.kind is Kind.REASONING)


def _as_it_stands(block: Block, held: Mapping[str, Decision], bound: frozenset[str]) -> Decision:
    if block.id in bound:
        return Decision(block.id, Outcome.DROP, "edits_bound", "reasoning bound to a prefix that has changed")
    return held.get(block.id) or Decision(block.id, Outcome.KEEP, "", "stands as it came")
