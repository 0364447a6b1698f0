"""Chat completion chunks put together to a completion."""

from typing import Any

from pumice.domain.message import Response
from pumice.errors import BadRequest
from pumice.wire import jsonbytes, sse
from pumice.wire.openai_chat import response
from pumice.wire.values import mapping, objects, string

DONE = b"[DONE]"
_APPENDED = ("content", "refusal", "reasoning_content")


class Stream:
    """Accumulates the first choice; the answer is whole once its finish reason has come."""

    def __init__(self) -> None:
        self._head: dict[str, Any] = {}
        self._message: dict[str, Any] = {"role": "assistant", "content": None}
        self._calls: dict[int, dict[str, Any]] = {}
        self._finish = ""
        self._failed = False

    def add(self, event: sse.Event) -> None:
        if event.data.strip() == DONE:
            return
        try:
            value = jsonbytes.decode(event.data)
        except BadRequest:
            value = {"error": event.data}
        if isinstance(value, dict):
            self._chunk(value)

    def _chunk(self, value: dict[str, Any]) -> None:
        self._failed |= bool(value.get("error"))
        self._head |= {key: value[key] for key in ("id", "model", "usage") if value.get(key)}
        for choice in objects(value.get("choices")):
            if choice.get("index", 0) == 0:
                self._finish = string(choice.get("finish_reason")) or self._finish
                self._delta(mapping(choice.get("delta")))

    def _delta(self, delta: dict[str, Any]) -> None:
        for key in _APPENDED:
            if isinstance(delta.get(key), str):
                self._message[key] = (self._message.get(key) or "") + delta[key]
        for call in objects(delta.get("tool_calls")):
            _merge(self._calls.setdefault(self._place(call), {}), call)
        if isinstance(delta.get("function_call"), dict):
            _merge(self._message.setdefault("function_call", {}), delta["function_call"])

    def _place(self, call: dict[str, Any]) -> int:
        """Some compatible servers send no index: a new id is a new call."""
        index = call.get("index")
        if isinstance(index, int):
            return index
        return len(self._calls) if call.get("id") or not self._calls else max(self._calls)

    def response(self) -> Response:
        if self._failed or not self._finish:
            usage = response.usage(self._head.get("usage"))
            stop = sse.ERROR if self._failed else sse.INCOMPLETE
            return Response(string(self._head.get("id")), string(self._head.get("model")), (), usage, stop)
        message = dict(self._message)
        if self._calls:
            message["tool_calls"] = [{"type": "function"} | self._calls[place] for place in sorted(self._calls)]
        return response.read(jsonbytes.encode(self._head | {"choices": [{"message": message, "finish_reason": self._finish}]}))


def _merge(known: dict[str, Any], piece: dict[str, Any]) -> None:
    """Arguments and custom input come in pieces, everything else whole."""
    for key, value in piece.items():
        if isinstance(value, dict):
            known[key] = known[key] if isinstance(known.get(key), dict) else {}
            _merge(known[key], value)
        elif key in ("arguments", "input") and isinstance(value, str):
            known[key] = string(known.get(key)) + value
        elif key != "index" and value is not None:
            known[key] = value
