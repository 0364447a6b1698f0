"""Which session and agent a request belongs to: known ones first, then what the store holds, else a new one (K §9.6)."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping

import msgspec

from pumice.domain.edits import Condensed
from pumice.domain.message import Request
from pumice.engine.lane import Lane
from pumice.engine.session import Session
from pumice.faces.proxy import openings
from pumice.faces.proxy.identity import MAIN, Named
from pumice.faces.proxy.openings import Known, Opening

MOST = 4096
"""Buckets remembered; one that was forgotten is read from the store again."""
MOST_ALIKE = 32
"""Conversations of one opening that are told apart; then the oldest gives way."""


class Place(Known):
    """One agent of one session, and what the ledger does not say about it."""

    scope: str = ""
    head: str = ""
    """Which system text it has, see `Opening`."""
    asked: Request | None = None
    """The client's newest request that was sent, however."""
    sent: bytes = b""
    """What went upstream for it."""
    headers: Mapping[str, str] = {}
    """What its headers had besides the client's own."""
    is_rewritten: bool = False
    """The upstream has seen it otherwise than the client sent it."""
    seen: int = 0
    """So many messages of `asked` the upstream saw in calls the engine had no part in."""
    is_torn: bool = False
    """What it saw there did not go on from the view before."""
    stepped_back: str = ""
    """Why its requests go through as they come."""
    condensed: tuple[bytes, Condensed] | None = None
    """Its newest compaction, by what it was made of: a client that asks again is given the same."""

    def meet(self, opening: Opening) -> None:
        """A request of it has come."""
        self.head = opening.head
        if self.shared(opening) < len(self.traces) or len(self.traces) < len(opening.traces):
            self.traces = opening.traces


Open = Callable[[str, str], Session]
"""The session of a name in a scope."""


class Places:
    """All places, by what the requests of a conversation have in common; the requests of one come one after another."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[tuple[str, ...], list[Place]] = OrderedDict()

    def known(self, named: Named, opening: Opening) -> Place | None:
        """The place of a request where it was met before; the store is not asked."""
        places = self._buckets.get(bucket(named, opening), ())
        return openings.choose(list(places), opening, is_named=bool(named.session))

    async def find(self, opened: Open, named: Named, opening: Opening) -> Place:
        """The place of a request; a new session's name is fixed by what its first requests hold, in any process."""
        key = bucket(named, opening)
        known = self._buckets.setdefault(key, [])
        self._buckets.move_to_end(key)
        if len(self._buckets) > MOST:
            self._buckets.popitem(last=False)
        found = openings.choose(known, opening, is_named=bool(named.session))
        if found is None:
            found = await (
                _agent(opened, named, opening, known) if named.session else self._alike(opened, named, opening, known)
            )
        else:
            known.remove(found)
        known.insert(0, found)
        del known[MOST_ALIKE:]
        found.meet(opening)
        return found

    async def _alike(self, opened: Open, named: Named, opening: Opening, known: list[Place]) -> Place:
        """An unnamed conversation nobody here has met: one that goes on after a summary, one in the store, or a new one."""
        before = await self._handed_over(opened, named, opening) if opening.is_hand_over else None
        if before is not None:
            return before
        stem = f"auto-{named.group or opening.head}-{opening.first}"
        if all(place.session != stem for place in known):
            first = await _recalled(opened, stem, MAIN, named.scope)
            if not first.traces or first.goes_on(opening, is_named=False):
                return first
            known.append(first)
        # Of those that open alike the first answer tells them apart; one without an answer yet begins anew with it.
        return await _recalled(opened, f"{stem}-{opening.answer or 'open'}", MAIN, named.scope)

    async def _handed_over(self, opened: Open, named: Named, opening: Opening) -> Place | None:
        """The conversation a client's own summary stands for: it has this system text, and words that stand here again."""
        for key, places in reversed(list(self._buckets.items())):
            for place in places if key[:2] == (named.scope, named.group) else ():
                lane = await _lane(opened, place) if place.head == opening.head else None
                if lane is not None and openings.shares(lane.branch.nodes, opening):
                    return msgspec.structs.replace(place, traces=())
        return None

    def released(self, sessions: Iterable[Session]) -> None:
        """Sessions were let go: nothing of their texts stays here either."""
        names = {session.id for session in sessions}
        for places in list(self._buckets.values()):
            for place in places:
                if place.session in names:
                    place.asked, place.sent, place.condensed = None, b"", None


def bucket(named: Named, opening: Opening) -> tuple[str, ...]:
    """What all requests of a conversation have in common."""
    if named.session:
        return named.scope, named.session, named.agent
    return named.scope, named.group, opening.head, opening.first


async def _agent(opened: Open, named: Named, opening: Opening, known: list[Place]) -> Place:
    """An agent of a session the client names: one in the store, or a new one where it says nothing that is known."""
    tree = await opened(named.session, named.scope).loaded()
    met = {place.agent for place in known}
    mine = [agent for agent in tree.current if agent == named.agent or agent.startswith(f"{named.agent}-")]
    known += [await _recalled(opened, named.session, agent, named.scope) for agent in reversed(mine) if agent not in met]
    found = openings.choose(known, opening, is_named=True)
    if found is None and opening.is_hand_over and known:
        # After its own summary a client shares nothing with what was before: who has this system text, else the newest.
        found = next((place for place in known if place.head == opening.head), known[0])
    if found is not None:
        known.remove(found)
        return found
    return Place(named.session, f"{named.agent}-{opening.first}" if known else named.agent, scope=named.scope)


async def _lane(opened: Open, place: Place) -> Lane | None:
    return (await opened(place.session, place.scope).loaded()).current.get(place.agent)


async def _recalled(opened: Open, session: str, agent: str, scope: str) -> Place:
    """A place as the store has it; without traces where it has none."""
    place = Place(session, agent, scope=scope)
    tree = await opened(session, scope).loaded()
    place.stepped_back = tree.stepped_back.get(agent, "")
    if (lane := tree.current.get(agent)) is not None:
        place.traces = openings.of_nodes(lane.branch.nodes)
        place.is_rewritten = lane.cut is not None or bool(lane.branch.forms)
    return place
