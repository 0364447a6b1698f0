"""What a caller does by hand: compact now, pin, unpin, roll back."""

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from pumice import wire
from pumice.commit.notes import ordinal
from pumice.domain import marks
from pumice.domain import scope as scopes
from pumice.domain.state import Pin
from pumice.engine import calling, journal, resident
from pumice.engine.call import View
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane
from pumice.errors import InvalidInput
from pumice.wire import envelope, jsonbytes

if TYPE_CHECKING:
    from pumice.engine.session import Session


def lane_of(session: "Session", agent: str) -> Lane:
    """The agent's newest lane; raises InvalidInput before its first call."""
    if agent not in session.tree.current:
        known = ", ".join(session.tree.current) or "none yet"
        raise InvalidInput(f"agent {agent!r} has no call in session {session.id!r}; known agents: {known}.")
    return session.tree.current[agent]


async def compact(session: "Session", agent: str, reason: str, focus: str, target: int | None) -> View:
    """An epoch with cause `requested` over everything there is, sent as the client's newest request."""
    lane = lane_of(session, agent)
    # As the client sent it; after a restart only the store's form is known, secrets replaced: it is no new head.
    head = lane.head_raw or session.tree.heads[lane.name][-1]
    dialect = wire.get(lane.dialect.name)
    request = dialect.open(envelope.bare(jsonbytes.members(head), dialect.field))
    request = dialect.open(dialect.close(request, lane.branch.wire)).for_model(lane.model)
    request = msgspec.structs.replace(request, head=msgspec.structs.replace(request.head, key=lane.head_key))
    asked = calling.Asked(_clean(session, reason), _clean(session, focus), target)
    return await calling.compile_call(
        session, calling.Step(request, jsonbytes.decode(request.body), agent, session.context.window, None, asked)
    )


async def end_phase(session: "Session", agent: str, name: str) -> None:
    """A phase has ended in the agent's newest lane."""
    if not name.strip():
        raise InvalidInput("a phase without a name.", hint="Name what has ended, such as 'design'.")
    lane = lane_of(session, agent)
    session.write(Entry(lane.branch.name, journal.PhaseEvent(lane.name, _clean(session, name))))
    await session.outbox.flush(session.context.ports.clock())


async def pin(session: "Session", text: str, authority: str, expires: str, scope: str) -> Pin:
    """A pin made by hand, recorded for every lane of the session."""
    if not text.strip():
        raise InvalidInput("an empty pin.", hint="Give the words that must stand in every view.")
    text, within = _clean(session, text), _within(session, scope)
    made = Pin(pin_id(text, within), "", text, text, by_hand=True, authority=authority, expires=expires, scope=within)
    session.write(Entry(session.tree.first, journal.PinEvent(made)))
    await session.outbox.flush(session.context.ports.clock())
    return made


async def note(session: "Session", notes: Mapping[str, str]) -> None:
    """Notes given by hand, by topic; recorded for every lane of the session."""
    for topic, text in notes.items():
        if not topic.strip() or not topic.isprintable() or not marks.is_plain(text):
            said = f"note {topic[:60]!r}: expected a topic of one line, and words none of which read like pumice's own."
            raise InvalidInput(said, hint=f"Begin no line with {marks.GAP}, and quote no mark.")
    kept = {_clean(session, topic): _clean(session, text) for topic, text in notes.items()}
    newest = max((ordinal(name) for name in session.blocks()), default=0)
    session.write(Entry(session.tree.first, journal.JotEvent(kept, newest)))
    await session.outbox.flush(session.context.ports.clock())


async def give(session: "Session") -> None:
    """Put on record what the caller has given as resident content."""
    resident.take(session)
    await session.outbox.flush(session.context.ports.clock())


async def unpin(session: "Session", pin_id: str) -> None:
    """Let a pin made by hand go."""
    if pin_id not in session.tree.pins:
        raise InvalidInput(f"pin {pin_id!r} is not known; hand-made pins: {', '.join(session.tree.pins) or 'none'}.")
    session.write(Entry(session.tree.first, journal.UnpinEvent(pin_id)))
    await session.outbox.flush(session.context.ports.clock())


async def step_back(session: "Session", agent: str, reason: str) -> None:
    """An agent's requests go through as they come, for a reason, or are compiled again."""
    session.write(Entry(session.tree.first, journal.StepBackEvent(agent, _clean(session, reason))))
    await session.outbox.flush(session.context.ports.clock())


async def learn(session: "Session", lane: Lane, limit: int) -> None:
    """A window the provider has named for the lane's model."""
    session.write(Entry(lane.branch.name, journal.LimitEvent(lane.model, limit)))
    await session.outbox.flush(session.context.ports.clock())


async def roll_back(session: "Session", agent: str, epoch: int) -> None:
    """Show the lane as in an earlier epoch, as a new epoch."""
    lane = lane_of(session, agent)
    known = [item.number for item in lane.epochs]
    if epoch not in known:
        raise InvalidInput(f"epoch {epoch} given; lane {lane.name} has {', '.join(map(str, known))}.")
    event = journal.RollbackEvent(lane.name, epoch, lane.epoch.number + 1)
    session.write(Entry(lane.branch.name, event))
    await session.outbox.flush(session.context.ports.clock())


def _within(session: "Session", scope: str) -> str:
    """A scope of the session's own tenant, which need not be named; empty for all of the session. Raises InvalidInput."""
    tenant = session.context.scope.tenant
    found = scopes.parse(scope if scope.startswith("tenant:") else f"tenant:{tenant}/{scope}")
    if found.tenant != tenant:
        raise InvalidInput(f"scope {scope!r} given, expected one of tenant {tenant}.")
    return str(found) if scope else ""


def _clean(session: "Session", text: str) -> str:
    """A caller's words as the store may hold them."""
    return session.context.store.redactor(text).text


def pin_id(text: str, scope: str) -> str:
    """Name of a hand-made pin: the same words in the same scope are the same pin."""
    text = f"{text}\n{scope}" if scope else text
    return "p" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
