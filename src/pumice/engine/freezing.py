"""Volatile text in the head: its first value stays in place, so that the prefix does, and a note says what it is now (F-A8)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from pumice.domain import marks
from pumice.domain.message import Request
from pumice.engine.lane import Lane
from pumice.engine.tree import Tree
from pumice.wire import envelope, jsonbytes, system, volatile
from pumice.wire.volatile import Change

if TYPE_CHECKING:
    from pumice.engine.calling import Step
    from pumice.engine.session import Session


class Held(msgspec.Struct, frozen=True):
    """A step whose head says what the lane's first head said, and what it would have said, in lines of ours."""

    step: "Step"
    moved: str = ""


def hold(session: "Session", step: "Step") -> Held:
    """The step with the system text its lane has, where only text of the kinds the policy freezes is another."""
    kinds = session.context.policy.head.freeze
    lane = session.tree.current.get(step.agent)
    if not kinds or lane is None or lane.dialect.name != step.request.dialect:
        return Held(step)
    before, now = _known(session.tree, lane), system.pieces(step.request)
    changes = _changes(before, now, step.request.dialect, kinds)
    if not changes:
        return Held(step)
    held = [system.saying(raw, known) for raw, known in zip(now, before, strict=True)]
    request = system.replaced(step.request, held)
    return Held(msgspec.structs.replace(step, request=request, given=_given(step.given, request, len(held))), _told(changes))


def notes(held: Held) -> tuple[str, ...]:
    """What the manifest says of a head that was held."""
    return ("system text: only what head.freeze names has changed; what stood there first is sent",) if held.moved else ()


def _known(tree: Tree, lane: Lane) -> Sequence[bytes]:
    """The system text that the lane sends."""
    if lane.branch.lead:
        return lane.branch.wire[: lane.branch.lead]
    head = lane.head_raw or tree.heads[lane.name][-1]
    return lane.dialect.open(envelope.bare(jsonbytes.members(head), lane.dialect.field)).head.system


def _changes(before: Sequence[bytes], now: Sequence[bytes], dialect: str, kinds: Sequence[str]) -> tuple[Change, ...]:
    """What is another; nothing where all is the same, or where something else is another too."""
    found: list[Change] = []
    for old, new in zip(before, now, strict=False):
        changes = volatile.changes(system.text(old, dialect), system.text(new, dialect), kinds)
        if changes is None:
            return ()
        found += changes
    return tuple(dict.fromkeys(found)) if len(before) == len(now) else ()


def _given(given: Any, request: Request, count: int) -> Any:
    """The body as the caller gave it, with the head that leaves."""
    if not isinstance(given, dict):
        return given
    if request.head.system:
        key = system.field(request)
        return {**given, key: jsonbytes.decode(request.fields[key])}
    return {**given, request.field: [*map(jsonbytes.decode, request.messages[:count]), *given[request.field][count:]]}


def _told(changes: Sequence[Change]) -> str:
    """What is another, one line each; of several lines those that are new."""
    said: list[str] = []
    for change in changes:
        if "\n" not in change.after + change.before and marks.is_clean(change.after + change.before):
            said.append(marks.gap(f"the {change.kind} is {change.after} now, where the system text says {change.before}"))
        elif marks.is_plain(change.after):
            said += [marks.gap(f"the {change.kind} is now, where the system text says otherwise"), change.after]
        else:
            said.append(marks.gap(f"the {change.kind} in the system text is no longer so"))
    return "\n".join(said)
