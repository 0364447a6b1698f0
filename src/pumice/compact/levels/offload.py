"""Level offload: everything old folds to pointers, and the best single lines come back (frontier §5.5)."""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from pumice.compact import choose, cuts, digest, keep, labels
from pumice.compact.economics import scarcity
from pumice.compact.labels import Unit
from pumice.compact.levels.level import Brief, Layout
from pumice.compact.section import Section, assemble
from pumice.compact.shrink import shrink
from pumice.compact.standing import standing
from pumice.domain.decision import Decision

LEVEL = "offload"
LINES_SHARE = 0.3
"""Share of the target that lines and labels get even when what must stay whole has used it up: without them a big result in
the last group would cost everything older its pointers."""
LINES_OF_OLD = 3
"""But at most one token in three of what folds."""
DEAREST = 3.0
"""Most the price of a line is raised where room is scarce."""
CEILING = 0.95
"""Share of the limit this may fill."""
_FRAME = 40
"""Tokens of the digest's marks and of range pointers between groups, roughly; the exact size is checked at the end."""


def lay_out(brief: Brief) -> Layout:
    """Fold what is old; spend what the protected leave of the target on labels, then on lines."""
    groups, ruler = brief.book.groups, brief.ruler
    kept = _protected(brief)
    old = groups[: kept.first_whole]
    fixed = standing(brief, old, groups[kept.first_whole :], kept.pairs)
    units = [
        unit
        for group in old
        for unit in labels.units(group, brief.book.uses, kept.pairs)
        if any(block.id not in fixed.said for block in unit.blocks)
    ]
    spent = kept.tokens + ruler.text(assemble(fixed.sections)) + _FRAME
    wanted = min(round(LINES_SHARE * brief.target), sum(ruler.blocks(unit.blocks) for unit in units) // LINES_OF_OLD)
    forms = _shrunk(brief, spent + wanted) if spent > round(CEILING * brief.limit) else {}
    spent -= sum(ruler.block(block) - ruler.shown(block, forms[block.id]) for block in groups[-1].blocks if block.id in forms)
    room = max(brief.target, min(round(CEILING * brief.limit), spent + wanted)) - spent
    chosen = _choose(brief, units, room, dearness=min(DEAREST, scarcity(spent + wanted, brief.room) ** 0.25))
    body = digest.render(units, chosen)
    sections = (*fixed.sections, Section("digest", body, tuple(block.id for unit in units for block in unit.blocks)))
    return Layout(LEVEL, kept.first_whole, kept.pairs, forms, sections, _reasons(units, chosen, fixed.said), fixed.warnings)


def _protected(brief: Brief) -> keep.Kept:
    groups, policy = brief.book.groups, brief.policy
    return keep.protect(
        groups,
        brief.book.uses,
        brief.ruler,
        keep=policy.keep,
        images=policy.media.images,
        room=brief.target,
        legal=lambda at: cuts.legal_before(groups, brief.book.state, at),
        turn=cuts.turn_before(groups, len(groups) - 1) if brief.at_turn else None,
    )


def _shrunk(brief: Brief, wanted: int) -> Mapping[str, Decision]:
    """Excerpts for a last group that does not fit, so that it does, with lines of what is older besides."""
    group = brief.book.groups[-1]
    reads = [block.id for block in group.blocks if keep.is_file_read(block, brief.book.uses)]
    over = wanted - round(CEILING * brief.limit)
    return shrink(group, over, brief.ruler, LEVEL, spare=reads[-1] if reads else "")


def _choose(brief: Brief, units: Sequence[Unit], room: int, *, dearness: float) -> digest.Selection:
    costs = brief.ruler.inline([unit.label for unit in units])
    labelled = choose.labels_within(units, costs, brief.policy.pointers.share * room)
    policy = msgspec.structs.replace(brief.policy.lines, price=brief.policy.lines.price * dearness)
    left = room - sum(costs[at] for at in labelled)
    return choose.choose(brief.book.lines, units, labelled, costs, brief.ruler, policy=policy, room=left)


def _reasons(units: Sequence[Unit], chosen: digest.Selection, said: Collection[str]) -> Mapping[str, str]:
    reasons = dict.fromkeys(said, "old; its words stand in the preface")
    for at, unit in enumerate(units):
        for block in unit.blocks:
            if block.id in chosen.whole:
                reasons[block.id] = "old; whole in the digest"
            elif block.id in chosen.lines:
                reasons[block.id] = f"old; {len(chosen.lines[block.id])} best lines in the digest"
            elif at in chosen.labelled:
                reasons[block.id] = "old; label in the digest"
    return reasons
