"""A single result over the policy's size is offloaded on arrival, whatever the budget says: there it costs no cache (F-C1)."""

from collections.abc import Iterator, Mapping

import msgspec

from pumice.compact import exchanges
from pumice.compact.exchanges import Exchange
from pumice.compact.offload import which
from pumice.compact.offload.addresses import Addresses
from pumice.compact.offload.forms import Former
from pumice.compact.ruler import Ruler
from pumice.domain.decision import Decision
from pumice.domain.policy import Offload
from pumice.engine.lane import Lane
from pumice.measure import tokens


def too_big(lane: Lane, first_new: int, policy: Offload, addresses: Mapping[str, str]) -> Iterator[Decision]:
    """Forms of the results the upstream has not seen that are over the policy's size; `addresses` are those given so far."""
    over = policy.single_result_over
    if over is None:
        return
    found = list(_new(lane, first_new, policy))
    if not found:
        return
    book = msgspec.structs.replace(lane.branch.book(lane.epoch), redeem=lane.how)
    ruler = Ruler(book, lane.calibration.factor, tokens.count_many)
    named = Addresses(policy.pointer, addresses)
    former = Former(ruler, policy.summary)
    ways = (former.excerpt, former.line_of_unshowable) if policy.excerpt else (former.line,)
    for exchange in found:
        size, block = ruler.block(exchange.result), exchange.result.id
        why = f"{size} tokens, over {over} on arrival"
        made = (way(exchange, named.of(block), why) for way in ways if size > over)
        form = next(filter(None, made), None)
        if form is not None:
            named.give(block)
            yield form


def _new(lane: Lane, first_new: int, policy: Offload) -> Iterator[Exchange]:
    """Results of new nodes that may be offloaded and have no form yet."""
    branch = lane.branch
    start = max(first_new, branch.adopted)
    known = branch.familiar | branch.forms.keys()
    held = [
        Exchange(position, call, result, branch.uses[result.id], may_go=False)
        for position, group in enumerate(branch.groups)
        if group.nodes[-1].index >= start
        for call, result in exchanges.paired(group)
        if result.id in branch.uses and result.id not in known
    ]
    new = {block.id for node in branch.nodes[start:] for block in node.blocks}
    fresh = [one for one in held if one.result.id in new and not one.use.reads_back and which.is_whole(one.result)]
    yield from which.offloadable(fresh, policy)
