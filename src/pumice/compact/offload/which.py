"""Which results may be offloaded: not the newest, not what a policy spares, not what the model has yet to see."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from pumice import excerpt
from pumice.commit import effects
from pumice.compact import fixed
from pumice.compact.exchanges import Exchange
from pumice.compact.layout import Brief
from pumice.compact.recent.ends import rounds
from pumice.compact.showing import Showing
from pumice.domain.block import Block
from pumice.domain.decision import Decision
from pumice.domain.policy import Offload


def offloadable(held: Sequence[Exchange], policy: Offload) -> list[Exchange]:
    """Results of the kinds a policy names and of no tool it spares, in order."""
    named = (exchange for exchange in held if exchange.use.tool not in policy.spare)
    return [exchange for exchange in named if not policy.kinds or effects.does(exchange.call) in policy.kinds]


def old(brief: Brief, held: Sequence[Exchange], *, newest: Collection[str] = ()) -> list[Exchange]:
    """Those of them that are neither in the newest round nor hold the newest images, nor are `newest`, in order."""
    images = _images(held, brief.policy.media.images)
    fresh = next(rounds(brief.book.groups), len(brief.book.groups))
    return [one for one in held if one.position < fresh and one.result.id not in newest and one.result.id not in images]


def newest(brief: Brief, held: Sequence[Exchange], showing: Showing) -> frozenset[str]:
    """The newest results that stay whole, by the policy's number and tokens as far as the window bears them."""
    return frozenset(one.result.id for one in _newest(brief, held, showing))


def _newest(brief: Brief, held: Sequence[Exchange], showing: Showing) -> Iterator[Exchange]:
    policy, most, spent = brief.policy.offload, fixed.most(brief), 0
    for count, exchange in enumerate(reversed(held), 1):
        spent += showing.block(exchange.result)
        if (count > policy.newest and spent > (policy.newest_tokens or 0)) or spent > most:
            return
        yield exchange


def _images(held: Sequence[Exchange], most: int) -> set[str]:
    """Results with the newest images (F-B13)."""
    kept: set[str] = set()
    for exchange in reversed(held):
        if most > 0 and exchange.result.media:
            kept.add(exchange.result.id)
            most -= len(exchange.result.media)
    return kept


def is_whole(block: Block, *forms: Mapping[str, Decision]) -> bool:
    """Whether a result stands as its client sent it, and that is not a client's excerpt with a pointer of its own."""
    return not any(block.id in known for known in forms) and not excerpt.is_already_cut(block.text)
