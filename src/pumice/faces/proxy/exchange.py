"""One model call: what the client sent goes through the gate and upstream, what comes back is relayed as it is (K-P1 to K-P11).

Nothing is sent twice but for K-P8: a request the upstream refused may be replaced once, before the client saw a byte.
"""

import asyncio
import contextlib
import time

from aiohttp import ClientResponse
from starlette.types import Receive, Scope, Send

from pumice.faces.proxy import bodies, codings, headers, reshaping
from pumice.faces.proxy import flight as flights
from pumice.faces.proxy.codings import Damaged, TooLarge, Unsupported
from pumice.faces.proxy.collecting import Collected, collected
from pumice.faces.proxy.config import Config
from pumice.faces.proxy.flight import Flight
from pumice.faces.proxy.gate import Prepared
from pumice.faces.proxy.journal import LEFT, Entry, Journal
from pumice.faces.proxy.outlet import Outlet
from pumice.faces.proxy.routes import Route
from pumice.faces.proxy.shield import Shield
from pumice.faces.proxy.tap import STREAM, Tap
from pumice.faces.proxy.upstream import FAULTS, Unreachable, Upstreams, unreachable

MOST_ROUNDS = 64
"""Requests one call may send upstream: a gate that wants more would never end."""


class Exchange:
    """Answers model calls. A call costs no connection, no session and no copy of its body."""

    def __init__(self, config: Config, gate: Shield, upstreams: Upstreams, journal: Journal) -> None:
        self._limits, self._gate, self._upstreams, self._journal = config.limits, gate, upstreams, journal

    async def answer(self, scope: Scope, receive: Receive, send: Send, route: Route, entry: Entry) -> None:
        """One call from its first byte to its last."""
        outlet = Outlet(send, entry)
        given = headers.read(scope["headers"])
        try:
            raw = await bodies.read(receive, given.get("content-length", ""), self._limits.max_body)
            body = codings.decode(raw, given.get("content-encoding", ""), self._limits.max_body)
        except bodies.ClientLeft:
            entry.fault = LEFT
            return
        except (Unsupported, Damaged, TooLarge) as error:
            entry.fault = "body"
            await outlet.refuse(413 if isinstance(error, TooLarge) else 400, str(error), code=flights.code(error, given))
            return
        flight = Flight(flights.call(scope, given, body, route), raw, scope, route, entry, outlet, time.perf_counter())
        self._journal.received.add(route.dialect, by=len(raw))
        try:
            await self._flown(flight, receive)
        finally:
            entry.prepared = flight.prepared
            entry.model = flights.model(flight.call) if self._journal.ended is not None else ""
            await self._tell(flight)

    async def _flown(self, flight: Flight, receive: Receive) -> None:
        """The call until it is answered or its client has left, whichever comes first (K-P9)."""
        work = asyncio.ensure_future(self._guarded(flight))
        gone = asyncio.ensure_future(bodies.left(receive))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                flight.entry.fault = LEFT
        finally:
            gone.cancel()
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work

    def _tell(self, flight: Flight) -> "asyncio.Future[None]":
        """The gate told once how it ended; begins at once, so that a next call finds it told.

        A task of its own: a client that leaves after its answer does not keep the gate from hearing of it.
        """
        if flight.telling is None:
            flight.telling = asyncio.ensure_future(self._told(flight))
        return flight.telling

    async def _told(self, flight: Flight) -> None:
        prepared, tap = flight.prepared, flight.tap
        if prepared is None or flight.is_told:
            return
        if tap is None or tap.is_blind or not tap.has_ended:
            await self._gate.broken(prepared)
            return
        events = tap.events()
        for event in events:
            self._gate.feed(prepared, event)
        await self._gate.answered(prepared, None if events else tap.reply())

    async def _guarded(self, flight: Flight) -> None:
        try:
            await self._go(flight)
        except Unreachable as error:
            flight.entry.fault = error.kind
            self._journal.faults.add(flight.route.dialect, error.kind)
            if flight.outlet.has_begun and flight.tap is not None:
                return  # The upstream's own stream broke off: so does ours.
            await flight.outlet.refuse(error.status, error.said)

    async def _go(self, flight: Flight) -> None:
        flight.prepared = await self._gate.prepare(flight.call)
        for _ in range(MOST_ROUNDS):
            again = await self._round(flight, flight.prepared)
            if again is None:
                return
            flight.prepared = again
        raise Unreachable(502, "rounds", f"{MOST_ROUNDS} requests did not bring an answer.")

    async def _round(self, flight: Flight, prepared: Prepared) -> Prepared | None:
        """One request sent upstream, or the gate's own answer; the next one to send, if any."""
        outlet = flight.outlet
        outlet.tell(prepared)
        if prepared.reply is not None:
            flight.is_told = True
            await outlet.reply(prepared.reply)
            return None
        answer = await self._asked(flight, prepared)
        with contextlib.closing(answer):
            if answer.status == 400 and flight.refusal is None and not outlet.has_begun:
                return await self._refused(flight, prepared, answer)
            if prepared.is_held and answer.status == 200:
                return await self._held(flight, prepared, answer)
            await self._relay(flight, prepared, answer)
        return None

    async def _asked(self, flight: Flight, prepared: Prepared) -> ClientResponse:
        dialect, started = flight.route.dialect, time.perf_counter()
        if not flight.sent:
            self._journal.prepared.see(started - flight.read_at, dialect)
        flight.sent += 1
        is_own = prepared.body == flight.call.body
        body = flight.raw if is_own else prepared.body
        to_set = {**flights.accepting(flight, prepared), **prepared.headers}
        sent = headers.forwarded(flight.scope["headers"], without=() if is_own else ("content-encoding",), to_set=to_set)
        self._journal.sent.add(dialect, by=len(body))
        answer = await self._upstreams.send(flight.route.provider, "POST", flight.call.path, sent, body)
        self._journal.first_byte.see(time.perf_counter() - started, dialect)
        return answer

    async def _refused(self, flight: Flight, prepared: Prepared, answer: ClientResponse) -> Prepared | None:
        """The gate's other request, or the refusal for the client, word for word."""
        found = await collected(answer, flight.route.dialect, self._limits.max_answer)
        flight.refusal = found
        again = await self._gate.refused(flight.call, prepared, found.reply)
        if again is not None:
            self._journal.retried.add(flight.route.dialect)
            return again
        flight.is_told = True
        await self._gate.answered(prepared, found.reply)
        await flight.outlet.whole(answer.status, headers.relayed(answer.raw_headers, answer.status), found.raw)
        return None

    async def _held(self, flight: Flight, prepared: Prepared, answer: ClientResponse) -> Prepared | None:
        """Collect, ask the gate, and give the client what it makes of it."""
        found = await self._kept_alive(flight, answer)
        made = await self._gate.held(flight.call, prepared, found.reply)
        if isinstance(made, Prepared):
            return made
        flight.is_told = True
        await flight.outlet.reply(reshaping.reshaped(prepared, made))
        return None

    async def _kept_alive(self, flight: Flight, answer: ClientResponse) -> Collected:
        work = asyncio.ensure_future(collected(answer, flight.route.dialect, self._limits.max_answer))
        # Gemini's own clients take a comment in a stream for a broken event.
        takes_comments = answer.content_type == STREAM and flight.call.dialect != "gemini"
        patience = self._limits.keep_alive if takes_comments else None
        try:
            while not work.done():
                await asyncio.wait({work}, timeout=patience)
                if not work.done():
                    await flight.outlet.comment()
            return work.result()
        finally:
            work.cancel()

    async def _relay(self, flight: Flight, prepared: Prepared, answer: ClientResponse) -> None:
        """Chunk by chunk, as it comes; the next is read when the client has taken the last."""
        outlet = flight.outlet
        is_late = outlet.has_begun  # comments went ahead, without an encoding
        if is_late and answer.status != 200:
            raise Unreachable(answer.status, "late", f"the provider answered {answer.status}.")
        tap = flight.tap = Tap(answer, flight.route.dialect, self._limits.max_answer)
        reshaper = reshaping.made(prepared, answer.status, tap)
        is_bare = is_late or reshaper is not None
        if not is_late:
            raw = headers.relayed(answer.raw_headers, answer.status)
            await outlet.begin(answer.status, reshaping.bared(raw) if is_bare else raw)
        try:
            async for chunk in answer.content.iter_any():
                if not is_bare:
                    await outlet.write(chunk)
                plain = tap.see(chunk)
                if is_bare:
                    await outlet.write(reshaper.feed(plain) if reshaper is not None else plain)
                if plain and tap.is_stream:
                    self._gate.feed(prepared, plain)
                if tap.is_over:
                    self._tell(flight)
        except FAULTS as error:
            raise unreachable(error, answer.host) from error
        tap.is_whole = True
        self._tell(flight)
        await outlet.end(reshaper.finish() if reshaper is not None else b"")
