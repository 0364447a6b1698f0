"""A call on its way through the engine's gate: what was decided of it, and what is told to the client."""

import asyncio
from collections.abc import Mapping
from urllib.parse import quote

from pumice import wire
from pumice.domain.message import Request, Response
from pumice.engine.call import View
from pumice.engine.recorder import Recorder
from pumice.faces.proxy import own
from pumice.faces.proxy.ask import Ask
from pumice.faces.proxy.gate import Call, Prepared, Reply, Stage
from pumice.faces.proxy.places import Place
from pumice.wire import sse

CALL, EPOCH, TOKENS, WARNINGS = "x-pumice-call", "x-pumice-epoch", "x-pumice-tokens", "x-pumice-warnings"
FAULT, OVER = "x-pumice-fault", "x-pumice-over"
SESSION = "x-pumice-session"


class Turn(Prepared, kw_only=True):
    """What the gate remembers of a call until its answer is in."""

    call: Call
    request: Request | None = None
    place: Place | None = None
    view: View | None = None
    ask: Ask | None = None
    key: str = ""
    """Whose worker it is on."""
    at: float = 0.0
    """Seconds since 1970 when it was prepared."""
    added: Mapping[str, str] = {}
    """Of its headers what the client did not send."""
    recorder: Recorder | None = None
    """Reads the copy of a streamed answer."""
    watched: "asyncio.Task[Turn] | None" = None
    """What would have been sent, where calls are only observed."""
    rounds: int = 0
    """Answers before this one that did nothing but read back, and were answered here."""
    is_retry: bool = False
    """In place of a request the upstream refused."""

    @property
    def is_rewritten(self) -> bool:
        return self.body != self.call.body


def passed(
    call: Call,
    stage: Stage,
    request: Request | None = None,
    place: Place | None = None,
    fault: str = "",
    *,
    is_unsure: bool = False,
) -> Turn:
    """The client's own request; of one that was rewritten before, reasoning that no longer matches may go (K-P7a).

    `is_unsure`: whether it was rewritten nobody can say where its place is not known.
    """
    told = ({SESSION: quote(place.session)} if place is not None else {}) | ({FAULT: fault} if fault else {})
    is_torn = is_unsure if place is None else place.is_rewritten or place.is_torn or bool(place.stepped_back)
    heard = recorder(call) if place is not None and call.is_stream else None
    if request is None or not is_torn:
        return Turn(call.body, stage, call.changed, told, call=call, request=request, place=place, recorder=heard)
    made = own.own(request, call.body)
    headers = {**call.changed, **own.merged(made.headers, call.headers)}
    return Turn(made.body, stage, headers, told, call=call, request=request, place=place, added=made.headers, recorder=heard)


def compiled(call: Call, request: Request, place: Place, view: View, stage: Stage) -> Turn:
    """A compiled view; the client's very own bytes where it says what the client said."""
    body = call.body if view.raw == request.body else view.raw
    headers = {**call.changed, **own.merged(view.headers, call.headers)}
    turn = Turn(
        body, stage, headers, _told(place, view), call=call, request=request, place=place, view=view, added=view.headers
    )
    if call.is_stream:
        turn.recorder = recorder(call)
    return turn


def recorder(call: Call) -> Recorder:
    """Reads the copy of a streamed answer to a call."""
    return Recorder(call.dialect)


def _told(place: Place, view: View) -> Mapping[str, str]:
    """Numbers and names, no word of the conversation."""
    over = view.tokens.total - view.usable.tokens
    return {
        SESSION: quote(place.session),
        CALL: str(view.call),
        EPOCH: str(view.epoch),
        TOKENS: str(view.tokens.total),
        **({WARNINGS: str(len(view.warnings))} if view.warnings else {}),
        **({OVER: str(over)} if over > 0 else {}),
    }


def answer(turn: Turn, reply: Reply | None) -> Response | None:
    """What the model answered; None where that is no whole answer (K-P4)."""
    if reply is not None:
        return wire.get(turn.call.dialect).read_response(reply.body) if reply.status == 200 else None
    found = turn.recorder.finish() if turn.recorder is not None else None
    return None if found is None or found.stop in (sse.INCOMPLETE, sse.ERROR) else found
