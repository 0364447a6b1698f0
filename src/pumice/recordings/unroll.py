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
    """One call for each answer that had something before it, then the trailing turn."""
    found: list[RecordedCall] = []
    asked = False
    for upto, message in enumerate(messages):
        if message.role is Role.ASSISTANT and asked and not _goes_on(messages, upto):
            answer = responses.of_messages(_answer(messages, upto), dialect=dialect, model=model)
            found.append(RecordedCall(number=len(found) + 1, upto=upto, response=answer, model=model))
        asked = asked or message.role in (Role.USER, Role.TOOL)
    if asked and messages[-1].role is not Role.ASSISTANT:
        found.append(RecordedCall(number=len(found) + 1, upto=len(messages), model=model))
    return tuple(found)


def _goes_on(messages: Sequence[Message], at: int) -> bool:
    """Whether a message is one more item of the answer before it."""
    return at > 0 and messages[at].is_part and messages[at - 1].role is Role.ASSISTANT


def _answer(messages: Sequence[Message], at: int) -> list[bytes]:
    """The messages of an answer that begins here."""
    end = at + 1
    while end < len(messages) and messages[end].role is Role.ASSISTANT and _goes_on(messages, end):
        end += 1
    return [message.raw for message in messages[at:end]]
