"""Audit: any past view rebuilt, any block of any past call explained."""

from typing import TYPE_CHECKING

from pumice.compact import losses
from pumice.compile import manifest
from pumice.domain.manifest import Manifest, Row
from pumice.engine import journal, verify
from pumice.engine.tree import Tree
from pumice.errors import InvalidInput, NotAddressable
from pumice.wire import envelope, jsonbytes

if TYPE_CHECKING:
    from pumice.engine.session import Session

_TOLD = 4
"""Names of blocks an error gives from either end."""


def event_of(tree: Tree, call: int | None) -> journal.CallEvent:
    """The recorded call of a number, the newest for None; raises InvalidInput."""
    number = max(tree.calls, default=0) if call is None else call
    if number not in tree.calls:
        known = f"1 to {max(tree.calls)}" if tree.calls else "none yet"
        raise InvalidInput(f"call {number} is not recorded; known are {known}.")
    return tree.calls[number]


def rebuild(tree: Tree, call: int) -> bytes:
    """The body of a past call from the ledger, its decisions and how its bytes differed on the wire."""
    event = event_of(tree, call)
    shown = tree.shown_at(event)
    for index, change in tree.patches_until(event).items():
        shown.branch.touch(index, journal.apply(shown.branch.nodes[index].raw, change))
    dialect = shown.dialect
    head = tree.heads[event.lane][event.head]
    request = dialect.open(envelope.bare(jsonbytes.members(head), dialect.field))
    fields, _ = verify.told(tree.lanes[event.lane], request, shown)
    return dialect.close(request, [piece.raw for piece in shown.pieces()], fields=fields)


def explain(session: "Session", block_id: str, call: int | None) -> Row:
    """The manifest row of a block in a past call; raises NotAddressable when the call's branch has no such block."""
    event = event_of(session.tree, call)
    known: list[str] = []
    for row in manifest.rows(_record(session, event)):
        if row.id == block_id:
            return row
        known.append(row.id)
    listed = [*known[:_TOLD], "…", *known[-_TOLD:]] if len(known) > 2 * _TOLD else known
    raise NotAddressable(f"{block_id!r} is no block of call {event.call}.", hint=f"There are {', '.join(listed)}.")


def manifest_of(session: "Session", call: int | None) -> Manifest:
    """The manifest of a past call, of its messages and the preface; raises InvalidInput."""
    record = _record(session, event_of(session.tree, call))
    return losses.told(manifest.write(record), losses.of(record))


def _record(session: "Session", event: journal.CallEvent) -> manifest.Record:
    lane = session.tree.lanes[event.lane]
    shown = session.tree.shown_at(event)
    return manifest.Record(
        call=event.call,
        lane=lane.name,
        epoch=event.epoch,
        cause=lane.epoch_of(event.epoch).cause,
        policy=event.policy,
        usable=event.usable,
        factor=event.factor,
        scope=str(session.context.scope),
        nodes=shown.branch.nodes,
        cut=shown.cut,
        forms=shown.branch.forms,
        sizes=shown.branch.sizes,
        texts=shown.texts,
        head=(),
        newest_user=shown.branch.newest_words,
    )
