"""A Gemini CLI session file as what happened in it: a JSON object of old, JSON lines since.

The lines are a log: a message is written anew in full whenever it has grown, `$set` changes what stands around the messages
or replaces all of them (its own compaction, masked results), `$rewindTo` takes messages back from one on.
"""

from collections.abc import Iterator

import msgspec

from pumice.recordings.jsonl import NotReadable, decode, lines
from pumice.wire import jsonbytes

MESSAGES = "messages"
_AROUND = ("sessionId", "projectHash")


class Tokens(msgspec.Struct, frozen=True):
    """What the provider billed, in the client's words; `input` is everything."""

    input: int = 0
    output: int = 0
    cached: int = 0
    thoughts: int | None = 0
    tool: int | None = 0


class ToolCall(msgspec.Struct, frozen=True):
    """A call with what it gave."""

    id: str
    name: str
    args: msgspec.Raw = msgspec.Raw(b"{}")
    result: msgspec.Raw = msgspec.Raw(b"null")
    timestamp: str | None = None


class Message(msgspec.Struct, frozen=True, rename="camel"):
    """Words of a user or of the model, or a remark of the client (`info`, `error`, `warning`)."""

    id: str
    type: str
    content: msgspec.Raw = msgspec.Raw(b'""')
    timestamp: str | None = None
    tool_calls: list[ToolCall] | None = None
    tokens: Tokens | None = None
    model: str | None = None


class Replaced(msgspec.Struct, frozen=True):
    """From here on the client sends these messages."""

    messages: tuple[Message, ...]


class Rewound(msgspec.Struct, frozen=True):
    """From this message on all are taken back."""

    id: str


class Log(msgspec.Struct):
    events: list[Message | Replaced | Rewound] = []
    outer: dict[str, bytes] = {}
    """What stands around the messages, raw."""
    at: int = -1
    """Place of the messages among that; -1 in a log of lines."""
    skipped: list[str] = []


def read(data: bytes) -> Log:
    """What happened, in order; what cannot be read is skipped and told."""
    whole = jsonbytes.exact_members(_compact(data))
    return _of_object(whole) if whole is not None and MESSAGES in whole else _of_lines(data)


def _compact(data: bytes) -> bytes:
    """JSON without white space between its values, as the client sends what it writes with some."""
    try:
        return msgspec.json.format(data, indent=-1)
    except (msgspec.DecodeError, RecursionError):
        return data


def _of_object(members: dict[str, bytes]) -> Log:
    log = Log(at=list(members).index(MESSAGES), outer={key: raw for key, raw in members.items() if key != MESSAGES})
    for place, raw in enumerate(jsonbytes.items(members[MESSAGES]) if jsonbytes.is_array(members[MESSAGES]) else ()):
        try:
            log.events.append(decode(raw, Message))
        except NotReadable as error:
            log.skipped.append(f"messages[{place}] skipped: {error}; expected a message")
    return log


def _of_lines(data: bytes) -> Log:
    log = Log()
    for line in lines(data):
        try:
            raw = _compact(line.data)
            log.events += _line(raw, decode(raw, dict[str, msgspec.Raw]), log.outer)
        except NotReadable as error:
            log.skipped.append(f"line {line.number} skipped: {error}; expected a record of Gemini CLI")
    return log


def _line(raw: bytes, members: dict[str, msgspec.Raw], outer: dict[str, bytes]) -> Iterator[Message | Replaced | Rewound]:
    if "$rewindTo" in members:
        yield Rewound(decode(bytes(members["$rewindTo"]), str))
    elif "id" in members:
        yield decode(raw, Message)
    elif "$set" in members or all(key in members for key in _AROUND):
        told = decode(bytes(members["$set"]), dict[str, msgspec.Raw]) if "$set" in members else members
        outer |= {key: bytes(value) for key, value in told.items() if key != MESSAGES}
        listed = decode(bytes(told[MESSAGES]), list[Message]) if MESSAGES in told else []
        if listed:
            yield Replaced(tuple(listed))
    else:
        raise NotReadable(f"an object with the keys {', '.join(list(members)[:6]) or '(none)'}")
