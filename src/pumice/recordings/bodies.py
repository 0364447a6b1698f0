"""Files of plain request bodies and bare message lists: one session each, or successive requests of one run."""

from collections.abc import Sequence

import msgspec

from pumice.errors import BadRecording, BadRequest, UnknownDialect
from pumice.recordings import body, unroll
from pumice.recordings.jsonl import NotReadable, decode, lines
from pumice.recordings.recording import Recording, with_skipped
from pumice.recordings.sniff import Format
from pumice.wire import detect, jsonbytes


class Values(msgspec.Struct, frozen=True):
    """The JSON values of a file that holds one, a list, or one a line."""

    found: list[bytes]
    skipped: list[str]


def values(data: bytes, expected: str) -> Values:
    """Raw values in order; lines that are no JSON object are skipped and told."""
    try:
        return Values([data] if data.lstrip()[:1] == b"{" and jsonbytes.members(data) else jsonbytes.items(data), [])
    except BadRequest:
        found, skipped = [], []
    for line in lines(data):
        try:
            decode(line.data, dict[str, msgspec.Raw])
            found.append(line.data)
        except NotReadable as error:
            skipped.append(f"line {line.number} skipped: {error}; expected {expected}")
    return Values(found, skipped)


def parse_messages(data: bytes, file: str, dialect: str | None) -> list[Recording]:
    """The recording of a bare list of messages; raises BadRecording and UnknownDialect."""
    read = values(data, "a message with role and content")
    name = dialect or _detect([jsonbytes.join_array(read.found)], file)
    whole = body.checked(body.Body(name, {}, tuple(unroll.read(read.found, name, file))), file)
    found = msgspec.structs.replace(body.recording([whole], file), format=Format.MESSAGES)
    return with_skipped([found], read.skipped)


def parse_bodies(data: bytes, file: str, dialect: str | None) -> list[Recording]:
    """One recording for each run of bodies that extend each other; raises BadRecording and UnknownDialect."""
    read = values(data, "a request body with messages")
    name = dialect or _detect(read.found, file)
    bodies: list[body.Body] = []
    refused: list[BadRecording] = []
    for place, value in enumerate(read.found, 1):
        try:
            bodies.append(body.read(value, name, f"{file}: request {place}"))
        except BadRecording as error:
            refused.append(error)
    if not bodies:
        raise refused[0]
    found = [body.recording(run, file) for run in body.runs(bodies)]
    return with_skipped(found, [*read.skipped, *map(str, refused)])


def _detect(bodies: Sequence[bytes], file: str) -> str:
    """The dialect of the first body that shows it; the last one's error when none does."""
    for place, value in enumerate(bodies, 1):
        try:
            return detect(value)
        except UnknownDialect as error:
            if place == len(bodies):
                raise UnknownDialect(f"{file}: {error}") from None
    raise BadRecording(f"{file}: holds no request; expected at least one.")
