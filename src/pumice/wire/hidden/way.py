"""What every dialect has to do with an exchange the client does not see, and what they do alike."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from pumice.domain.block import UNNAMED, Block, Kind
from pumice.domain.message import Request, Response
from pumice.errors import BadRequest
from pumice.wire import jsonbytes, sse
from pumice.wire.values import mapping

Is = Callable[[bytes], bool]


class Told(msgspec.Struct, frozen=True):
    """A call of our tool, and what it gave."""

    call: Block
    text: str
    is_error: bool = False


class Way(Protocol):
    """One dialect's."""

    def tools(self, request: Request, definition: Mapping[str, Any], /) -> bytes:
        """The value of `tools` with one more definition behind the client's own."""
        ...

    def answer(self, response: Response, request: Request, /) -> tuple[bytes, ...]:
        """An answer as messages of the next request."""
        ...

    def results(self, told: Sequence[Told], /) -> tuple[bytes, ...]:
        """What calls gave, as the messages that follow them."""
        ...

    def joined(
        self, messages: Sequence[bytes], at: int, answer: Sequence[bytes], results: Sequence[bytes], tool: str, /
    ) -> list[bytes] | None:
        """Messages whose answer at `at` the client echoes without the calls of a tool, with these and their results again.

        None where what stands there is another answer.
        """
        ...

    def without(self, answer: dict[str, Any], tool: str, /) -> dict[str, Any]:
        """A whole answer without the calls of a tool; one that has no others no longer says that it waits for a tool."""
        ...

    def events(self, events: Iterable[sse.Event], tool: str, /) -> Iterator[sse.Event]:
        """The same of a streamed one."""
        ...


def listed(request: Request, definition: Mapping[str, Any]) -> bytes:
    """The request's own list of tools with one more at its end."""
    known = request.fields.get("tools", b"[]")
    return jsonbytes.join_array([*(jsonbytes.items(known) if jsonbytes.is_array(known) else ()), jsonbytes.encode(definition)])


def taken_out(way: Way, body: bytes, tool: str, *, is_stream: bool) -> bytes:
    """An answer, whole or streamed, as the client may see it. Raises BadRequest for what is none."""
    if is_stream:
        parser = sse.Parser()
        return b"".join(map(_line, way.events([*parser.feed(body), *parser.finish()], tool)))
    value = jsonbytes.decode(body)
    if isinstance(value, list):
        events = (sse.Event("", jsonbytes.encode(item)) for item in value)
        return jsonbytes.join_array(event.data for event in way.events(events, tool))
    return jsonbytes.encode(way.without(mapping(value), tool))


def _line(event: sse.Event) -> bytes:
    named = f"event: {event.name}\n".encode() if event.name else b""
    return named + b"data: " + event.data + b"\n\n"


def value_of(event: sse.Event) -> dict[str, Any]:
    """What an event says; empty where that is no object."""
    try:
        return mapping(jsonbytes.decode(event.data))
    except BadRequest:
        return {}


def said(event: sse.Event, value: dict[str, Any]) -> sse.Event:
    """The event saying something else."""
    return sse.Event(event.name, jsonbytes.encode(value))


def is_echo(answer: Sequence[Block], echo: Sequence[Block], tool: str) -> bool:
    """Whether blocks are an answer as the client has it: the same calls but those of our tool.

    A client may give ids to calls that have none.
    """
    theirs = [block for block in answer if block.kind is Kind.CALL and block.tool != tool]
    seen = [block for block in echo if block.kind is Kind.CALL]
    return len(theirs) == len(seen) and all(map(_is_same, theirs, seen))


def _is_same(call: Block, seen: Block) -> bool:
    return call.tool == seen.tool and (call.call_id == seen.call_id or call.call_id.startswith(UNNAMED))


def among(echo: Sequence[bytes], answer: Sequence[bytes], is_ours: Is, is_call: Is) -> list[bytes]:
    """The echo's parts with ours at the places they had in the answer; where the client has left out other parts, between
    the same calls."""
    rest = deque(echo)
    if len(echo) + sum(map(is_ours, answer)) == len(answer):
        return [part if is_ours(part) else rest.popleft() for part in answer]
    made: list[bytes] = []
    for part in filter(is_call, answer):
        while rest and not is_call(rest[0]):
            made.append(rest.popleft())
        if is_ours(part):
            made.append(part)
        elif rest:
            made.append(rest.popleft())
    return [*made, *rest]


def after(parts: Sequence[bytes], ours: Sequence[bytes], is_result: Is) -> list[bytes]:
    """Results of ours behind the results that come first (K-A6)."""
    first = next((at for at, part in enumerate(parts) if not is_result(part)), len(parts))
    return [*parts[:first], *ours, *parts[first:]]
