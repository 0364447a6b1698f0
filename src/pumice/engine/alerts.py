"""What the manifest of a call warns of, each with its cause: size, cost, breaker, a moved head, lost cache hits (F-G1)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pumice.compact import triggers
from pumice.compile.manifest import HeadPart
from pumice.domain.book import Room
from pumice.domain.decision import Cause, Outcome
from pumice.domain.policy import Policy
from pumice.engine import harder, misses, probing
from pumice.engine.alert import Alert, Kind
from pumice.engine.lane import Lane
from pumice.measure import models

if TYPE_CHECKING:
    from pumice.engine.session import Session

READ_BACK_SHARE, READ_BACK_LEAST = 0.25, 5
"""Share of what a cut has hidden, and how many blocks, from which read-backs say that it hid too much (F-E4)."""
MOST_PARTS = 4
"""Parts of a head that are named."""


def found(session: "Session", lane: Lane, room: Room) -> tuple[Alert, ...]:
    """Everything to be said of a lane before its call is handed out; `room` measures the finished view."""
    policy = harder.in_force(lane, session.context)
    if not policy.order:
        return ()
    told = (
        *_size(policy, room),
        *_cost(session, lane, policy),
        *_breaker(session, lane, policy),
        *_questions(session, lane),
        *_cuts(session, lane),
        *_head(lane),
        *misses.found(session, lane),
        *_read_backs(session, lane),
    )
    trouble = session.asker.trouble
    return (*told, *([Alert(Kind.ANSWER_LOST, f"an answer of a model is not on record: {trouble}")] if trouble else []))


def _size(policy: Policy, room: Room) -> Iterator[Alert]:
    size, base = room.view + room.head, triggers.base_of(policy.budget.of, room)
    if base > 0 and size >= triggers.warn_at(room, policy.budget):
        most = triggers.act_at(room, policy.budget)
        text = f"{size} tokens, {size / base:.0%} of {policy.budget.of} ({base}); above {most} a cut is made"
        yield Alert(Kind.SIZE, text)


def _cost(session: "Session", lane: Lane, policy: Policy) -> Iterator[Alert]:
    spent, limits = session.tree.spent.usd, policy.triggers
    if triggers.steps_of_cost(limits, spent):
        yield Alert(Kind.COST, f"the session has cost ${spent:.2f}, over ${limits.cost_usd:.2f}")
    if lane.harder_next is not None and lane.harder_next != lane.harder:
        coming = harder.coming(lane, session.context).name
        yield Alert(Kind.HARDER, f"policy {coming} from the next epoch on: {lane.harder_next.reason}")


def _breaker(session: "Session", lane: Lane, policy: Policy) -> Iterator[Alert]:
    state, limits = lane.breaker, policy.breaker
    if state.opened_at is None:
        return
    again = state.opened_at + limits.half_open_after
    when = f"one try from call {again} on" if lane.calls < again else "one try at the next cut"
    yield Alert(
        Kind.BREAKER,
        f"the breaker is open since call {state.opened_at}, after {state.failures} failures in a row: no summaries, no "
        f"questions to a model, offload and the floor only; {when}, or a compaction asked for by hand",
    )
    if limits.on_open == "human":
        text = f"a person should review session {session.id!r}: making room has failed {state.failures} times in a row"
        yield Alert(Kind.REVIEW, text)


def _questions(session: "Session", lane: Lane) -> Iterator[Alert]:
    for event in session.tree.failed.values():
        if (event.lane, event.epoch) == (lane.name, lane.epoch.number):
            yield Alert(Kind.NO_ANSWER, f"a question to a model has no usable answer: {event.reason}")


def _cuts(session: "Session", lane: Lane) -> Iterator[Alert]:
    """Cuts that were planned for this call and did not prove, and what the one that stands has lost."""
    yield from (Alert(Kind.CUT_FAILED, f"a planned cut was dropped: {reason}") for reason in lane.dropped)
    for one in probing.told(session, lane):
        if one.has_failed:
            lost = ", ".join(one.lost[:MOST_PARTS])
            yield Alert(Kind.PROBE, f"the cut of epoch {lane.epoch.number} has lost what {one.set}/{one.id} asks for: {lost}")


def _head(lane: Lane) -> Iterator[Alert]:
    """What in the head has moved the whole prefix, at the first call under it."""
    if lane.cause is Cause.CLIENT_HEAD and lane.sent.epoch < 0 and lane.head_parts and lane.head_before:
        told = changes(lane.head_before, lane.head_parts)
        rest = f" and {len(told) - MOST_PARTS} more" if len(told) > MOST_PARTS else ""
        named = ", ".join(told[:MOST_PARTS]) or "a parameter is another"
        yield Alert(Kind.HEAD, f"the head has changed, so nothing cached before it is read: {named}{rest}")


def changes(before: tuple[HeadPart, ...], after: tuple[HeadPart, ...]) -> list[str]:
    """What two heads differ in, part by part."""
    old, new = ({part.name: part.digest for part in parts if part.stands} for parts in (before, after))
    told = [f"{name} is new" for name in new if name not in old]
    told += [f"{name} is gone" for name in old if name not in new]
    told += [f"{name} is another" for name in new if name in old and old[name] != new[name]]
    return told or (["its parts stand in another order"] if list(old) != list(new) else [])


def _read_backs(session: "Session", lane: Lane) -> Iterator[Alert]:
    cut = lane.cut if session.read_back else None
    hidden = {one.block for one in cut.decisions if one.outcome in (Outcome.FOLD, Outcome.EXCERPT)} if cut else set()
    read = hidden & session.read_back
    if len(read) >= READ_BACK_LEAST and len(read) > READ_BACK_SHARE * len(hidden):
        text = f"{len(read)} of {len(hidden)} blocks that left the view were read back: this policy offloads too eagerly here"
        yield Alert(Kind.READ_BACKS, text)


def too_often(lane: Lane, at: float) -> Iterator[str]:
    """Advice where cuts follow each other faster than the cache entries they void run out."""
    last = lane.pulse.at
    if last is not None and is_too_soon(lane, last, at):
        ttl = models.facts(lane.model).cache.ttl
        yield (
            f"a cut {at - last:.0f} seconds after the one before, while cache entries live {ttl}: raise budget.act or the "
            "window, or lower budget.to, so that each lasts longer"
        )


def is_too_soon(lane: Lane, last: float, at: float) -> bool:
    """Whether cache entries written after a cut at `last`, in seconds, were still alive when that at `at` voided them."""
    return 0 < at - last < models.facts(lane.model).cache.ttl
