"""Prove a view on the wire: provider rules from the unchanged prefix on, repairs of what the client sent invalid."""

import itertools
from collections.abc import Mapping, Sequence

import msgspec

from pumice.compile.assemble import Piece
from pumice.domain.message import Request, Violation
from pumice.engine.lane import Lane, Sent
from pumice.engine.shown import Shown
from pumice.errors import PumiceError
from pumice.measure import models
from pumice.wire import jsonbytes, rules

BINDING_BETA = "thinking-binding-controls-2026-08-01"


class Unprovable(PumiceError):
    """A view breaks a rule that the client's own request does not break."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        first = violations[0]
        super().__init__(f"rule {first.rule} at {first.path}: {first.message} ({len(violations)} in all)")
        self.violations = tuple(violations)


class Proof(msgspec.Struct, frozen=True):
    """A view that may be sent."""

    pieces: tuple[Piece, ...]
    states: tuple[rules.State, ...]
    """The rule automaton before the first and after each piece."""
    repairs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    fields: Mapping[str, bytes | None] = {}
    """Top-level fields that change with it."""
    headers: Mapping[str, str] = {}


def prove(lane: Lane, request: Request, shown: Shown) -> Proof:
    """The lane's view under what is shown, checked; raises Unprovable when it is pumice that breaks a rule."""
    pieces = shown.pieces()
    states = _run(lane.sent, pieces, request)
    fields, headers = binding(lane, request, shown)
    found = states[-1].finish(request.fields)
    if not found:
        return Proof(pieces, states, shown.repairs, fields=fields, headers=headers)
    theirs = {violation.rule for violation in rules.check_request(request)}
    ours = [violation for violation in found if violation.rule not in theirs]
    if ours:
        raise Unprovable(ours)
    warnings = tuple(f"the client's request breaks rule {item.rule} at {item.path}: {item.message}" for item in found)
    return Proof(pieces, states, shown.repairs, warnings, fields, headers)


def _run(sent: Sent, pieces: Sequence[Piece], request: Request) -> tuple[rules.State, ...]:
    """States of the automaton, kept ones for the pieces that are sent again byte for byte: cache markers count here."""
    shared = _repeated(sent.pieces, pieces) if sent.rules else 0
    states = list(sent.rules[: shared + 1]) or [rules.start(request.dialect, request.model)]
    for piece in pieces[shared:]:
        states.append(states[-1].feed(piece.raw))
    return tuple(states)


def _repeated(before: Sequence[Piece], after: Sequence[Piece]) -> int:
    same = (one is other or one.raw == other.raw for one, other in zip(before, after, strict=False))
    return sum(1 for _ in itertools.takewhile(bool, same))


def binding(lane: Lane, request: Request, shown: Shown) -> tuple[Mapping[str, bytes | None], Mapping[str, str]]:
    """What a model that binds reasoning to its prefix must be told after a cut inside a turn (K-A37)."""
    if request.dialect != "anthropic" or not shown.keeps_reasoning or not models.facts(lane.model).binds_reasoning:
        return {}, {}
    raw = request.fields.get("thinking")
    thinking = jsonbytes.decode(raw) if raw else None
    if not isinstance(thinking, dict) or thinking.get("type") != "adaptive":
        return {}, {}
    told = {**thinking, "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
    return {"thinking": jsonbytes.encode(told)}, {"anthropic-beta": BINDING_BETA}
