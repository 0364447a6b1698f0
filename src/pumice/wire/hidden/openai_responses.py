"""Responses: calls and outputs are items side by side, reasoning stands before what came of it (K-R1 to K-R9)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from pumice.domain.block import Role
from pumice.domain.message import Request, Response
from pumice.wire import get, jsonbytes, sse
from pumice.wire.hidden import way
from pumice.wire.openai_responses import items
from pumice.wire.values import mapping, objects, string


class OpenAIResponses:
    """See `Way`."""

    def tools(self, request: Request, definition: Mapping[str, Any], /) -> bytes:
        return way.listed(request, definition)

    def answer(self, response: Response, request: Request, /) -> tuple[bytes, ...]:
        """Items as they came; reasoning nobody keeps stays behind, and what ties others to it (K-R7)."""
        raws = [message.raw for message in response.messages]
        if request.fields.get("store") != b"false" or not any(map(_is_lost, raws)):
            return tuple(raws)
        loose = (get("openai-responses").loose(raw) for raw in raws if not _is_lost(raw))
        return tuple(raw for raw in loose if raw is not None)

    def results(self, told: Sequence[way.Told], /) -> tuple[bytes, ...]:
        made = ({"type": "function_call_output", "call_id": one.call.call_id, "output": one.text} for one in told)
        return tuple(map(jsonbytes.encode, made))

    def joined(
        self, messages: Sequence[bytes], at: int, answer: Sequence[bytes], results: Sequence[bytes], tool: str, /
    ) -> list[bytes] | None:
        dialect = get("openai-responses")
        read = dialect.read_message
        echo = list(takewhile(lambda raw: read(raw).role is Role.ASSISTANT, messages[at:]))
        blocks = [block for raw in echo for block in read(raw).blocks]
        if not way.is_echo([block for raw in answer for block in read(raw).blocks], blocks, tool):
            return None
        made = way.among(echo, answer, lambda raw: _names(mapping(jsonbytes.decode(raw)), tool), _is_call)
        return [*messages[:at], *made, *results, *messages[at + len(echo) :]]

    def without(self, answer: dict[str, Any], tool: str, /) -> dict[str, Any]:
        return answer | {"output": [item for item in objects(answer.get("output")) if not _names(item, tool)]}

    def events(self, events: Iterable[sse.Event], tool: str, /) -> Iterator[sse.Event]:
        places: dict[Any, int | None] = {}
        number: int | None = None
        for event in events:
            value = way.value_of(event)
            told = self._told(value, tool, places)
            if isinstance(told.get("sequence_number"), int):
                number = told["sequence_number"] if number is None else number + 1
                told = told | {"sequence_number": number}
            if told or not value:
                yield way.said(event, told) if told else event

    def _told(self, value: dict[str, Any], tool: str, places: dict[Any, int | None]) -> dict[str, Any]:
        """What an event says to the client; nothing where it is about a call of ours."""
        if "output_index" in value:
            item = mapping(value.get("item"))
            if item and value["output_index"] not in places:
                known = sum(place is not None for place in places.values())
                places[value["output_index"]] = None if _names(item, tool) else known
            place = places.get(value["output_index"])
            return {} if place is None else value | {"output_index": place}
        response = mapping(value.get("response"))
        return value | {"response": self.without(response, tool)} if response.get("output") else value


def _is_call(raw: bytes) -> bool:
    return items.kind(mapping(jsonbytes.decode(raw))) in items.CALLS


def _names(item: Mapping[str, Any], tool: str) -> bool:
    return items.kind(item) == "function_call" and item.get("name") == tool


def _is_lost(raw: bytes) -> bool:
    value = mapping(jsonbytes.decode(raw))
    return items.kind(value) == items.REASONING and not string(value.get("encrypted_content"))
