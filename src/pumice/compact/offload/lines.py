"""Style `lines`: everything old folds to pointers, and the best single lines come back (frontier §5.5)."""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from pumice.compact import choose, digest, keep, labels
from pumice.compact.economics import scarcity
from pumice.compact.labels import Unit
from pumice.compact.layout import Brief, Layout
from pumice.compact.section import Section, assemble
from pumice.compact.shrink import shrink
from pumice.compact.split import CEILING, protected
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
_FRAME = 40
"""Tokens of the digest's marks and of range pointers between groups, roughly; the exact size is checked at the end."""


class _Share(msgspec.Struct, frozen=True):
    """What labels and lines may cost."""

    room: int
    dearness: float
    """Times the policy's price of a line."""
    forms: Mapping[str, Decision]
    """Excerpts in the last group that make this room, where it needs any."""


def lay_out(brief: Brief, before: Layout) -> Layout:
    """Fold what is old; spend what the protected leave of the target on labels, then on lines."""
    kept = protected(brief, brief.ruler)
    old, tail = brief.book.groups[: kept.first_whole], brief.book.groups[kept.first_whole :]
    fixed = standing(brief, old, tail, kept.pairs, before.forms)
    folded = _folded(brief, kept, fixed.said)
    spent = kept.tokens + brief.ruler.text(assemble((*fixed.sections, *before.sections))) + _FRAME
    share = _share(brief, spent, sum(brief.ruler.blocks(unit.blocks) for unit in folded))
    units, chosen = _choose(brief, folded, _excerpted(brief, kept), share)
    if share.forms:  # a rule that an excerpt leaves out of a person's words stands in the preface
        fixed = standing(brief, old, tail, kept.pairs, {**before.forms, **share.forms})
    body = Section("digest", digest.render(units, chosen), tuple(block.id for unit in units for block in unit.blocks))
    reasons = {**dict.fromkeys(fixed.said, "old; its words stand in the preface"), **_reasons(units, chosen)}
    return Layout(
        LEVEL,
        first_whole=kept.first_whole,
        pairs=kept.pairs,
        forms={**before.forms, **share.forms},
        standing=fixed.sections,
        sections=(*before.sections, body),
        reasons=reasons,
        is_enough=True,
        warnings=(*before.warnings, *fixed.warnings),
        summary=before.summary,
        asks=before.asks,
        artifacts=before.artifacts,
    )


def _folded(brief: Brief, kept: keep.Kept, said: Collection[str]) -> list[Unit]:
    """What folds, but for words that stand in the preface."""
    old = brief.book.groups[: kept.first_whole]
    found = (unit for group in old for unit in labels.units(group, brief.book.uses, kept.pairs))
    return [unit for unit in found if any(block.id not in said for block in unit.blocks)]


def _excerpted(brief: Brief, kept: keep.Kept) -> list[Unit]:
    """Results that stay, but as excerpts: what those leave out may come back too."""
    book = brief.book
    return [
        unit
        for group in book.groups[kept.first_whole :]
        for unit in labels.units(group, book.uses, [block.id for block in group.blocks if block.id not in book.forms])
    ]


def _share(brief: Brief, spent: int, folding: int) -> _Share:
    """The room besides `spent` tokens; where there is none, the last group gives some."""
    ruler, ceiling = brief.ruler, round(CEILING * brief.limit)
    wanted = min(round(LINES_SHARE * brief.target), folding // LINES_OF_OLD)
    forms: Mapping[str, Decision] = {}
    if spent > ceiling:
        group = brief.book.groups[-1]
        reads = [block.id for block in group.blocks if keep.is_file_read(block, brief.book.uses)]
        forms = shrink(group, spent + wanted - ceiling, ruler, LEVEL, spare=reads[-1] if reads else "")
        spent -= sum(ruler.block(block) - ruler.shown(block, forms[block.id]) for block in group.blocks if block.id in forms)
    room = max(brief.target, min(ceiling, spent + wanted)) - spent
    return _Share(room, min(DEAREST, scarcity(spent + wanted, brief.room) ** 0.25), forms)


def _choose(
    brief: Brief, folded: Sequence[Unit], excerpted: Sequence[Unit], share: _Share
) -> tuple[Sequence[Unit], digest.Selection]:
    """The units that are shown or pointed at, and what is shown of them."""
    units = [*folded, *excerpted]
    costs = brief.ruler.inline([unit.label for unit in units])
    labelled = choose.labels_within(folded, costs, brief.policy.pointers.share * share.room)
    policy = msgspec.structs.replace(brief.policy.lines, price=brief.policy.lines.price * share.dearness)
    shown = {block.id: brief.book.forms[block.id].text or "" for unit in excerpted for block in unit.blocks}
    left = share.room - sum(costs[at] for at in labelled)
    chosen = choose.choose(
        brief.book.lines,
        units,
        labelled,
        costs,
        brief.ruler,
        policy=policy,
        room=left,
        shown=shown,
        focus=brief.book.focus,
    )
    speaking = [unit for unit in excerpted if any(digest.shows(block, chosen) for block in unit.blocks)]
    return [*folded, *speaking], chosen


def _reasons(units: Sequence[Unit], chosen: digest.Selection) -> dict[str, str]:
    reasons: dict[str, str] = {}
    for at, unit in enumerate(units):
        for block in unit.blocks:
            if block.id in chosen.whole:
                reasons[block.id] = "old; whole in the digest"
            elif block.id in chosen.lines:
                reasons[block.id] = f"old; {len(chosen.lines[block.id])} best lines in the digest"
            elif at in chosen.labelled:
                reasons[block.id] = "old; label in the digest"
    return reasons
