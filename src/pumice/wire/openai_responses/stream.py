"""The named events of a streamed response put together to an answer (K §3.6)."""

from typing import Any

from pumice.domain.message import Response
from pumice.errors import BadRequest
from pumice.wire import jsonbytes, sse
from pumice.wire.openai_responses import response
from pumice.wire.values import mapping, string

_ENDS = ("response.completed", "response.incomplete", "response.failed")


class Stream:
    """Takes the finished items one by one: the last event may repeat them or leave them out; only it has the usage."""

    def __init__(self) -> None:
        self._head: dict[str, Any] = {}
        self._items: dict[int, Any] = {}
        self._end = ""
        self._failed = False

    def add(self, event: sse.Event) -> None:
        try:
            value = jsonbytes.decode(event.data)
        except BadRequest:
            self._failed = True
            return
        if isinstance(value, dict):
            self._take(string(value.get("type")) or event.name, value)

    def _take(self, name: str, value: dict[str, Any]) -> None:
        if name == "error" or (not name and value.get("error")):
            self._failed = True
        elif name == "response.output_item.done":
            self._items[value.get("output_index", len(self._items))] = value.get("item")
        elif name.startswith("response.") and isinstance(value.get("response"), dict):
            self._head |= value["response"]
            self._end = name if name in _ENDS else self._end

    def response(self) -> Response:
        is_over = self._end in _ENDS[:2] and not self._failed
        if not is_over:
            stop = sse.ERROR if self._failed or self._end else sse.INCOMPLETE
            usage = response.usage(self._head.get("usage"))
            return Response(string(self._head.get("id")), string(self._head.get("model")), (), usage, stop)
        done = [self._items[place] for place in sorted(self._items)]
        told = self._head.get("output")
        whole = self._head | {"output": done or (told if isinstance(told, list) else [])}
        whole["status"] = self._end.rpartition(".")[2]
        return response.read(jsonbytes.encode({**whole, "error": mapping(whole.get("error")) or None}))
