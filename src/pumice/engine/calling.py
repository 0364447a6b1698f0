"""Compile one call of a session, step by step; everything durable before the view is handed out."""

from typing import TYPE_CHECKING, Any

import msgspec

from pumice import wire
from pumice.compile import admit, guard
from pumice.compile.admit import Drop
from pumice.compile.check import broken_prefix, lost_pins
from pumice.domain.decision import Cause
from pumice.domain.manifest import Usable
from pumice.domain.message import Request
from pumice.engine import (
    alerts,
    arrival,
    call,
    crowding,
    diet,
    editing,
    entries,
    freezing,
    harder,
    heads,
    hidden,
    journal,
    probing,
    questions,
    redeeming,
    reminding,
    resident,
    sealing,
    transaction,
    verify,
)
from pumice.engine.call import View, ViewTokens
from pumice.engine.case import Case, keeps_words, room_of
from pumice.engine.heads import HeadSize
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane, Sent
from pumice.engine.observe import Observed, Observer
from pumice.engine.reading import Reader
from pumice.engine.terms import USUAL, Rung, Terms
from pumice.errors import CannotFit
from pumice.measure.window import usable as usable_window

if TYPE_CHECKING:
    from pumice.engine.session import Session


class Asked(msgspec.Struct, frozen=True):
    """A compaction asked for by hand."""

    reason: str = "requested"
    focus: str = ""
    target: int | None = None
    """Tokens the complete request goes down to; None takes the policy's target."""


class Step(msgspec.Struct, frozen=True):
    """A request on its way."""

    request: Request
    given: Any
    """The body as the caller gave it: the view comes back in the same shape."""
    agent: str
    window: int | None
    model: str | None
    asked: Asked | None = None
    terms: Terms = USUAL


async def compile_call(session: "Session", step: Step) -> View:
    """Observe, choose, cut if due, check and record; the view is the newest of its lane afterwards."""
    context = session.context
    resident.take(session)
    step = hidden.restored(session, step)
    asked = resident.as_asked(session.tree, step.agent, step.request)
    held = freezing.hold(session, msgspec.structs.replace(step, request=asked))
    step = msgspec.structs.replace(held.step, request=diet.as_asked(session.tree, step.agent, held.step.request))
    request = step.request if step.model is None else msgspec.structs.replace(step.request, model=step.model)
    reader = Reader(wire.get(request.dialect), context.store.redactor, context.store.identity)
    observer = Observer(session.tree, reader, session.write, lambda lane: resident.is_outdated(session, lane))
    observed = observer.observe(request, step.agent, seen=step.terms.sent)
    observed = msgspec.structs.replace(observed, notes=(*observed.notes, *freezing.notes(held)))
    lane = observed.lane
    usable = usable_window(
        context.policy.budget,
        model=request.model,
        window=step.window,
        learned=session.tree.limits.get(request.model),
        output_cap=request.max_output,
    )
    if step.terms.is_torn:
        _record_break(session, lane, Cause.FAULT)
    redeeming.decide(session, lane, request, step.terms)
    redeeming.count(session, lane, observed.first_new)
    is_held = step.terms.rung is Rung.HELD
    _open_sealed(session, lane, observed.first_new)
    if not is_held:
        _first_sight(session, lane, observed.first_new, usable)
    at = context.ports.clock()
    diet.decide(session, lane, request, is_asked=step.asked is not None)
    resident.decide(session, lane, usable)
    is_cold = observed.is_cold and not diet.is_warm(lane)
    case = Case(session, lane, request, head_of(lane, request, is_next=True), usable, at, is_cold, step.asked)
    epoch = lane.epoch.number
    if step.terms.edits:
        room = room_of(case)
        editing.run(case, step.terms.edits, room.view + room.head)
    await _make_room(case, step.terms.rung)
    is_idle = step.asked is not None and lane.epoch.number == epoch
    head = head_of(lane, request)
    if not is_held:
        reminding.place(session, observed, request, head, usable.tokens, held.moved)
    session.cases[lane.name] = msgspec.structs.replace(case, head=head, is_cold=False, asked=None)
    return await _finish(session, step, observed, head, usable, at, is_idle=is_idle)


async def _make_room(case: Case, rung: Rung) -> None:
    """Cut if due; where the engine has failed at this call before, not at all or to the floor."""
    if rung is Rung.WHOLE:
        case.session.context.ports.fault("engine:plan")
        await transaction.run(case)
        await crowding.relieve(case)
    elif rung is not Rung.HELD:
        case.session.context.ports.fault("engine:floor")
        await transaction.fall(case, may_be_over=rung is Rung.LEAST)


def _open_sealed(session: "Session", lane: Lane, first_new: int) -> None:
    """Show what sealed items of ours stand for: no provider can read one, whatever the rung."""
    for decision in sealing.opened(session, lane, first_new):
        session.write(Entry(lane.branch.name, journal.FormEvent(decision)))


def _first_sight(session: "Session", lane: Lane, first_new: int, usable: Usable) -> None:
    """Choose the forms of new blocks; what leaves the window is kept before anything is sent."""
    policy = session.context.policy
    for decision in arrival.too_big(lane, first_new, policy.offload, session.tree.addresses):
        session.write(Entry(lane.branch.name, journal.FormEvent(decision)))
        session.outbox.keep(lane.branch.block(decision.block))
        transaction.name(session, decision.pointer, lane.branch.block(decision.block))
    for decision in call.admit_forms(lane, first_new, session.context.policy, usable.window):
        session.write(Entry(lane.branch.name, journal.FormEvent(decision)))
        session.outbox.keep(lane.branch.block(decision.block))


