"""Level extract: what old prose lays down becomes typed state, word for word; the prose itself folds (F-C6).

Calls and results of its steps stay: they are other levels' to take.
"""

from collections.abc import Sequence

import msgspec

from pumice.compact import extracted
from pumice.compact.laid import Laid, lay
from pumice.compact.layout import Brief, Layout
from pumice.compact.showing import smaller
from pumice.compact.split import CEILING, as_shown, split
from pumice.domain import marks
from pumice.domain.block import Block, Kind, Origin
from pumice.domain.decision import Outcome

LEVEL = "extract"
LEAST_SHARE = 0.1
"""Share of the target for what is extracted where nothing is left."""
STAYS = "of an old step only what was said folds"


def lay_out(brief: Brief, before: Layout) -> Layout:
    """Fold as much old prose as the target asks for, oldest first; show the rules and cards of all prose out of view."""
    layout = _folded(brief, before)
    laid = lay(brief, layout)
    room = _room(brief, laid.tokens)
    # What state holds of a person's words may stand there as superseded by later ones; a rule in them is not.
    said = "\n".join(part.text for part in laid.sections if part.name in ("pins", "words"))
    found = extracted.find(_hidden(brief, laid), said)
    section = extracted.section(found, _more(brief, before.first_whole, layout.first_whole), room, brief.ruler)
    if not section.text:
        return layout
    reasons = dict.fromkeys(section.sources, "old; its rules and facts stand in the preface")
    return msgspec.structs.replace(layout, sections=(*layout.sections, section), reasons={**layout.reasons, **reasons})


def _folded(brief: Brief, before: Layout) -> Layout:
    """The view without the old prose that has to go; as it was where that would save nothing."""
    first = _reach(brief, before)
    groups = brief.book.groups[before.first_whole : first]
    kinds = (Kind.CALL, Kind.RESULT, Kind.MEDIA)
    staying = {block.id: STAYS for group in groups for block in group.blocks if block.kind in kinds}
    pairs = {**before.pairs, **staying}
    after = msgspec.structs.replace(before, level=LEVEL, first_whole=first, pairs=pairs, standing=None)
    return msgspec.structs.replace(smaller(brief, before, after), level=LEVEL)


def _reach(brief: Brief, before: Layout) -> int:
    """Where the first group begins whose prose may stay; a person's words only change their place, so they save nothing."""
    last, ruler = split(brief, before).first, as_shown(brief, before)
    over = lay(brief, before).tokens + brief.policy.extract.tokens - brief.target
    at = before.first_whole
    while at < last and over > 0:
        told = filter(extracted.is_told, brief.book.groups[at].blocks)
        over -= sum(ruler.block(block) for block in told if block.origin is Origin.MODEL)
        at += 1
    return at


def _room(brief: Brief, spent: int) -> int:
    """Tokens for what is extracted; a view that is too big already is another level's to cut down, not at its cost."""
    left = round(CEILING * brief.limit) - spent
    return min(brief.policy.extract.tokens, left if left > 0 else round(LEAST_SHARE * brief.target))


def _hidden(brief: Brief, laid: Laid) -> list[Block]:
    """Prose that is out of view, oldest first, also what the client has replaced by its own summary."""
    gone = {one.block for one in laid.decisions if one.outcome in (Outcome.FOLD, Outcome.DROP)}
    before = [block for group in brief.book.before for block in group.blocks]
    here = [block for group in brief.book.groups for block in group.blocks if block.id in gone]
    return [block for block in (*before, *here) if extracted.is_told(block)]


def _more(brief: Brief, start: int, end: int) -> str:
    """One pointer to the prose that this level has folded."""
    groups = brief.book.groups[start:end]
    told: Sequence[str] = [block.id for group in groups for block in filter(extracted.is_told, group.blocks)]
    return marks.gap(f"what else was said: {'–'.join(dict.fromkeys((told[0], told[-1])))}") if told else ""
