"""What stays in the preface of exchanges taken out one by one: their range, and a label for what changed something."""

from collections.abc import Sequence

from pumice.compact import choose, labels
from pumice.compact.exchanges import Exchange
from pumice.compact.labels import Unit
from pumice.compact.layout import Brief
from pumice.compact.section import Section
from pumice.domain import marks


def digest_of(brief: Brief, gone: Sequence[Exchange], said: str = "") -> Section:
    """Their pointers below a line of ours; what changed something keeps a label of its own while room lasts (F-B4)."""
    units = [_unit(brief, exchange) for exchange in gone if not exchange.can_be_repeated]
    costs = brief.ruler.inline([unit.label for unit in units])
    labelled = choose.labels_within(units, costs, brief.policy.pointers.share * brief.target)
    span = marks.gap(f"{gone[0].call.id}–{gone[-1].result.id}") if gone else ""
    lines = [said, span, *(units[at].label for at in sorted(labelled))]
    names = tuple(block.id for exchange in gone for block in exchange.blocks)
    return Section("digest", "\n".join(filter(None, lines)), names)


def _unit(brief: Brief, exchange: Exchange) -> Unit:
    return Unit(exchange.position, exchange.blocks, labels.label(exchange.blocks, brief.book.uses), "")
