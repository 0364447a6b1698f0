"""A recorded session as model calls: what every reader of this package returns."""

from collections.abc import Sequence
from pathlib import PurePath

import msgspec

from pumice import wire
from pumice.wire import jsonbytes


class RecordedCall(msgspec.Struct, frozen=True):
    """One model request of the session and what came back."""

    number: int
    """From 1."""
    upto: int
    """How many messages of the recording came before the response."""
    response_id: str | None = None
    """The provider's id of the recorded response; None where the recording has none."""
    response: bytes | None = None
    """Provider-shaped response JSON with usage; None for a trailing user turn that nothing answered."""
    model: str = ""
    at: float | None = None
    """Seconds since 1970 when the request left."""
    recorded: tuple[bytes, ...] | None = None
    """What the client really sent, where it differs from the full history: after its own compaction."""
    tools: bytes | None = None
    """The tool definitions it sent, raw, where each call's own are recorded."""


class Recording(msgspec.Struct, frozen=True):
    """One session of one agent. Messages are shared bytes: a call names how many of them it saw."""

    file: str
    """Path as given; `#n` is added where a file holds several sessions."""
    format: str
    """claude-code, codex, pi, gemini-cli, openai, body, bodies or messages."""
    dialect: str
    model: str
    """Model of the first call; a call has its own. Empty when the recording does not say."""
    fields: dict[str, bytes]
    """Top-level request keys other than that of the messages, raw JSON values in the client's order."""
    messages: tuple[bytes, ...]
    """Wire messages of the whole session, the client's own compaction summaries left out."""
    calls: tuple[RecordedCall, ...]
    skipped_lines: int = 0
    """Lines that could not be read."""
    problems: tuple[str, ...] = ()
    """What was skipped, repaired or left out, each with its line number where there is one."""
    unseen_head_tokens: int = 0
    """Tokens of the first bill that the shown messages do not account for (system prompt, tools); in no view or cost."""
    constraints: tuple[str, ...] = ()
    """Constraints listed by hand beside the recording."""
    injected: frozenset[int] = frozenset()
    """Positions of user messages the client wrote itself: sent to the model, but not a person's words."""
    outer: dict[str, bytes] = {}
    """What stands around the messages in the recording's own format (session id, folder, …), raw JSON values."""
    messages_at: int = -1
    """Place of the messages among the keys around them; -1 for last."""

    @property
    def stem(self) -> str:
        """Name for output folders: the file's stem, `-n` added for the n-th session of a file."""
        path, _, number = self.file.rpartition("#")
        if path and number.isdecimal():
            return f"{PurePath(path).stem}-{number}"
        return PurePath(self.file).stem

    def body(self, call: RecordedCall | None, messages: Sequence[bytes] | None = None) -> bytes:
        """The request body of a call, or with None of the whole session: model and fields as recorded.

        `messages` take the place of the full history before the call.
        """
        head = dict(self.fields)
        model = (call.model if call else "") or self.model
        if model:
            head["model"] = jsonbytes.encode(model)
        history = self.messages[: call.upto] if call else self.messages
        key = wire.get(self.dialect).field
        return place(head, history if messages is None else messages, at=self.messages_at, key=key)


def with_skipped(found: Sequence[Recording], skipped: Sequence[str]) -> list[Recording]:
    """The recordings of a file, its unreadable lines counted and told once, with the first."""
    first = msgspec.structs.replace(found[0], skipped_lines=len(skipped), problems=(*skipped, *found[0].problems))
    return [first, *found[1:]]


def place(fields: dict[str, bytes], messages: Sequence[bytes], *, at: int, key: str) -> bytes:
    """A JSON object of raw fields with the messages at their place among the keys."""
    members = list(fields.items())
    members.insert(at if at >= 0 else len(members), (key, jsonbytes.join_array(messages)))
    return jsonbytes.join_object(dict(members))
