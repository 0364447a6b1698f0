"""The gate with the engine behind it: every call is compiled, and whatever breaks, a request goes upstream (DESIGN §7).

The engine runs on threads of its own; what is said to it there is in `desk.py`.
"""

import time

import msgspec

from pumice import wire
from pumice.domain import scope as scopes
from pumice.domain.message import Request, Response
from pumice.domain.ports import Sealer
from pumice.engine import sealing
from pumice.errors import BadRequest, CannotFit
from pumice.faces.proxy import answering, identity, openings, own, refusals, side, turn, verdicts
from pumice.faces.proxy.ask import Ask
from pumice.faces.proxy.below import Below, Engines, sent_without
from pumice.faces.proxy.descent import Kept
from pumice.faces.proxy.desk import REFUSED, Desk, Rules
from pumice.faces.proxy.emulate import demand as demands
from pumice.faces.proxy.emulate import replies, spelling, work
from pumice.faces.proxy.emulate.demand import Demand, is_beside
from pumice.faces.proxy.emulate.setting import Emulation
from pumice.faces.proxy.gate import Call, Open, Prepared, Reply, Stage
from pumice.faces.proxy.identity import Named
from pumice.faces.proxy.managed import Managed, managed
from pumice.faces.proxy.places import Places, bucket
from pumice.faces.proxy.recent import Recent
from pumice.faces.proxy.turn import Turn
from pumice.faces.proxy.workers import COUNT, Workers
from pumice.store.known_secrets import show
from pumice.wire.emulated.asked import Unacceptable

SWITCH = "x-pumice"
OFF = "off"


