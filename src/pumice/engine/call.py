"""The view that comes of one call: its forms at first sight, its size, its body, and the record its manifest is told from."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from pumice import wire
from pumice.compact import losses
from pumice.compact.losses import Loss
from pumice.compile import first_sight, manifest, placeholder, reread
from pumice.compile.admit import Drop
from pumice.compile.assemble import Piece
from pumice.compile.figures import Asked
from pumice.compile.manifest import Record
from pumice.domain.book import MediaLimits, Room, Size
from pumice.domain.edits import Edited
from pumice.domain.manifest import Manifest, Usable
from pumice.domain.message import Request
from pumice.domain.policy import Policy
from pumice.domain.probe import Probed
from pumice.engine import verify
from pumice.engine.alert import Alert
from pumice.engine.heads import HeadSize
from pumice.engine.lane import Lane
from pumice.engine.shown import Shown
from pumice.engine.verify import Proof
from pumice.measure import limits, models, prices, tokens
from pumice.wire import jsonbytes


class ViewTokens(msgspec.Struct, frozen=True):
    """Size of the complete request, tools and overhead included, by the calibrated counter."""

    total: int
    head: int
    messages: int
    counted: str
    """exact, or estimate with its factor."""
    error_pct: float | None = None
    """Last known error of the counter against what the provider reported; None before the first report."""
    _partitions: Any = None

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__ if not name.startswith("_"))
        return f"ViewTokens({', '.join(shown)})"

    @property
    def by_partition(self) -> dict[str, int]:
        """Tokens in view per partition; computes the manifest."""
        return manifest.by_partition(self._partitions())


class View:
    """A compiled call, ready to send."""

    def __init__(
        self,
        body: Any,
        record: Record,
        size: ViewTokens,
        *,
        headers: Mapping[str, str],
        text: bytes,
        full: int = 0,
        sealed: str = "",
        edited: tuple[Edited, ...] = (),
        alarms: tuple[Alert, ...] = (),
    ) -> None:
        self.body = body
        """The request in the shape it was given: a dict for a dict, bytes for bytes, a list for messages."""
        self.raw = text
        """The request as bytes."""
        self.headers = dict(headers)
        """Headers the rewritten request needs besides the client's own."""
        self.full = full
        """Tokens of the client's own request: its head and everything it has ever said on this branch, whole."""
        self.sealed = sealed
        """One text that may stand for all of this view, where its epoch begins and the policy has cuts sealed (F-C13)."""
        self.edited = edited
        """What edits the client asks for have cleared of it, where it asks for any."""
        self.call = record.call
        self.lane = record.lane
        self.epoch = record.epoch
        self.cause = record.cause
        self.usable = record.usable
        self.warnings = record.warnings
        self.alarms = alarms
        """Those of the warnings that have a kind."""
        self._record = record
        self._size = size

    @cached_property
    def manifest(self) -> Manifest:
        """One row per candidate, sent or not; computed on first access."""
        return losses.told(manifest.write(self._record), self.losses)

    @cached_property
    def losses(self) -> tuple[Loss, ...]:
        """What the epoch's cut took out of view, level by level; computed on first access, over every text of the path."""
        return losses.of(self._record)

    @property
    def tokens(self) -> ViewTokens:
        return msgspec.structs.replace(self._size, _partitions=lambda: self.manifest)


def room(lane: Lane, usable: Usable, head: int, view: int) -> Room:
    """What a plan of this lane has to fit into."""
    fresh, read = prices.relative(lane.model)
    return Room(
        window=usable.window,
        usable=usable.tokens,
        head=head,
        factor=lane.calibration.factor,
        fresh_price=fresh,
        read_price=read,
        tiers=prices.tiers(lane.model),
        growth=lane.mean_growth(),
        calls=lane.responses,
        binds_reasoning=models.facts(lane.model).binds_reasoning,
        view=view,
        reached=max(lane.pulse.target, lane.pulse.after),
        media=media_limits(lane) if lane.branch.holds_media else None,
        input_limit=usable.input_limit,
    )


def media_limits(lane: Lane) -> MediaLimits | None:
    """What the lane's provider takes of images and documents."""
    return limits.of(lane.dialect.name, verify.real_window(lane))


