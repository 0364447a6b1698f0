"""The scripted upstream's ASGI app: every provider's paths, the double's strictness, and a fault for any call."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec
from starlette.types import Message, Receive, Scope, Send

from pumice import wire
from pumice.errors import InvalidInput
from pumice.faces.proxy import bodies, codings, refusals, routes
from pumice.faces.proxy.routes import ANTHROPIC, GEMINI, Route
from pumice.faces.upstream import listings
from pumice.faces.upstream.faults import Answer, Fault, altered, instead
from pumice.wire.double import OVER, Double, Step
from pumice.wire.sse import Parser

_NO_FAULT = Fault()
_CREDENTIALS = ("x-api-key", "authorization", "x-goog-api-key")
MAX_BODY = 64 * 1024 * 1024
"""Bytes of a request body, encodings undone."""


class Seen(msgspec.Struct, frozen=True):
    """A request as it arrived."""

    method: str
    path: str
    """As it was written, escapes and all."""
    query: str
    headers: Mapping[str, str]
    body: bytes
    """As it came over the wire, encodings and all."""


class Upstream:
    """An ASGI app that answers model calls step by step from a script and refuses what the provider would refuse.

    Steps and `beyond` are the double's. `faults` befall the next calls in turn; a call without one goes well. A request
    without a credential is refused.
    """

    def __init__(
        self, script: Sequence[Step] = (), *, beyond: Step = OVER, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.double = Double(script, beyond=beyond)
        self.faults: deque[Fault] = deque()
        self.seen: list[Seen] = []
        self.left = asyncio.Event()
        """Set when a client has left before its answer was complete."""
        self._clock = clock

    def then(self, *faults: Fault) -> None:
        """What befalls the next calls."""
        self.faults.extend(faults)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await _lifespan(receive, send)
        seen = await _read(scope, receive)
        self.seen.append(seen)
        route = routes.find(seen.method, seen.path, seen.headers)
        fault = self.faults.popleft() if self.faults else _NO_FAULT
        answer = instead(fault, route) or self._answer(seen, route)
        return await self._send(altered(answer, fault, route), fault, receive, send)

    def _answer(self, seen: Seen, route: Route) -> Answer:
        if route.provider == ANTHROPIC and "anthropic-version" not in seen.headers:
            return _refused(route, 400, "anthropic-version: header is required")
        if not any(name in seen.headers for name in _CREDENTIALS) and "key=" not in seen.query:
            return _refused(route, 401, "no credential in the headers")
        try:
            return self._found(seen, route)
        except InvalidInput as error:
            return _refused(route, 400, str(error))

    def _found(self, seen: Seen, route: Route) -> Answer:
        if route.dialect in wire.dialects:
            return self._called(seen, route)
        made = listings.find(seen.method, seen.path, lambda: _plain(seen))
        if made is None:
            return _refused(route, 404, f"{seen.method} {seen.path} is not known here")
        return Answer(200, made)

    def _called(self, seen: Seen, route: Route) -> Answer:
        betas = [name.strip() for name in seen.headers.get("anthropic-beta", "").split(",") if name.strip()]
        reply = self.double.answer(
            _plain(seen),
            route.dialect,
            at=self._clock(),
            betas=betas if route.provider == ANTHROPIC else None,
            model=route.model,
            is_stream=route.is_stream,
        )
        headers = (("request-id" if route.provider == ANTHROPIC else "x-request-id", f"req_double{len(self.seen):04d}"),)
        if not reply.is_stream:
            return Answer(reply.status, reply.body, headers=headers)
        if route.provider == GEMINI and "alt=sse" not in seen.query:
            return Answer(reply.status, _as_array(reply.body), headers=headers)
        return Answer(reply.status, reply.body, "text/event-stream", headers)

    async def _send(self, answer: Answer, fault: Fault, receive: Receive, send: Send) -> None:
        gone = asyncio.ensure_future(bodies.left(receive))
        try:
            await send(_start(answer, is_stream=answer.content_type == "text/event-stream"))
            await self._pieces(answer.body, fault, gone, send)
        finally:
            gone.cancel()

    async def _pieces(self, body: bytes, fault: Fault, gone: "asyncio.Future[None]", send: Send) -> None:
        for piece in _split(body, fault):
            if fault.pause:
                await asyncio.wait({gone}, timeout=fault.pause)
            if gone.done():
                self.left.set()
                return
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        if fault.stall_after is not None and fault.stall_after < len(body):
            await gone
            self.left.set()
        elif fault.cut_after is None or fault.cut_after >= len(body):
            await send({"type": "http.response.body"})


def _split(body: bytes, fault: Fault) -> Iterator[bytes]:
    ends = [end for end in (fault.cut_after, fault.stall_after) if end is not None]
    sent = body[: min(ends)] if ends else body
    return (sent[start : start + fault.piece] for start in range(0, len(sent), fault.piece))


def _start(answer: Answer, *, is_stream: bool) -> Message:
    headers = [("content-type", answer.content_type), *answer.headers]
    headers += [] if is_stream else [("content-length", str(len(answer.body)))]
    encoded = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    return {"type": "http.response.start", "status": answer.status, "headers": encoded}


async def _read(scope: Scope, receive: Receive) -> Seen:
    chunks, more = [], True
    while more:
        message = await receive()
        chunks.append(message.get("body", b""))
        more = message.get("more_body", False)
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
    path = (scope.get("raw_path") or scope["path"].encode()).decode("latin-1")
    return Seen(scope["method"], path, scope["query_string"].decode("latin-1"), headers, b"".join(chunks))


async def _lifespan(receive: Receive, send: Send) -> None:
    for step in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{step}.complete"})


def _plain(seen: Seen) -> bytes:
    return codings.decode(seen.body, seen.headers.get("content-encoding", ""), MAX_BODY)


def _refused(route: Route, status: int, message: str) -> Answer:
    return Answer(status, refusals.body(route.named, status, message))


def _as_array(stream: bytes) -> bytes:
    """Gemini's other form of a stream: one JSON array."""
    return b"[" + b",\r\n".join(event.data for event in Parser().feed(stream)) + b"]"
