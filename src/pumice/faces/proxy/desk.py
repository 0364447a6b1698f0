"""What one worker of the gate has: an engine, the sessions it holds, and the steps of a call that need them."""

import asyncio
import time

import msgspec

from pumice.domain.account import Facts
from pumice.domain.message import Response
from pumice.domain.policy import Policy
from pumice.domain.redeem import TOOL
from pumice.engine import books
from pumice.engine.context import Ports
from pumice.engine.engine import ACTIVE, AsyncEngine
from pumice.engine.session import Session
from pumice.engine.terms import Rung, Terms
from pumice.errors import CannotFit
from pumice.faces.proxy import descent, memory, noting, turn
from pumice.faces.proxy.ask import Ask
from pumice.faces.proxy.descent import Asked, Kept
from pumice.faces.proxy.emulate import counting, work
from pumice.faces.proxy.emulate.demand import Demand
from pumice.faces.proxy.gate import Stage
from pumice.faces.proxy.identity import SCOPE
from pumice.faces.proxy.places import Place, Places
from pumice.faces.proxy.turn import Turn
from pumice.store.home import memory_store

TRIM_AFTER = 8
"""Sessions let go before their memory is given back."""
RESTS_AFTER = (6.0, ACTIVE + 1)
"""Seconds without a call until memory is given back, and until sessions that took turns are let go too."""
REFUSED = "the provider refused what was rewritten"
COSTS = "it costs more than the client's own requests"


class Rules(msgspec.Struct, frozen=True):
    """How calls are compiled."""

    policy: Policy
    window: int | None = None
    memory: int = 24 * 1024 * 1024
    """Bytes that sessions of all workers may take, roughly; the least recently used are read from the store again."""
    is_here: bool = True
    """Clients run on this machine: what they are pointed at they can open."""
    is_alone: bool = True
    """Whoever can connect is the same person."""

    def within(self, seconds: float) -> "Rules":
        """The same where no call waits longer for a model's answers than half of what it may wait for the engine."""
        questions = self.policy.questions
        questions = msgspec.structs.replace(questions, wait_seconds=min(questions.wait_seconds, seconds / 2))
        return msgspec.structs.replace(self, policy=msgspec.structs.replace(self.policy, questions=questions))


def _must_be_done(ask: Ask, reason: str) -> bool:
    """Whether a call is compiled although its place has stepped back: what the client asks for is not ours to leave."""
    return ask.demand is not None and (reason == COSTS or ask.demand.is_answered_here)


