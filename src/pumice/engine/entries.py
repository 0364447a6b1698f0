"""What the journal holds of a call, and of the response to it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pumice.compile.assemble import Piece, common, total
from pumice.domain.book import Size
from pumice.domain.manifest import Usable
from pumice.domain.message import Response
from pumice.engine import harder, journal
from pumice.engine.call import ViewTokens
from pumice.engine.heads import HeadSize
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane
from pumice.engine.observe import Observed
from pumice.engine.tree import Tree

if TYPE_CHECKING:
    from pumice.engine.session import Session


def of_call(
    session: "Session",
    observed: Observed,
    number: int,
    size: ViewTokens,
    pieces: Sequence[Piece],
    whole: Size,
    head: HeadSize,
    usable: Usable,
) -> Entry:
    """The entry of a call about to be sent: its size, what of it should be cached, and the messages that came changed."""
    lane, changed = observed.lane, observed.changed
    branch = lane.branch
    patches = tuple(
        (index, journal.patch(branch.nodes[index].raw, branch.wire[index])) for index in changed if index not in branch.veiled
    )
    event = journal.CallEvent(
        call=number,
        lane=lane.name,
        nodes=len(branch.nodes),
        epoch=lane.epoch.number,
        factor=lane.calibration.factor,
        tokens=size.total,
        counted=head.text + whole.text,
        fixed=whole.fixed,
        head=len(session.tree.heads[lane.name]) - 1,
        usable=usable,
        policy=harder.in_force(lane, session.context).name,
        predicted_read=_shared(lane, pieces, head.at(lane.calibration.factor)),
        patches=patches,
    )
    return Entry(journal.CALLS, event)


def _shared(lane: Lane, pieces: Sequence[Piece], head: int) -> int:
    """Tokens this view shares with the lane's view before: what the provider's cache should hold of it."""
    before = lane.sent.pieces
    if not before:
        return 0
    shared = common(before, pieces)
    size = lane.sent.size if shared == len(before) else total(piece.size for piece in pieces[:shared])
    return head + size.tokens(lane.calibration.factor)


def of_response(tree: Tree, response: Response, number: int) -> Entry:
    """The entry of a response to a call."""
    event = tree.calls[number]
    usage = response.usage if response.usage and not response.usage.is_sum else None
    header = journal.ResponseEvent(
        number,
        event.lane,
        response.id,
        usage.input if usage else None,
        usage.cache_read if usage else None,
        response.usage.output if response.usage else None,
    )
    return Entry(tree.lanes[event.lane].branch.name, header)