def admit_forms(lane: Lane, first_new: int, policy: Policy, window: int) -> list[Any]:
    """First-sight decisions for blocks the upstream has not seen; adopted nodes and blocks that came again count as seen."""
    branch = lane.branch
    start = max(first_new, branch.adopted)
    seen = branch.familiar | branch.forms.keys()
    fresh = [node for node in branch.nodes[start:] if not all(block.id in seen for block in node.blocks)]
    again = (
        reread.decide(block, branch.nodes[: node.index], branch.uses.get, lane.shown.is_whole)
        for node in fresh
        for block in node.blocks
    )
    found = [decision for decision in again if decision is not None]
    most = media_limits(lane)
    if policy.first_sight is not None and most is not None:
        found += placeholder.on_arrival((block for node in fresh for block in node.blocks), most, first_sight.LEVEL, lane.how)
    found += first_sight.forms(
        fresh,
        branch.uses,
        branch.sizes,
        policy=policy.first_sight,
        window=window,
        factor=lane.calibration.factor,
        count=tokens.count,
        redeem=lane.how,
    )
    return [decision for decision in found if decision.block not in seen]


def close(request: Request, pieces: Sequence[Piece], fields: Mapping[str, bytes | None]) -> bytes:
    """The finished body."""
    return wire.get(request.dialect).close(request, [piece.raw for piece in pieces], fields=fields)


def shaped(given: Any, raw: bytes, request: Request, proof: Proof) -> Any:
    """The view's body in the shape the caller gave its request in."""
    if isinstance(given, (bytes, bytearray)):
        return raw
    if isinstance(given, str):
        return raw.decode()
    if raw is request.body:
        return given
    is_listed = isinstance(given, dict) and isinstance(given[request.field], list)
    return _from_given(given, request, proof) if is_listed else jsonbytes.decode(raw)


def _from_given(given: dict[str, Any], request: Request, proof: Proof) -> dict[str, Any]:
    """The body as a dict; messages that go out as they came are the caller's own objects, only the others are read."""
    own = {id(raw): message for raw, message in zip(request.messages, given[request.field], strict=True)}
    messages = [own[id(piece.raw)] if id(piece.raw) in own else jsonbytes.decode(piece.raw) for piece in proof.pieces]
    fields = {key: None if raw is None else jsonbytes.decode(raw) for key, raw in proof.fields.items()}
    body = {**given, request.field: messages, **fields}
    return {key: value for key, value in body.items() if proof.fields.get(key, b"") is not None}


def tokens_of(lane: Lane, head: HeadSize, size: Size) -> ViewTokens:
    """The complete request's size by the lane's calibrated counter; system messages in front belong to the head."""
    factor = lane.calibration.factor
    lead = lane.branch.lead_size().tokens(factor)
    in_head = head.at(factor) + lead
    messages = size.tokens(factor) - lead
    counted = "exact" if factor == 1.0 else f"estimate, o200k × {factor:.3f}"
    return ViewTokens(in_head + messages, in_head, messages, counted, lane.error_pct)


def tokens_of_sent(lane: Lane, head: HeadSize, size: Size) -> ViewTokens:
    """The size of a view of the lane's own epoch: what the provider billed its beginning beyond all counting is in it."""
    counted, more = tokens_of(lane, head, size), lane.unexplained()
    return msgspec.structs.replace(counted, total=counted.total + more, messages=counted.messages + more) if more else counted


def full_tokens(lane: Lane, head: HeadSize) -> int:
    """The size of the client's own request, counted as the view beside it is."""
    branch = lane.branch
    return tokens_of_sent(lane, head, Size(branch.counted, branch.fixed)).total


def record_of(
    lane: Lane,
    shown: Shown,
    head: HeadSize,
    *,
    call: int,
    usable: Usable,
    policy: Policy,
    scope: str,
    notes: Sequence[str],
    warnings: Sequence[str],
    asked: Asked,
    probes: Sequence[Probed] = (),
    dropped: Sequence[Drop] = (),
) -> Record:
    """What the call's manifest is computed from."""
    branch = lane.branch
    return Record(
        call=call,
        lane=lane.name,
        epoch=lane.epoch.number,
        cause=lane.epoch.cause,
        policy=policy.name,
        shares=policy.shares,
        notes=shown.notes,
        usable=usable,
        factor=lane.calibration.factor,
        scope=scope,
        nodes=tuple(branch.nodes),
        cut=shown.cut,
        forms=branch.forms,
        sizes=branch.sizes,
        texts=shown.texts,
        head=head.parts,
        newest_user=branch.newest_words,
        repairs=tuple(notes),
        warnings=tuple(warnings),
        redactions=branch.redactions,
        asked=asked,
        uses=branch.uses,
        probes=tuple(probes),
        dropped=tuple(dropped),
    )
