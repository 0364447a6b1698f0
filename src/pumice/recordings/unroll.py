"""A finished list of messages as the calls that made it."""

from collections.abc import Sequence

from pumice.errors import BadRecording, BadRequest
from pumice.recordings import responses
from pumice.recordings.recording import RecordedCall
from pumice.wire import jsonbytes

_INSTRUCTIONS = ("system", "developer")


def calls(messages: Sequence[bytes], *, dialect: str, model: str, file: str) -> tuple[RecordedCall, ...]:
    """One call for each assistant message that had something to answer, then the trailing turn."""
    roles = [role(message, file=file, place=place) for place, message in enumerate(messages)]
    found: list[RecordedCall] = []
    asked = False
    for upto, (spoken, message) in enumerate(zip(roles, messages, strict=True)):
        if spoken == "assistant" and asked:
            answer = responses.of_message(message, dialect=dialect, model=model)
            found.append(RecordedCall(number=len(found) + 1, upto=upto, response=answer, model=model))
        asked = asked or spoken not in (*_INSTRUCTIONS, "assistant")
    if asked and roles[-1] != "assistant":
        found.append(RecordedCall(number=len(found) + 1, upto=len(messages), model=model))
    return tuple(found)


def role(message: bytes, *, file: str, place: int) -> str:
    """The role of a message; raises BadRecording naming its place."""
    try:
        found = jsonbytes.decode(jsonbytes.members(message).get("role", b"null"))
    except BadRequest:
        found = None
    if not isinstance(found, str):
        raise BadRecording(f"{file}: messages[{place}] has no role; expected an object with role and content.")
    return found
