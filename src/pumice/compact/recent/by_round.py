"""Tool rounds: the newest stay whole, older calls go with their results, what was said stays (F-C3)."""

from collections.abc import Iterator, Sequence
from itertools import groupby, islice

import msgspec

from pumice.compact import exchanges, fixed, taken
from pumice.compact.exchanges import Exchange
from pumice.compact.laid import lay
from pumice.compact.layout import Brief, Layout
from pumice.compact.recent.ends import GAP, LEVEL, RESERVED, rounds
from pumice.compact.section import Section
from pumice.compact.showing import Showing


def tool_rounds(brief: Brief, before: Layout) -> Layout:
    """Without the calls of all but the policy's number of newest rounds; without a number, of as many as it takes."""
    found, end = exchanges.standing(brief.book.groups, brief.book.uses, before), _end(brief, before)
    may_go = [exchange for exchange in found if exchange.may_go and exchange.position < end]
    gone = may_go if brief.policy.recent.tool_rounds is not None else list(_enough(brief, before, may_go))
    if not gone:
        return before
    forms = {**before.forms, **exchanges.folded(gone, level=LEVEL, reason="of an older tool round")}
    forms = exchanges.swept(before.kept(brief.book.groups), forms, level=LEVEL)
    return msgspec.structs.replace(before, level=LEVEL, forms=forms, sections=(*before.sections, _digest(brief, gone)))


def _end(brief: Brief, before: Layout) -> int:
    """Position of the oldest round that stays: of the policy's number as many as the window bears, the newest always."""
    showing, left, end = Showing(brief, before), fixed.most(brief), 0
    for count, place in enumerate(islice(rounds(brief.book.groups), max(1, brief.policy.recent.tool_rounds or 1))):
        left -= showing.group(brief.book.groups[place])
        if count and left < 0:
            break
        end = place
    return end


def _enough(brief: Brief, before: Layout, held: Sequence[Exchange]) -> Iterator[Exchange]:
    """The exchanges of the oldest rounds, as many as reach the target."""
    showing = Showing(brief, before)
    over = lay(brief, before).tokens + RESERVED - round((1 - brief.policy.pointers.share) * brief.target)
    for _, round_ in groupby(held, key=lambda exchange: exchange.position):
        if over <= 0:
            return
        for exchange in round_:
            over -= sum(map(showing.block, exchange.blocks))
            yield exchange


def _digest(brief: Brief, gone: Sequence[Exchange]) -> Section:
    """Where what went can be read back; of a plain window only that something went."""
    return Section("note", GAP) if brief.policy.keep.pins == "none" else taken.digest_of(brief, gone)
