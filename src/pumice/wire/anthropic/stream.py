"""Anthropic's stream events put together to a message."""

from typing import Any

from pumice.domain.message import Response
from pumice.errors import BadRequest
from pumice.wire import jsonbytes, sse
from pumice.wire.anthropic import response
from pumice.wire.values import mapping, objects, string

_APPENDED = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "compaction_delta": ("content", "content"),
}
"""Delta type → (member of the delta, member of the block it goes to the end of)."""


class Stream:
    """Accumulates `message_start` … `message_stop`; unknown events and deltas are passed over."""

    def __init__(self) -> None:
        self._head: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._arguments: dict[int, list[str]] = {}
        self._stop = sse.INCOMPLETE

    def add(self, event: sse.Event) -> None:
        try:
            value = jsonbytes.decode(event.data)
        except BadRequest:
            self._stop = sse.ERROR
            return
        if isinstance(value, dict):
            self._dispatch(value)

    def _dispatch(self, value: dict[str, Any]) -> None:
        match value:
            case {"type": "message_start", "message": dict(message)}:
                self._head = dict(message)
            case {"type": "content_block_start", "index": int(index), "content_block": dict(block)}:
                self._blocks[index] = dict(block)
            case {"type": "content_block_delta", "index": int(index), "delta": dict(delta)} if index in self._blocks:
                self._extend(index, delta)
            case {"type": "message_delta"}:
                self._update(value)
            case {"type": "message_stop"} if self._stop != sse.ERROR:
                self._stop = ""
            case {"type": "error"}:
                self._stop = sse.ERROR

    def _extend(self, index: int, delta: dict[str, Any]) -> None:
        block = self._blocks[index]
        kind = string(delta.get("type"))
        if kind in _APPENDED:
            source, target = _APPENDED[kind]
            block[target] = string(block.get(target)) + string(delta.get(source))
        elif kind == "input_json_delta":
            self._arguments.setdefault(index, []).append(string(delta.get("partial_json")))
        elif kind == "citations_delta":
            block["citations"] = [*objects(block.get("citations")), delta.get("citation")]
        else:
            block.update({key: value for key, value in delta.items() if key != "type"})

    def _update(self, value: dict[str, Any]) -> None:
        delta = value.get("delta")
        if isinstance(delta, dict):
            self._head.update(delta)
        reported = value.get("usage")
        if isinstance(reported, dict):
            known = mapping(self._head.get("usage"))
            self._head["usage"] = known | {key: item for key, item in reported.items() if item is not None}

    def response(self) -> Response:
        if self._stop:
            usage = response.usage(self._head.get("usage"))
            return Response(string(self._head.get("id")), string(self._head.get("model")), (), usage, self._stop)
        blocks = [self._block(index) for index in sorted(self._blocks)]
        members = {key: jsonbytes.encode(value) for key, value in self._head.items()}
        return response.read(jsonbytes.join_object(members | {"content": jsonbytes.join_array(blocks)}))

    def _block(self, index: int) -> bytes:
        members = {key: jsonbytes.encode(value) for key, value in self._blocks[index].items()}
        written = "".join(self._arguments.get(index, []))
        return jsonbytes.join_object(members | {"input": _as_json(written)} if written else members)


def _as_json(written: str) -> bytes:
    """Arguments as the model spelled them; cut off by the output limit they are kept as a string."""
    raw = written.encode("utf-8", "surrogatepass")
    try:
        jsonbytes.decode(raw)
    except BadRequest:
        return jsonbytes.encode(written)
    return raw