class Desk:
    """One worker's engine; everything of a conversation happens at the same desk, one thing after another."""

    def __init__(self, engine: AsyncEngine, places: Places, rules: Rules, share: int) -> None:
        self.engine = engine
        self._places = places
        self._rules = rules
        self._most = rules.memory // share
        self._finding = asyncio.Lock()
        self._released = 0
        self._resting: list[asyncio.TimerHandle] = []
        self._rest: asyncio.Task[None] | None = None

    @property
    def policy(self) -> Policy:
        return self._rules.policy

    @property
    def window(self) -> int | None:
        return self._rules.window

    def session(self, name: str, scope: str) -> Session:
        return self.engine.session(name, scope=scope, policy=self._rules.policy, window=self._rules.window)

    async def prepare(self, ask: Ask) -> Turn:
        """What goes upstream for a call, as far as the engine can say. Raises where it cannot."""
        async with self._finding:  # two requests of a new conversation must not become two conversations
            place = await self._places.find(self.session, ask.named, ask.opening)
        if place.stepped_back and not _must_be_done(ask, place.stepped_back):
            stage = Stage.OFF if place.stepped_back == COSTS else Stage.CLIENT
            return turn.passed(ask.call, stage, ask.request, place)
        return await self._done(ask, place)

    async def again(self, done: Turn) -> Turn:
        """The same call with what has been read back since."""
        assert done.ask is not None
        assert done.place is not None
        return await self._done(done.ask, done.place)

    async def _done(self, ask: Ask, place: Place) -> Turn:
        return await (self.compiled(ask, place) if ask.demand is None else work.compiled(self, ask, place, ask.demand))

    async def compiled(self, ask: Ask, place: Place) -> Turn:
        """A call of a known place. Raises what no rung helps against."""
        call, request = ask.call, ask.request
        rung = Rung.WHOLE if ask.kept is Kept.NO else Rung.HELD
        edits = ask.demand.asked.edits if ask.demand is not None else ()
        terms = Terms(rung, place.seen, place.is_torn, is_here=self._rules.is_here, answers=True, edits=edits)
        asked = Asked(request, place.agent, self._rules.window, terms, not self._rules.policy.strict, ask.kept)
        session = self.session(place.session, place.scope)
        before = noting.pulse(session, place.agent)
        try:
            landed = await descent.descend(session, asked)
        except CannotFit:
            if ask.kept is not Kept.BY_PROVIDER:
                raise
            return turn.passed(call, Stage.PASSED, request, place)  # The provider looks after its size.
        made = turn.compiled(call, request, place, landed.view, self._stage(ask, landed))
        made.ask, made.seen = ask, noting.of(session, landed.view, before)
        made.is_held = session.tree.lanes[landed.view.lane].how.by == TOOL
        self._note(place, made)
        if landed.faults:
            made.told = {**made.told, turn.FAULT: landed.faults[0]}
        if not ask.named.is_narrowed:
            made.told = {**made.told, SCOPE: "own"}
        return made

    def _stage(self, ask: Ask, landed: descent.Landed) -> Stage:
        if ask.kept in (Kept.BY_PROVIDER, Kept.FOR_SUMMARY) and landed.rung is Rung.HELD:
            return Stage.PASSED if landed.view.raw == ask.request.body else Stage.COMPILED
        return Stage.COMPILED if ask.kept is Kept.BY_EDITS and landed.rung is Rung.HELD else descent.STAGES[landed.rung]

    def _note(self, place: Place, made: Turn) -> None:
        place.asked, place.sent, place.headers = made.request, made.body, made.added
        place.is_rewritten = place.is_rewritten or made.is_rewritten
        place.seen, place.is_torn = 0, False

    async def answered(self, done: Turn, response: Response) -> None:
        """Record a whole answer, put the call on the books, and step back where it costs more."""
        assert done.place is not None
        assert done.view is not None
        place, view = done.place, done.view
        session = self.session(place.session, place.scope)
        await session.record(response, view)
        facts = books.facts(session, view, stage=done.stage, usage=response.usage, at=done.at)
        done.row = await session.books.enter(msgspec.structs.replace(facts, is_own=not place.is_rewritten))
        is_asked = done.ask is not None and done.ask.demand is not None  # What the client wants is not ours to step back from.
        if not is_asked and await session.books.costs_more(place.agent, usable=view.usable.tokens):
            await self.step_back(place, COSTS)
        await self.tidy()

    async def let_by(self, done: Turn, response: Response) -> None:
        """Put a call on the books that went upstream without the engine."""
        assert done.place is not None
        place, session = done.place, self.session(done.place.session, done.place.scope)
        facts = Facts(
            key=session.context.key,
            at=done.at,
            model=done.request.model if done.request is not None else response.model,
            dialect=done.call.dialect,
            stage=done.stage,
            policy=session.context.policy.name,
            agent=place.agent,
            usage=response.usage,
            is_own=done.stage not in (Stage.LAST_GOOD, Stage.FLOOR),
        )
        done.row = await session.books.enter(facts)

    async def watched(self, done: Turn, response: Response) -> None:
        """Record the answer to the client's own request beside the view that would have been sent (F-H10)."""
        assert done.place is not None
        assert done.view is not None
        session = self.session(done.place.session, done.place.scope)
        # What was reported is the size of the client's request: of another view it measures nothing.
        await session.record(msgspec.structs.replace(response, usage=None) if done.is_rewritten else response, done.view)
        facts = books.facts(session, done.view, stage=Stage.OBSERVED, usage=response.usage, at=done.at)
        done.row = await session.books.enter(books.observed(facts))
        await self.tidy()

    async def step_back(self, place: Place, reason: str) -> None:
        """From now on the place's requests go through as they come."""
        place.stepped_back = reason
        await self.session(place.session, place.scope).step_back(reason, agent=place.agent)

    async def refused(self, done: Turn, said: str) -> None:
        """A provider's "too long": the window it names holds from now on."""
        if done.place is not None and done.view is not None:
            await self.session(done.place.session, done.place.scope).refused(said, done.view)

    async def counted(self, demand: Demand) -> bytes:
        """What `count_tokens` answers for a request, edits done; nothing of it is kept."""
        engine = AsyncEngine(memory_store(), Ports(clock=time.time), lambda _: self._rules.policy)
        try:
            return await counting.preview(engine, demand)
        finally:
            await engine.close()

    async def tidy(self) -> None:
        """Let go of what memory has no room for, now and once nobody has called for a while."""
        await self._let_go()
        if self._released >= TRIM_AFTER:
            self._give_back()
        self._stay_awake()
        loop = asyncio.get_running_loop()
        self._resting = [loop.call_later(seconds, self._begin_rest) for seconds in RESTS_AFTER]

    def _stay_awake(self) -> None:
        for rest in self._resting:
            rest.cancel()

    def _begin_rest(self) -> None:
        self._rest = asyncio.ensure_future(self.rest())

    async def rest(self) -> None:
        """Hold no more than sessions nobody works with may take, and give what they took back to the system."""
        await self._let_go()
        self._give_back()

    async def _let_go(self) -> None:
        released = await self.engine.release(self._most)
        self._places.released(released)
        self._released += len(released)

    def _give_back(self) -> None:
        self._released = 0
        memory.give_back()

    async def close(self) -> None:
        self._stay_awake()
        if self._rest is not None:
            await asyncio.wait({self._rest})
        await self.engine.close()
