"""What a cut took out of view, level by level, and which names that matter stand nowhere any more (F-G1)."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from pumice.commit import effects
from pumice.commit.effects import Does
from pumice.compact import conclusion
from pumice.compact.values import KINDS
from pumice.compile.assemble import form
from pumice.compile.manifest import Record, decision_of
from pumice.domain.block import Block, Kind, Origin
from pumice.domain.decision import Decision, Outcome
from pumice.domain.manifest import Manifest
from pumice.measure import entities

NAMED = 10
"""Lost names that are listed, the most important."""


class Loss(msgspec.Struct, frozen=True):
    """What one level took out; of blocks that stand as an excerpt, what that leaves out."""

    level: str
    folded: int
    """Blocks that are only pointed at."""
    dropped: int
    excerpted: int
    lost: int
    """Names a person, the model or a sub-agent used that stood there and stand nowhere in view now; all can be read back."""
    names: tuple[str, ...] = ()
    """The most important of them."""


def of(record: Record) -> tuple[Loss, ...]:
    """The losses of a call's epoch by level, in the order the levels ran; empty before the first cut.

    Names used only by tools are no losses: nobody has needed them; what a sub-agent has found are a model's own words. Reads
    every text of the path: ask for it when you want it.
    """
    cut = record.cut
    if cut is None:
        return ()
    planned = {decision.block: decision for decision in cut.decisions}
    here = ((block, at) for at, node in enumerate(record.nodes) for block in node.blocks)
    path = [(block, decision_of(block, at, cut, planned, record.forms)) for block, at in here]
    shown = "\n".join((cut.preface, *(form(block, decision) or "" for block, decision in path)))
    missing = [(name, worth) for name, worth in _used([block for block, _ in path]).items() if name not in shown]
    missing.sort(key=lambda pair: (-pair[1], pair[0]))
    order = dict.fromkeys([*(step.level for step in cut.steps), *(one.level for _, one in path if one is not None)])
    found = (_loss(level, [(block, one) for block, one in path if one and one.level == level], missing) for level in order)
    return tuple(loss for loss in found if loss.folded or loss.dropped or loss.excerpted)


def told(manifest: Manifest, losses: Sequence[Loss]) -> Manifest:
    """The manifest with what each level of its epoch's cut has lost."""
    figures, by_level = manifest.economics, {loss.level: loss for loss in losses}
    if figures is None:
        return manifest
    rows = tuple(
        msgspec.structs.replace(row, lost=by_level[row.level].lost, names=by_level[row.level].names)
        if row.level in by_level
        else row
        for row in figures.levels
    )
    return msgspec.structs.replace(manifest, economics=msgspec.structs.replace(figures, levels=rows))


def _loss(level: str, left: Sequence[tuple[Block, Decision]], missing: Sequence[tuple[str, float]]) -> Loss:
    counts = Counter(decision.outcome for _, decision in left)
    gone = "\n".join(block.text for block, decision in left if decision.outcome is not Outcome.KEEP)
    names = [name for name, _ in missing if name in gone]
    return Loss(level, counts[Outcome.FOLD], counts[Outcome.DROP], counts[Outcome.EXCERPT], len(names), tuple(names[:NAMED]))


def _used(blocks: Sequence[Block]) -> dict[str, float]:
    """Names in what a person or a model wrote, each with how often and of what kind: what it is worth."""
    worth: dict[str, float] = {}
    asked = {block.call_id for block in blocks if block.kind is Kind.CALL and effects.does(block) is Does.AGENT}
    for block in blocks:
        is_report = block.kind is Kind.RESULT and block.call_id in asked
        is_voice = block.origin in (Origin.PERSON, Origin.MODEL)
        text = conclusion.findings(block) if is_report else block.text if is_voice else ""
        for name, kind in {entity.text: entity.kind for entity in entities.find(text)}.items():
            worth[name] = worth.get(name, 0.0) + KINDS[kind]
    return worth