class EngineGate(Open):
    """See `Gate`. `prepare` never raises for a fault of its own, and never takes longer than `seconds`.

    Of a broken answer nothing is recorded: the next request is aligned with what was.
    """

    def __init__(
        self,
        engines: Engines,
        hashed: identity.Hash,
        rules: Rules,
        *,
        seconds: float = 10.0,
        spare: Engines | None = None,
        emulation: Emulation | None = None,
        sealer: Sealer | None = None,
    ) -> None:
        """`engines` are made on the threads that run them; `spare` are such as need no store.

        `emulation` says for which upstreams what clients ask of a provider is done here; by default for none. With a `sealer`
        a conversation that goes on from a sealed item of this store is known by that.
        """
        self._emulation = emulation or Emulation()
        self._sealer = sealer
        self._hashed = hashed
        self._rules = rules
        self._seconds = seconds
        self._places = Places()
        self._workers: Workers[Desk] = Workers(lambda: Desk(engines(), self._places, rules, COUNT))
        self._below = Below(self._places, rules, spare, seconds=seconds)
        self._newest = Recent(rules.memory // 8)

    async def prepare(self, call: Call) -> Prepared:
        try:
            ask = self._read(call)
        except Unacceptable as error:
            return replies.refused(call, error)
        except BadRequest:
            return _let_by(call)  # What is wrong with it the provider says.
        if not isinstance(ask, Ask):
            return ask
        try:
            if ask.demand is not None and ask.demand.is_count:
                return await self._counted(ask, ask.demand)
            made = await self._compiled(ask)
        except CannotFit as error:
            made = self._refusal(ask, error)
        except Exception as error:  # noqa: BLE001 - the engine must never be the reason a call fails
            if ask.demand is not None and is_beside(call):
                return Prepared(ask.call.body, headers=ask.call.changed)
            if ask.demand is not None and ask.demand.is_answered_here:
                return replies.unavailable(call, type(error).__name__)
            made = await self._below.fallen(ask, key_of(ask), error)
            made = made if ask.demand is None else work.dressed(made, ask.demand)
        if ask.demand is not None:
            made = self._spelled(made, ask, ask.demand)
        made.key, made.at = key_of(ask), time.time()
        return made

    async def _compiled(self, ask: Ask) -> Turn:
        return await self._workers.run(key_of(ask), lambda desk: desk.prepare(ask), self._seconds)

    async def _counted(self, ask: Ask, demand: Demand) -> Prepared:
        body = await self._workers.run(key_of(ask), lambda desk: desk.counted(demand), self._seconds)
        return Prepared(ask.call.body, Stage.COMPILED, reply=Reply(200, body, refusals.JSON))

    def _read(self, call: Call) -> Ask | Prepared:
        """What the engine is asked, or the request that goes through without it. Raises BadRequest."""
        show(identity.credentials(call))
        mark = (call.dialect, *(call.headers.get(name, "") for name in (identity.SESSION, *identity.MARKS)))
        before = self._newest.find(mark)
        request = wire.get(call.dialect).open(call.body, before[0] if before else None).for_model(call.model)
        if request.fields.get("stream") == b"true":
            call = msgspec.structs.replace(call, is_stream=True)
        is_off = call.headers.get(SWITCH, "").strip().lower() == OFF
        demand = None if is_off else demands.read(call, request, self._emulation, before[0] if before else None)
        if demand is None and is_beside(call):
            return Prepared(call.body)
        if demand is not None:
            return self._demanded(demand)
        who = managed(request)
        if side.reason(call, request) or who is Managed.PART:
            return turn.passed(call, Stage.PASSED, request)
        opening = openings.again(request, *before) if before else None
        opening = opening or openings.read(request, self._hashed)
        if not is_off:  # what it asks for has not been looked for
            self._newest.keep(mark, request, opening)
        named = self._named(call, request)
        ask = Ask(call, request, named, opening, _kept(call, request, who))
        return self._off(ask) if is_off else ask

    def _demanded(self, demand: Demand) -> Ask | Prepared:
        """The same for a call that asks for something which is done here."""
        call, request = demand.call, demand.request
        is_side = not demand.is_managed and not is_beside(call) and side.reason(call, request)
        if is_side or managed(request) is Managed.PART:
            return turn.passed(call, Stage.PASSED, request)
        kept = Kept.BY_EDITS if demand.is_managed else _kept(call, request, managed(request))
        opening = openings.read(demand.opens, self._hashed)
        return Ask(call, request, self._carried(demand, self._named(call, request)), opening, kept, demand)

    def _carried(self, demand: Demand, named: Named) -> Named:
        """Whose conversation it is, where no mark says so but an item it goes on from does."""
        item = demand.item
        if named.session or not item or self._sealer is None:
            return named
        session = sealing.session_of(self._sealer, item, scopes.parse(named.scope))
        return msgspec.structs.replace(named, session=session)

    def _spelled(self, made: Turn, ask: Ask, demand: Demand) -> Turn:
        return spelling.spelled(made, demand, self._sealer, scopes.parse(ask.named.scope))

    def _named(self, call: Call, request: Request) -> Named:
        return identity.named(call, request, self._hashed, is_alone=self._rules.is_alone)

    def _off(self, ask: Ask) -> Turn:
        place = self._places.known(ask.named, ask.opening)
        made = turn.passed(ask.call, Stage.OFF, ask.request, place)
        made.key, made.at = key_of(ask), time.time()
        if place is not None:
            sent_without(place, made, is_other=place.is_rewritten)
        return made

    def _refusal(self, ask: Ask, error: CannotFit) -> Turn:
        """Nothing fits, and the policy is strict: said in the provider's words (DESIGN §7)."""
        needed = sum(tokens for _, tokens in error.parts)
        said = f"prompt is too long: {needed} tokens > {error.budget} maximum"
        body = refusals.body(ask.call.dialect, 400, said, code="context_length_exceeded")
        return Turn(ask.call.body, Stage.FLOOR, call=ask.call, reply=Reply(400, body, refusals.JSON))

    def feed(self, prepared: Prepared, chunk: bytes) -> None:
        if isinstance(prepared, Turn) and prepared.recorder is not None:
            try:
                prepared.recorder.feed(chunk)
            except Exception:  # noqa: BLE001 - a copy that cannot be read is not recorded; the stream goes on
                prepared.recorder = None

    async def answered(self, prepared: Prepared, reply: Reply | None) -> None:
        if not isinstance(prepared, Turn) or prepared.reply is not None:
            return
        show(identity.credentials(prepared.call))
        response = turn.answer(prepared, reply)
        if response is None:
            return
        if prepared.is_retry and prepared.place is not None:
            await self._step_back(prepared)
        elif prepared.view is not None:
            await self._record(prepared, response)
        elif prepared.place is not None and prepared.key and turn.FAULT not in prepared.told:  # a store that fails is let alone
            await self._workers.run(prepared.key, lambda desk: desk.let_by(prepared, response), self._seconds)

    async def _record(self, done: Turn, response: Response) -> None:
        await self._workers.run(done.key, lambda desk: desk.answered(done, response), self._seconds)

    async def _step_back(self, done: Turn) -> None:
        """The client's own request was taken where ours was refused: from now on it is sent (K-P8)."""
        place = done.place
        assert place is not None
        sent_without(place, done, is_other=True)
        await self._workers.run(done.key, lambda desk: desk.step_back(place, REFUSED), self._seconds)

    async def broken(self, prepared: Prepared) -> None:
        if isinstance(prepared, Turn) and prepared.view is not None:
            await self._workers.run(prepared.key, lambda desk: desk.tidy(), self._seconds)

    async def refused(self, call: Call, prepared: Prepared, reply: Reply) -> Prepared | None:  # noqa: ARG002 - the turn has it
        if not isinstance(prepared, Turn) or prepared.request is None:
            return None
        if verdicts.is_too_long(verdicts.text(reply)):
            said = verdicts.text(reply)
            await self._workers.run(prepared.key, lambda desk: desk.refused(prepared, said), self._seconds)
            return None
        is_ours = prepared.is_rewritten and not prepared.is_retry
        if not is_ours or not verdicts.is_structural(reply) or own.demands_binding(prepared.request):
            return None
        again = turn.passed(prepared.call, Stage.CLIENT, prepared.request, prepared.place)
        again.is_retry, again.key, again.at = True, prepared.key, prepared.at
        ask = prepared.ask
        return again if ask is None or ask.demand is None else self._spelled(work.dressed(again, ask.demand), ask, ask.demand)

    async def held(self, call: Call, prepared: Prepared, reply: Reply) -> Reply | Prepared:  # noqa: ARG002 - the turn has it
        if not isinstance(prepared, Turn):
            return reply
        show(identity.credentials(prepared.call))
        try:
            made = await self._workers.run(prepared.key, lambda desk: answering.heard(desk, prepared, reply), self._seconds)
        except Exception as error:  # noqa: BLE001 - the engine must never be the reason a call fails
            made = answering.unheard(prepared, reply, self._rules.policy.offload.read_back.tool, type(error).__name__)
            if isinstance(made, Turn) and made.place is not None:
                sent_without(made.place, made, is_other=made.stage is not Stage.LAST_GOOD)
        if isinstance(made, Turn):
            made.key, made.at = prepared.key, time.time()
        return made

    async def close(self) -> None:
        await self._workers.close(lambda desk: desk.close())
        await self._below.close()


def _let_by(call: Call) -> Prepared:
    return Prepared(call.body) if is_beside(call) else turn.passed(call, Stage.PASSED)


def _kept(call: Call, request: Request, who: Managed) -> Kept:
    if who is Managed.WHOLE:
        return Kept.BY_PROVIDER
    return Kept.FOR_SUMMARY if side.is_compaction(call, request) else Kept.NO


def key_of(ask: Ask) -> str:
    """What puts all calls of a conversation on one thread."""
    return "\0".join(bucket(ask.named, ask.opening))
