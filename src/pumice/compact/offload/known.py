"""What level offload has decided in the lane's present epoch, and how its forms come into a layout."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pumice.compact import fitted
from pumice.compact.exchanges import Exchange
from pumice.compact.layout import Brief, Layout
from pumice.compact.offload.addresses import Addresses
from pumice.compact.offload.forms import LEVEL
from pumice.domain import pointer
from pumice.domain.decision import Decision, Outcome


def tombstones(brief: Brief, before: Layout, held: Sequence[Exchange]) -> dict[str, Decision]:
    """Forms of exchanges that still stand: results that were cut, pairs that went. They are not judged again."""
    cut = brief.book.epoch.cut
    decided = {one.block: one for one in (cut.decisions if cut else ()) if one.level in (LEVEL, fitted.LEVEL)}
    free = (exchange for exchange in held if not any(block.id in before.forms for block in exchange.blocks))
    return dict(pair for exchange in free for pair in _of(exchange, decided))


def _of(exchange: Exchange, decided: Mapping[str, Decision]) -> Iterator[tuple[str, Decision]]:
    made = [decided[block.id] for block in exchange.blocks if block.id in decided]
    outcomes = [one.outcome for one in made]
    if outcomes == [Outcome.FOLD, Outcome.FOLD] and exchange.may_go:
        yield from ((one.block, one) for one in made)
    else:
        yield from ((one.block, one) for one in made if one.outcome is Outcome.EXCERPT)


def with_forms(layout: Layout, forms: Mapping[str, Decision]) -> Layout:
    """A layout with more forms, and the addresses that are not their blocks' own."""
    named = ((form.pointer, name) for name, form in forms.items() if form.pointer != pointer.artifact(name))
    artifacts = tuple(dict.fromkeys((*layout.artifacts, *named)))
    return msgspec.structs.replace(layout, level=LEVEL, forms={**layout.forms, **forms}, artifacts=artifacts)


def addresses(brief: Brief) -> Addresses:
    """Addresses as the policy names them, after those that are taken."""
    cut = brief.book.epoch.cut
    return Addresses(brief.policy.offload.pointer, {**dict(cut.artifacts if cut else ()), **brief.book.addresses})
