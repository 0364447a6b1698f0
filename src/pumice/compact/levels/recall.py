"""Level recall: what is old folds, and passages of it come back by how well they answer what is asked now (F-C6)."""

from collections.abc import Mapping, Sequence

import msgspec

from pumice.compact import digest, labels, passages, words
from pumice.compact.laid import lay
from pumice.compact.layout import Brief, Layout
from pumice.compact.passages import Found, Passage
from pumice.compact.section import Section
from pumice.compact.shrink import shrink_all
from pumice.compact.split import CEILING, as_shown, split
from pumice.domain import marks
from pumice.domain.block import Block, Origin
from pumice.domain.decision import Outcome

LEVEL = "recall"
OF_OLD = 3
"""Where nothing is left of the target, one token in three of what folds may come back."""
ASKED_CHARS, STEP_CHARS = 2_000, 1_500
"""Characters of the newest words and of the newest step that are looked for."""
_FRAME = 60
"""Tokens of the marks and of the line that says how many passages there are."""


def lay_out(brief: Brief, before: Layout) -> Layout:
    """Fold what is old, then spend the share of the target on the passages that answer best."""
    layout = _folded(brief, before)
    if not layout.old(brief.book.groups):
        return msgspec.structs.replace(before, level=LEVEL)
    laid = lay(brief, layout)
    room = _room(brief, laid.tokens, before)
    gone = {one.block for one in laid.decisions if one.outcome is Outcome.FOLD}
    hidden = [block for group in brief.book.groups for block in group.blocks if block.id in gone]
    found = passages.find([block for block in hidden if marks.is_clean(block.text)], _query(brief))
    chosen = _within(brief, found.best, room, laid.preface)
    if not chosen:
        return layout
    section = Section("recalled", _text(brief, chosen, found), tuple(dict.fromkeys(one.block.id for one in chosen)))
    reasons = {one.block.id: "old; passages of it were recalled" for one in chosen}
    return msgspec.structs.replace(layout, sections=(*layout.sections, section), reasons={**layout.reasons, **reasons})


def _folded(brief: Brief, before: Layout) -> Layout:
    """The view without what is old; where even that is too big, the last steps give some as excerpts."""
    groups = brief.book.groups
    chosen = split(brief, before)
    if (chosen.first, chosen.pairs) == (before.first_whole, before.pairs):
        return msgspec.structs.replace(before, level=LEVEL)
    carried = [part for part in before.sections if part.name != "digest"]
    layout = msgspec.structs.replace(
        before,
        level=LEVEL,
        head=chosen.head,
        first_whole=chosen.first,
        pairs=chosen.pairs,
        standing=None,
        sections=(*carried, digest.span(chosen.old(groups))),
    )
    over = lay(brief, layout).tokens - round(CEILING * brief.limit)
    forms = shrink_all(groups[chosen.first :], over, as_shown(brief, before), LEVEL)
    return msgspec.structs.replace(layout, forms={**before.forms, **forms})


def _room(brief: Brief, spent: int, before: Layout) -> int:
    """Tokens for passages: the policy's share of the target while that is not used up."""
    share = round(brief.policy.recall.share * brief.target)
    freed = lay(brief, before).tokens - spent
    least = min(share, freed // OF_OLD, round(CEILING * brief.limit) - spent)
    return min(share, max(brief.target - spent, least)) - _FRAME


def _query(brief: Brief) -> str:
    """What is asked now: the focus of a compaction by hand, the newest words, what the newest step says and does."""
    groups = brief.book.groups
    asked = [words.shown(block) for block in words.typed(groups)][-1:]
    step = next((group for group in reversed(groups) if not group.is_user), None)
    said = [block for block in step.blocks if block.origin is Origin.MODEL and block.text] if step else []
    parts = [*sorted(brief.book.focus), *(text[:ASKED_CHARS] for text in asked), *(block.text[:STEP_CHARS] for block in said)]
    return "\n".join(parts)


def _within(brief: Brief, best: Sequence[Passage], room: int, preface: str) -> list[Passage]:
    """The best passages that fit and do not stand in the preface anyway, in the order of the session."""
    chosen: list[Passage] = []
    for one in best:
        if len(chosen) == brief.policy.recall.passages:
            break
        if one.text.strip() in preface:
            continue
        [cost] = brief.ruler.inline([_shown(brief, one)])
        if cost <= room:
            room -= cost
            chosen.append(one)
    places = _places(brief)
    return sorted(chosen, key=lambda one: (places[one.block.id], one.pieces[0].start))


def _text(brief: Brief, chosen: Sequence[Passage], found: Found) -> str:
    """The passages under their labels, and that there is more (F-B10)."""
    more = (
        f"{len(chosen)} of {found.total} passages shown, ranked by BM25 on the newest words and calls; ask for more with search"
    )
    lines = [marks.gap(more)]
    named: Block | None = None
    for one in chosen:
        lines += [_label(brief, one.block)] if one.block is not named else []
        lines += _lines(one)
        named = one.block
    return "\n".join(lines)


def _shown(brief: Brief, one: Passage) -> str:
    return "\n".join((_label(brief, one.block), *_lines(one)))


def _label(brief: Brief, block: Block) -> str:
    return labels.label((block,), brief.book.uses)


def _lines(one: Passage) -> list[str]:
    return [digest.line_text(one.block, piece) for piece in one.pieces]


def _places(brief: Brief) -> Mapping[str, int]:
    return {block.id: at for at, block in enumerate(block for group in brief.book.groups for block in group.blocks)}
