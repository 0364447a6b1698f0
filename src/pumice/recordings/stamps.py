"""Which recorded answer each message of a smaller session is, and when it was: what a log says beside a message."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from pumice.recordings.recording import RecordedCall, Recording


class Stamped(msgspec.Struct, frozen=True):
    message: bytes
    call: RecordedCall | None
    """The recorded call whose response stands here unchanged."""
    at: float | None
    """Seconds since 1970; a message takes the time of the call that followed it."""
    is_injected: bool
    """No person typed it: the client's own, or new since the recording."""


def stamp(recording: Recording, messages: Sequence[bytes]) -> list[Stamped]:
    """The messages in order, each with what the recording knows of it."""
    waiting: dict[bytes, list[RecordedCall]] = {}
    for call in recording.calls:
        if call.response is not None and call.upto < len(recording.messages):
            waiting.setdefault(recording.messages[call.upto], []).append(call)
    calls = [waiting[message].pop(0) if waiting.get(message) else None for message in messages]
    typed = {message for place, message in enumerate(recording.messages) if place not in recording.injected}
    return [
        Stamped(message, call, at, message not in typed)
        for message, call, at in zip(messages, calls, _times(calls), strict=True)
    ]


def _times(calls: Sequence[RecordedCall | None]) -> Iterator[float | None]:
    """Each message's time is that of the next known call, after the last one that of the last."""
    known = [call.at if call else None for call in calls]
    following: list[float | None] = []
    time = next((at for at in reversed(known) if at is not None), None)
    for at in reversed(known):
        time = time if at is None else at
        following.append(time)
    return reversed(following)


def iso(at: float) -> str:
    """An ISO time in UTC as clients write it, to the millisecond."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
