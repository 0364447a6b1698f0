"""How one call to the scripted upstream goes otherwise than well."""

import msgspec

from pumice.faces.proxy import codings, refusals
from pumice.faces.proxy.routes import Route

_SAID = {
    400: "The request is refused by the script.",
    401: "invalid x-api-key",
    429: "Number of request tokens has exceeded your rate limit.",
    500: "Internal server error",
    529: "Overloaded",
}


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One call's misbehaviour; the defaults change nothing."""

    status: int = 200
    """Another: the provider's error in place of an answer; no step of the script is used up."""
    message: str = ""
    """Of that error; empty: what is usual for its status."""
    retry_after: str = ""
    body: bytes | None = None
    """Sent in place of the answer, byte for byte; no step of the script is used up."""
    content_type: str = ""
    """Of `body`; empty: what the answer would have had."""
    headers: tuple[tuple[str, str], ...] = ()
    """Further ones of the answer."""
    piece: int = 512
    """Bytes of the body sent at a time."""
    pause: float = 0.0
    """Seconds before each piece."""
    cut_after: int | None = None
    """Bytes after which the connection breaks."""
    stall_after: int | None = None
    """Bytes after which nothing more comes until the client leaves."""
    error_after: int | None = None
    """Events after which the provider reports an error inside the stream; the rest of the answer is not sent."""
    encoding: str = ""
    """gzip, deflate or zstd."""


CUT = Fault(cut_after=600)
"""A stream that breaks off in the middle of its answer."""


class Answer(msgspec.Struct, frozen=True):
    """What is sent, before a fault falls on it."""

    status: int
    body: bytes
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()


def instead(fault: Fault, route: Route) -> Answer | None:
    """What a fault puts in place of the answer, or None where the answer itself is made."""
    if fault.body is not None:
        return Answer(fault.status, fault.body, fault.content_type or "application/json", _extra(fault))
    if fault.status == 200:
        return None
    said = fault.message or _SAID.get(fault.status, "The script says so.")
    return Answer(fault.status, refusals.body(route.named, fault.status, said), headers=_extra(fault))


def altered(answer: Answer, fault: Fault, route: Route) -> Answer:
    """An answer with a fault's encoding, headers and in-stream error."""
    body, headers = answer.body, answer.headers
    if fault.error_after is not None and answer.content_type == "text/event-stream":
        events = body.split(b"\n\n")[: fault.error_after]
        body = b"".join(event + b"\n\n" for event in events) + refusals.event(route.named, 529, _SAID[529])
    if fault.encoding:
        body, headers = codings.encode(body, fault.encoding), (*headers, ("content-encoding", fault.encoding))
    return Answer(answer.status, body, answer.content_type, headers)


def _extra(fault: Fault) -> tuple[tuple[str, str], ...]:
    return (*fault.headers, *([("retry-after", fault.retry_after)] if fault.retry_after else []))
