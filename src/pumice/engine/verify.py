"""Prove a view on the wire: provider rules from the unchanged prefix on, repairs of what the client sent invalid."""

from collections.abc import Mapping

import msgspec

from pumice.compile.assemble import Piece
from pumice.domain.message import Request
from pumice.domain.note import Note
from pumice.engine import diet, resident
from pumice.engine.checked import Checked
from pumice.engine.lane import Lane
from pumice.engine.shown import Shown
from pumice.errors import Unprovable
from pumice.measure import models
from pumice.wire import jsonbytes, rules

BINDING_BETA = "thinking-binding-controls-2026-08-01"


class Proof(msgspec.Struct, frozen=True):
    """A view that may be sent."""

    pieces: tuple[Piece, ...]
    rules: Checked
    repairs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    fields: Mapping[str, bytes | None] = {}
    """Top-level fields that change with it."""
    headers: Mapping[str, str] = {}


def prove(lane: Lane, request: Request, shown: Shown) -> Proof:
    """The lane's view under what is shown, checked; raises Unprovable when it is pumice that breaks a rule."""
    pieces = shown.pieces()
    checked = lane.sent.rules.then([piece.raw for piece in pieces], request)
    fields, headers = told(lane, request, shown)
    window = real_window(lane)
    found = checked.end.finish({**request.fields, **headed(lane, request, shown)}, window=window)
    if not found:
        return Proof(pieces, checked, shown.repairs, fields=fields, headers=headers)
    lane.asked = lane.asked.then(request.messages, request)
    theirs = {violation.rule for violation in lane.asked.end.finish(request.fields, window=window)}
    ours = [violation for violation in found if violation.rule not in theirs]
    if ours:
        raise Unprovable(f"rule {ours[0].rule} at {ours[0].path}: {ours[0].message}", [item.rule for item in ours])
    warnings = tuple(f"the client's request breaks rule {item.rule} at {item.path}: {item.message}" for item in found)
    return Proof(pieces, checked, shown.repairs, warnings, fields, headers)


def may_stand(lane: Lane, request: Request, shown: Shown, note: Note) -> bool:
    """Whether a view breaks no rule with one more note that it does not break without."""
    fields, window = {**request.fields, **headed(lane, request, shown)}, real_window(lane)
    without = lane.sent.rules.then([piece.raw for piece in shown.pieces()], request)
    with_it = without.then([piece.raw for piece in shown.would_be(note)], request)
    broken = {violation.rule for violation in without.end.finish(fields, window=window)}
    return all(violation.rule in broken for violation in with_it.end.finish(fields, window=window))


def is_crowded(lane: Lane, request: Request, shown: Shown) -> bool:
    """Whether a view holds more images and documents, or larger ones, than the provider takes."""
    if not lane.branch.holds_media:
        return False
    checked = lane.sent.rules.then([piece.raw for piece in shown.pieces()], request)
    return any(item.rule in rules.SIZES for item in checked.end.finish(request.fields, window=real_window(lane)))


def real_window(lane: Lane) -> int | None:
    """The window of the lane's model, whatever a policy makes of it; None where it is not known."""
    facts = models.facts(lane.model)
    return facts.window if facts.known else None


def told(lane: Lane, request: Request, shown: Shown) -> tuple[Mapping[str, bytes | None], Mapping[str, str]]:
    """Top-level fields that leave otherwise than they came, and the headers that go with them."""
    fields, headers = binding(lane, request, shown)
    return {**headed(lane, request, shown), **fields}, headers


def headed(lane: Lane, request: Request, shown: Shown) -> Mapping[str, bytes]:
    """What of the head leaves otherwise than it came: tools on a diet, resident content."""
    return {**diet.fields(lane, request), **resident.fields(shown.resident, lane, request)}


def binding(lane: Lane, request: Request, shown: Shown) -> tuple[Mapping[str, bytes | None], Mapping[str, str]]:
    """What a model that binds reasoning to its prefix must be told after a cut inside a turn, or a new head (K-A37)."""
    is_moved = lane.is_torn or shown.keeps_reasoning or (shown.resident is not None and shown.resident.rebinds)
    if request.dialect != "anthropic" or not is_moved or not models.facts(lane.model).binds_reasoning:
        return {}, {}
    raw = request.fields.get("thinking")
    # Where a request names none, adaptive thinking is what these models do anyway (K-A37).
    thinking = jsonbytes.decode(raw) if raw else {"type": "adaptive"}
    if not isinstance(thinking, dict) or thinking.get("type") != "adaptive":
        return {}, {}
    told = {**thinking, "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
    return {"thinking": jsonbytes.encode(told)}, {"anthropic-beta": BINDING_BETA}
