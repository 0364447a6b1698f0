"""Plain request bodies and bare message lists: one session each, or successive requests of one run."""

from collections.abc import Sequence

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


class _Body(msgspec.Struct, frozen=True):
    fields: dict[str, bytes]
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
    at = list(fields).index("messages")
    return _Body({key: value for key, value in fields.items() if key != "messages"}, at, messages, keys)


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
    recording = msgspec.structs.replace(recording, format=Format.BODY, messages_at=last.at)
    if len(run) == 1:
        return recording
    answers = {call.upto: call.response for call in recording.calls}
    calls = tuple(
        RecordedCall(
            number=number, upto=len(body.messages), response=answers.get(len(body.messages)), model=_model(body.fields)
        )
        for number, body in enumerate(run, 1)
    )
    return msgspec.structs.replace(recording, format=Format.BODIES, calls=calls)


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
