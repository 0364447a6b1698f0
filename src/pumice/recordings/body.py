"""One recorded request body, and runs of bodies that extend each other."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from pumice.domain.message import Message
from pumice.errors import BadRecording, BadRequest
from pumice.recordings import unroll
from pumice.recordings.recording import RecordedCall, Recording
from pumice.recordings.sniff import Format
from pumice.wire import get, jsonbytes

_LOGGED = ("response", "kwargs", "context_window", "cost", "timestamp", "latency_sec")
"""What a log of requests and responses (OpenHands) writes beside the request's own keys."""


class Body(msgspec.Struct, frozen=True):
    dialect: str
    fields: dict[str, bytes]
    messages: tuple[Message, ...]
    outer: dict[str, bytes] = {}
    """What a log wrote beside the request, its response included."""
    messages_at: int = -1
    """Place of the messages among the keys."""

    @property
    def model(self) -> str:
        name = jsonbytes.decode(self.fields.get("model", b'""'))
        return name if isinstance(name, str) else ""


def read(body: bytes, dialect: str, where: str) -> Body:
    """The body apart; raises BadRecording for what is no request or holds no call."""
    key = get(dialect).field
    try:
        fields = jsonbytes.members(body)
        raw = get(dialect).open(body).messages if jsonbytes.is_string(fields.get(key, b"")) else jsonbytes.items(fields[key])
    except (BadRequest, KeyError) as error:
        raise BadRecording(f"{where}: {error} Expected a request body of {dialect}.") from None
    logged = _LOGGED if "response" in fields else ()
    outer = {key: fields.pop(key) for key in logged if key in fields}
    at = list(fields).index(key)
    del fields[key]
    return checked(Body(dialect, fields, tuple(unroll.read(raw, dialect, where)), outer, at), where)


def checked(body: Body, where: str) -> Body:
    """The body itself; raises BadRecording when nothing in it asks for an answer."""
    if unroll.calls(body.messages, dialect=body.dialect, model=""):
        return body
    raise BadRecording(f"{where}: holds no call: {len(body.messages)} messages, none of them a user's; expected at least one.")


def runs(bodies: Iterable[Body]) -> list[list[Body]]:
    """Successive bodies, parted where one does not extend the one before."""
    found: list[list[Body]] = []
    before: list[bytes] | None = None
    for body in bodies:
        keys = [message.key for message in body.messages]
        if before is not None and keys[: len(before)] == before:
            found[-1].append(body)
        else:
            found.append([body])
        before = keys
    return found


def recording(run: Sequence[Body], file: str) -> Recording:
    """A run as a recording: one call for each of several bodies; a single body is unrolled."""
    last = run[-1]
    calls = unroll.calls(last.messages, dialect=last.dialect, model=last.model)
    if len(run) > 1:
        answers = {call.upto: call.response for call in calls if call.response}
        calls = tuple(_call(number, body, answers) for number, body in enumerate(run, 1))
    else:
        calls = tuple(_call(call.number, last, {}) if call.upto == len(last.messages) else call for call in calls)
    return Recording(
        file,
        Format.BODIES if len(run) > 1 else Format.BODY,
        last.dialect,
        calls[0].model or calls[-1].model,
        last.fields,
        tuple(message.raw for message in last.messages),
        calls,
        outer=last.outer,
        messages_at=last.messages_at,
    )


def _call(number: int, body: Body, answers: Mapping[int, bytes]) -> RecordedCall:
    """The call a body was, with the answer its log holds or the next body repeats."""
    upto = len(body.messages)
    logged = body.outer.get("response")
    try:
        told = get(body.dialect).read_response(logged) if logged else None
    except BadRequest:
        logged, told = None, None
    return RecordedCall(
        number=number,
        upto=upto,
        response_id=told.id or None if told else None,
        response=logged or answers.get(upto),
        model=body.model or (told.model if told else ""),
        tools=body.fields.get("tools"),
    )
