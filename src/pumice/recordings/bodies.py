"""Plain request bodies and bare message lists: one session each, or successive requests of one run."""

from collections.abc import Mapping, Sequence

import msgspec

from pumice.errors import BadRecording, BadRequest, UnknownDialect
from pumice.recordings import unroll
from pumice.recordings.jsonl import lines
from pumice.recordings.recording import RecordedCall, Recording
from pumice.recordings.sniff import Format
from pumice.wire import detect, get, jsonbytes


class Values(msgspec.Struct, frozen=True):
    """The JSON values of a file that holds a list or one value a line."""

    found: list[bytes]
    problems: list[str]


def values(data: bytes, expected: str) -> Values:
    """Raw values in order; lines that are no JSON object are problems."""
    try:
        return Values([data] if data.lstrip()[:1] == b"{" and jsonbytes.members(data) else jsonbytes.items(data), [])
    except BadRequest:
        found, problems = [], []
    for line in lines(data):
        try:
            jsonbytes.members(line.data)
            found.append(line.data)
        except BadRequest as error:
            problems.append(f"line {line.number} skipped: {str(error).splitlines()[0]} Expected {expected}.")
    return Values(found, problems)


def parse_messages(data: bytes, file: str, dialect: str | None) -> list[Recording]:
    """The recording of a bare list of messages; raises BadRecording and UnknownDialect."""
    read = values(data, "a message with role and content")
    whole = jsonbytes.join_array(read.found)
    recording = _unrolled(tuple(read.found), {}, file=file, dialect=dialect or _detect(whole, file))
    return [_with_problems(msgspec.structs.replace(recording, format=Format.MESSAGES), read)]


def parse_bodies(data: bytes, file: str, dialect: str | None) -> list[Recording]:
    """One recording for each run of bodies that extend each other; raises BadRecording and UnknownDialect."""
    read = values(data, "a request body with messages")
    name = dialect or _detect_any(read.found, file)
    bodies = [_open(body, name, file=file, place=place) for place, body in enumerate(read.found)]
    found = [_of_run(run, file=file, dialect=name) for run in _runs(bodies)]
    return [_with_problems(found[0], read), *found[1:]]


_LOGGED = ("response", "kwargs", "context_window", "cost", "timestamp", "latency_sec")
"""What a log of requests and responses (OpenHands) writes beside the request's own keys."""


class _Body(msgspec.Struct, frozen=True):
    fields: dict[str, bytes]
    outer: dict[str, bytes]
    """What a log wrote beside the request, its response included."""
    at: int
    """Place of `messages` among the keys."""
    messages: tuple[bytes, ...]
    keys: tuple[bytes, ...]
    """Canonical keys of the messages: equal keys are the same message."""


def _open(body: bytes, dialect: str, *, file: str, place: int) -> _Body:
    try:
        fields = jsonbytes.members(body)
        messages = tuple(jsonbytes.items(fields.get("messages", b"null")))
        keys = tuple(get(dialect).read_message(message).key for message in messages)
    except BadRequest as error:
        raise BadRecording(f"{file}: request {place + 1}: {error} Expected a body of {dialect}.") from None
    logged = _LOGGED if "response" in fields else ()
    outer = {key: fields.pop(key) for key in logged if key in fields}
    at = list(fields).index("messages")
    del fields["messages"]
    return _Body(fields, outer, at, messages, keys)


def _runs(bodies: Sequence[_Body]) -> list[list[_Body]]:
    """Successive bodies, parted where one does not extend the one before."""
    runs: list[list[_Body]] = []
    for body in bodies:
        before = runs[-1][-1].keys if runs else None
        if before is not None and body.keys[: len(before)] == before:
            runs[-1].append(body)
        else:
            runs.append([body])
    return runs


def _of_run(run: Sequence[_Body], *, file: str, dialect: str) -> Recording:
    last = run[-1]
    recording = _unrolled(last.messages, last.fields, file=file, dialect=dialect)
    answers = {call.upto: call.response for call in recording.calls if call.response}
    if len(run) > 1:
        calls = [_call(number, body, answers, dialect) for number, body in enumerate(run, 1)]
    else:
        trailing = len(last.messages)
        calls = [_call(call.number, last, {}, dialect) if call.upto == trailing else call for call in recording.calls]
    return msgspec.structs.replace(
        recording,
        format=Format.BODIES if len(run) > 1 else Format.BODY,
        model=calls[0].model or calls[-1].model,
        calls=tuple(calls),
        outer=last.outer,
        messages_at=last.at,
    )


def _call(number: int, body: _Body, answers: Mapping[int, bytes], dialect: str) -> RecordedCall:
    """The call a body was, with the answer its log holds or the next body repeats."""
    upto = len(body.messages)
    logged = body.outer.get("response")
    try:
        told = get(dialect).read_response(logged) if logged else None
    except BadRequest:
        logged, told = None, None
    return RecordedCall(
        number=number,
        upto=upto,
        response_id=told.id or None if told else None,
        response=logged or answers.get(upto),
        model=_model(body.fields) or (told.model if told else ""),
    )


def _unrolled(messages: tuple[bytes, ...], fields: dict[str, bytes], *, file: str, dialect: str) -> Recording:
    model = _model(fields)
    calls = unroll.calls(messages, dialect=dialect, model=model, file=file)
    if not calls:
        raise BadRecording(f"{file}: holds no call: {len(messages)} messages, none of them a user's; expected at least one.")
    return Recording(file, Format.BODY, dialect, model, fields, messages, calls)


def _model(fields: dict[str, bytes]) -> str:
    model = jsonbytes.decode(fields.get("model", b'""'))
    return model if isinstance(model, str) else ""


def _detect(body: bytes, file: str) -> str:
    try:
        return detect(body)
    except UnknownDialect as error:
        raise UnknownDialect(f"{file}: {error}") from None


def _detect_any(bodies: Sequence[bytes], file: str) -> str:
    """The dialect of the first body that shows it."""
    for body in bodies[:-1]:
        try:
            return detect(body)
        except UnknownDialect:
            continue
    return _detect(bodies[-1], file)


def _with_problems(recording: Recording, read: Values) -> Recording:
    return msgspec.structs.replace(recording, skipped_lines=len(read.problems), problems=tuple(read.problems))
