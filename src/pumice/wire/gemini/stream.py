"""Chunks of a streamed answer put together: each is an answer of its own with the parts that are new."""

from pumice.domain.message import Response
from pumice.errors import BadRequest
from pumice.wire import jsonbytes, sse
from pumice.wire.gemini import keys, read, response
from pumice.wire.values import string

_TEXT = frozenset({"text", "thought"})


class Stream:
    """Accumulates the first candidate; the answer is whole once its finish reason, or why there is none, has come."""

    def __init__(self) -> None:
        self._head: dict[str, bytes] = {}
        self._candidate: dict[str, bytes] = {}
        self._role = b'"model"'
        self._parts: list[bytes] = []
        self._failed = False

    def add(self, event: sse.Event) -> None:
        try:
            self.chunk(jsonbytes.members(event.data))
        except BadRequest:
            self._failed = True

    def chunk(self, members: dict[str, bytes]) -> None:
        """Take the next chunk. Raises BadRequest for what is none."""
        self._failed |= "error" in members
        self._head |= {keys.camel(key): raw for key, raw in members.items() if key != "candidates" and raw != b"null"}
        listed = members.get("candidates", b"null")
        for raw in jsonbytes.items(listed)[:1] if listed != b"null" else ():
            self._take(jsonbytes.members(raw))

    def _take(self, candidate: dict[str, bytes]) -> None:
        content = candidate.pop("content", b"null")
        self._candidate |= {keys.camel(key): raw for key, raw in candidate.items() if raw != b"null"}
        if content == b"null":
            return
        members = jsonbytes.members(content)
        self._role = members.get("role", self._role)
        for part in read.parts(members):
            self._add(part)

    def _add(self, part: bytes) -> None:
        """Text goes on where the part before it is such text too; what is signed stays a part of its own (K-G8)."""
        new = jsonbytes.members(part)
        if new.keys() <= _TEXT and new.get("text") == b'""':
            return
        old = jsonbytes.members(self._parts[-1]) if self._parts else {}
        if new.keys() | old.keys() <= _TEXT and "text" in old and "text" in new and _thought(old) == _thought(new):
            joined = jsonbytes.decode(old["text"]) + jsonbytes.decode(new["text"])
            self._parts[-1] = jsonbytes.join_object({**old, "text": jsonbytes.encode(joined)})
        else:
            self._parts.append(part)

    def response(self) -> Response:
        is_blocked = b'"blockReason"' in self._head.get("promptFeedback", b"")
        if self._failed or not ("finishReason" in self._candidate or is_blocked):
            stop = sse.ERROR if self._failed else sse.INCOMPLETE
            told = {key: jsonbytes.decode(raw) for key, raw in self._head.items()}
            usage = response.usage(told.get("usageMetadata"))
            return Response(string(told.get("responseId")), string(told.get("modelVersion")), (), usage, stop)
        content = jsonbytes.join_object({"role": self._role, "parts": jsonbytes.join_array(self._parts)})
        candidate = jsonbytes.join_object({"content": content, **self._candidate})
        return response.read(jsonbytes.join_object({"candidates": jsonbytes.join_array([candidate]), **self._head}))


def whole(body: bytes) -> Response:
    """An answer in one body: an object, or the chunks of a stream as a JSON array."""
    if not jsonbytes.is_array(body.lstrip()):
        return response.read(body)
    stream = Stream()
    for raw in jsonbytes.items(body):
        stream.chunk(jsonbytes.members(raw))
    return stream.response()


def _thought(part: dict[str, bytes]) -> bool:
    return part.get("thought") == b"true"
