"""A finished list of messages as the calls that made it."""

from collections.abc import Sequence

from pumice.domain.block import Role
from pumice.domain.message import Message
from pumice.errors import BadRecording, BadRequest
from pumice.recordings import responses
from pumice.recordings.recording import RecordedCall
from pumice.wire import get


def read(messages: Sequence[bytes], dialect: str, where: str) -> list[Message]:
    """The messages as their dialect reads them; raises BadRecording naming the place of one that is none."""
    return [_message(message, dialect, f"{where}: {get(dialect).field}[{place}]") for place, message in enumerate(messages)]


def _message(message: bytes, dialect: str, where: str) -> Message:
    try:
        return get(dialect).read_message(message)
    except BadRequest as error:
        raise BadRecording(f"{where}: {error} Expected a message of {dialect}.") from None


def calls(messages: Sequence[Message], *, dialect: str, model: str) -> tuple[RecordedCall, ...]:
    """One call for each assistant message that had something to answer, then the trailing turn."""
    found: list[RecordedCall] = []
    asked = False
    for upto, message in enumerate(messages):
        if message.role is Role.ASSISTANT and asked:
            answer = responses.of_message(message.raw, dialect=dialect, model=model)
            found.append(RecordedCall(number=len(found) + 1, upto=upto, response=answer, model=model))
        asked = asked or message.role in (Role.USER, Role.TOOL)
    if asked and messages[-1].role is not Role.ASSISTANT:
        found.append(RecordedCall(number=len(found) + 1, upto=len(messages), model=model))
    return tuple(found)
