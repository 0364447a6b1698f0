"""Gemini CLI sessions (`~/.gemini/tmp/…/chats/session-*.json` and `.jsonl`) as recordings."""

from collections.abc import Sequence

import msgspec

from pumice.errors import BadRecording
from pumice.recordings.gemini_contents import Step, steps
from pumice.recordings.gemini_records import Message, Replaced, Rewound, read
from pumice.recordings.head import unseen_tokens
from pumice.recordings.recording import RecordedCall, Recording, with_skipped
from pumice.recordings.sniff import Format
from pumice.wire import jsonbytes

DIALECT = "gemini"


def parse(data: bytes, file: str) -> list[Recording]:
    """The recording of a session; raises BadRecording when it holds no message.

    The client's own compaction and what it has masked stand only in what it sent; what was taken back is left out.
    """
    log = read(data)
    walk = _Walk()
    for event in log.events:
        walk.take(event)
    history = steps(walk.path())
    if not history:
        told = log.skipped[0] if log.skipped else f"{len(log.events)} records"
        raise BadRecording(f"{file}: {told}, none of them a message; expected a Gemini CLI session.")
    calls = _calls(history, walk)
    messages = tuple(step.raw for step in history)
    found = Recording(
        file,
        Format.GEMINI_CLI,
        DIALECT,
        calls[0].model if calls else "",
        {},
        messages,
        calls,
        problems=tuple(walk.problems),
        unseen_head_tokens=unseen_tokens(DIALECT, calls, messages),
        outer=log.outer,
        messages_at=log.at,
    )
    return with_skipped([found], log.skipped)


class _Walk:
    """The history, and beside it what the client sends."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.sent: dict[str, tuple[Message | str, ...]] = {}
        """What stood before each answer, where it is not the history: messages, or ids of those in it."""
        self._known: dict[str, Message] = {}
        self._path: list[str] = []
        self._context: list[Message | str] = []
        self._is_own = False

    def path(self) -> list[Message]:
        return [self._known[ident] for ident in self._path]

    def contents(self, listed: Sequence[Message | str]) -> tuple[bytes, ...]:
        """What was sent, each message as it was in the end."""
        return tuple(step.raw for step in steps(self._known[one] if isinstance(one, str) else one for one in listed))

    def take(self, event: Message | Replaced | Rewound) -> None:
        if isinstance(event, Replaced):
            self._replace(event.messages)
        elif isinstance(event, Rewound):
            self._rewind(event.id)
        else:
            self._add(event)

    def _add(self, message: Message) -> None:
        is_new = message.id not in self._known
        self._known[message.id] = message
        if is_new:
            if self._is_own:
                self.sent[message.id] = tuple(self._context)
            self._path.append(message.id)
            self._context.append(message.id)
        else:
            self._context = [message.id if _name(one) == message.id else one for one in self._context]

    def _replace(self, messages: Sequence[Message]) -> None:
        named = [message.id for message in messages]
        is_whole = all(ident in named for ident in self._path)
        for message in messages:
            old = self._known.get(message.id)
            if old is None:
                self._known[message.id] = message
            elif message.type == "gemini" and jsonbytes.is_array(bytes(message.content)):
                # Parts of an answer with their signatures: the line it was first written as holds its words only.
                self._known[message.id] = msgspec.structs.replace(old, content=message.content)
        if is_whole:
            self._path = named
        self._context, self._is_own = list(messages), True

    def _rewind(self, ident: str) -> None:
        at = self._path.index(ident) if ident in self._path else 0
        self.problems.append(f"{len(self._path) - at} messages that were taken back: left out")
        self._path = self._path[:at]
        names = [_name(one) for one in self._context]
        self._context = self._context[: names.index(ident) if ident in names else 0]


def _name(one: Message | str) -> str:
    return one if isinstance(one, str) else one.id


def _calls(history: Sequence[Step], walk: _Walk) -> tuple[RecordedCall, ...]:
    """One call for each answer that had something before it, then the trailing turn."""
    found: list[RecordedCall] = []
    at: float | None = None
    for upto, step in enumerate(history):
        if step.response is not None and upto:
            found.append(_call(history, walk, upto, at, number=len(found) + 1))
        at = step.at or at
    if history[-1].response is None:
        model = found[-1].model if found else ""
        found.append(RecordedCall(number=len(found) + 1, upto=len(history), model=model, at=at))
    return tuple(found)


def _call(history: Sequence[Step], walk: _Walk, upto: int, at: float | None, *, number: int) -> RecordedCall:
    step = history[upto]
    sent = walk.contents(walk.sent[step.message]) if step.message in walk.sent else None
    is_same = sent is None or sent == tuple(before.raw for before in history[:upto])
    return RecordedCall(
        number=number, upto=upto, response=step.response, model=step.model, at=at, recorded=None if is_same else sent
    )