def head_of(lane: Lane, request: Request, *, is_next: bool = False) -> HeadSize:
    """The size of the head as it leaves, or as a cut would leave it where that is more; the client's counted once a version."""
    theirs = _their_head(lane, request)
    made = theirs.plus(resident.parts(lane.resident))
    if is_next:
        return max(made, theirs.plus(resident.parts(lane.coming)), key=lambda head: head.text)
    lane.head_parts = made.parts
    return made


def _their_head(lane: Lane, request: Request) -> HeadSize:
    head, loaded = diet.head(request, lane.diet), diet.loaded(lane)
    key = (head.system, head.tools, loaded)  # spelled otherwise it is the same head, but of another size
    if lane.head_size is None or lane.head_size[0] != key:
        lane.head_size = (key, heads.head_size(head, request.dialect, diet=lane.diet, loaded=loaded))
    return lane.head_size[1]


def _whole_head(lane: Lane, request: Request) -> HeadSize:
    """The size of the client's head with every tool in its place; counted once a version."""
    if lane.diet is None or not lane.diet.deferred:
        return _their_head(lane, request)
    if lane.whole_head is None or lane.whole_head[0] != request.head.key:
        lane.whole_head = (request.head.key, heads.head_size(request.head, request.dialect))
    return lane.whole_head[1]


async def _finish(
    session: "Session", step: Step, observed: Observed, head: HeadSize, usable: Usable, at: float, *, is_idle: bool
) -> View:
    """Prove the view, record the call, and only then hand it out."""
    request, lane = step.request, observed.lane
    proof = verify.prove(lane, request, lane.shown)
    pieces, whole = proof.pieces, lane.shown.size
    size = call.tokens_of_sent(lane, head, whole)
    if session.context.policy.order and size.total > usable.tokens and step.terms.rung is not Rung.LEAST:
        raise CannotFit(usable.tokens, [("head", size.head), ("messages", size.messages)])
    if lane.sent.epoch == lane.epoch.number and broken_prefix(lane.sent.pieces, pieces) is not None:
        _record_break(session, lane)
    raw = call.close(request, pieces, proof.fields)
    number = max(session.tree.calls, default=0) + 1
    alarms = alerts.found(session, lane, call.room(lane, usable, size.head, size.messages))
    entry = entries.of_call(session, observed, number, size, pieces, whole, head, usable)
    session.write(msgspec.structs.replace(entry, at=at))
    await session.outbox.flush(at)
    await redeeming.write_out(session, lane)
    item, unsealed = sealing.of_cut(session, lane, wanted=harder.in_force(lane, session.context).summarize.sealed)
    lane.sent = Sent(pieces, lane.epoch.number, len(lane.branch.nodes), proof.rules, whole)
    newest = (block for group in lane.branch.groups[-2:] for block in group.blocks)
    record = call.record_of(
        lane,
        lane.shown,
        head,
        call=number,
        usable=usable,
        policy=harder.in_force(lane, session.context),
        scope=str(session.context.scope),
        notes=(*observed.notes, *proof.repairs),
        warnings=(
            *proof.warnings,
            *diet.notes(lane),
            *resident.notes(lane),
            *resident.missing(lane.resident, raw),
            *_lost_words(session, lane),
            *guard.marked(newest),
            *(alarm.text for alarm in alarms),
            *unsealed,
            *(_idle(step.asked, size) if is_idle else ()),
        ),
        asked=questions.total(session.tree, lane),
        probes=probing.told(session, lane),
        dropped=_not_admitted(session, lane, at),
    )
    shaped, full = call.shaped(step.given, raw, request, proof), call.full_tokens(lane, _whole_head(lane, request))
    done = editing.edited(lane) if step.terms.edits else ()
    return View(shaped, record, size, headers=proof.headers, text=raw, full=full, sealed=item, edited=done, alarms=alarms)


def _not_admitted(session: "Session", lane: Lane, at: float) -> tuple[Drop, ...]:
    """Pins that do not hold now, each with its reason."""
    found = (*lane.branch.state.pins, *session.tree.pins.values())
    return admit.pins(found, at, session.context.scope).drops if keeps_words(session.context.policy) else ()


def _idle(asked: Asked | None, size: ViewTokens) -> list[str]:
    """Why a compaction asked for by hand changed nothing."""
    target = asked.target if asked else None
    if target is not None and size.total <= target:
        return [f"nothing was compacted: {size.total:,} tokens are within the {target:,} asked for"]
    return ["nothing was compacted: no plan would have made the request a tenth smaller"]


def _lost_words(session: "Session", lane: Lane) -> list[str]:
    """Pins in force that the finished request does not show: none, unless their budget was used up or pumice is wrong."""
    cut = lane.shown.cut
    if cut is None or not keeps_words(session.context.policy):
        return []
    pins = [pin for pin in lane.branch.state.pins if lane.branch.has(pin.block)]
    lost = lost_pins(pins, lane.shown.stands, cut.preface)
    return [f"pin {pin.id} is not shown word for word" for pin in lost]


def _record_break(session: "Session", lane: Lane, cause: Cause = Cause.CLIENT_EDIT) -> None:
    """A prefix that has moved although nothing was cut (a repair of the client's history) is a new epoch on record."""
    session.write(Entry(lane.branch.name, journal.BreakEvent(lane.name, lane.epoch.number + 1, cause)))
