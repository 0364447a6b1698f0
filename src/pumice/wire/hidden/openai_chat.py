"""Chat Completions: calls stand beside the content, each result is a message behind theirs (K-O1, K-O2)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pumice.domain.message import Request, Response
from pumice.wire import get, jsonbytes, sse
from pumice.wire.hidden import way
from pumice.wire.values import mapping, objects

_SENT = frozenset({"role", "content", "tool_calls", "refusal", "reasoning_content", "reasoning", "reasoning_details", "name"})
"""Members of an answer that a request takes again; the others are only told (K §2.1)."""


class OpenAIChat:
    """See `Way`."""

    def tools(self, request: Request, definition: Mapping[str, Any], /) -> bytes:
        return way.listed(request, definition)

    def answer(self, response: Response, _: Request, /) -> tuple[bytes, ...]:
        return tuple(_again(message.raw) for message in response.messages)

    def results(self, told: Sequence[way.Told], /) -> tuple[bytes, ...]:
        made = ({"role": "tool", "tool_call_id": one.call.call_id, "content": one.text} for one in told)
        return tuple(map(jsonbytes.encode, made))

    def joined(
        self, messages: Sequence[bytes], at: int, answer: Sequence[bytes], results: Sequence[bytes], tool: str, /
    ) -> list[bytes] | None:
        read, echo = get("openai-chat").read_message, messages[at]
        if not way.is_echo(read(answer[0]).blocks, read(echo).blocks, tool):
            return None
        calls = way.among(_calls(echo), _calls(answer[0]), lambda raw: _name(mapping(jsonbytes.decode(raw))) == tool, bool)
        made = jsonbytes.join_object(jsonbytes.members(echo) | {"tool_calls": jsonbytes.join_array(calls)})
        return [*messages[:at], made, *results, *messages[at + 1 :]]

    def without(self, answer: dict[str, Any], tool: str, /) -> dict[str, Any]:
        return answer | {"choices": [_choice(choice, tool) for choice in objects(answer.get("choices"))]}

    def events(self, events: Iterable[sse.Event], tool: str, /) -> Iterator[sse.Event]:
        places: dict[tuple[Any, Any], int | None] = {}
        for event in events:
            value = way.value_of(event)
            if not objects(value.get("choices")):
                yield event
                continue
            choices = [_delta(choice, tool, places) for choice in objects(value.get("choices"))]
            yield way.said(event, value | {"choices": choices})


def _again(raw: bytes) -> bytes:
    """The message as a request takes it; what is null says nothing, but for the content (K-O6)."""
    members = jsonbytes.members(raw)
    return jsonbytes.join_object(
        {key: value for key, value in members.items() if key in _SENT and (value != b"null" or key == "content")}
    )


def _choice(choice: dict[str, Any], tool: str) -> dict[str, Any]:
    message = mapping(choice.get("message"))
    kept = [call for call in objects(message.get("tool_calls")) if _name(call) != tool]
    held = {key: value for key, value in message.items() if key != "tool_calls"}
    made = choice | {"message": held | ({"tool_calls": kept} if kept else {})}
    return made if kept or choice.get("finish_reason") != "tool_calls" else made | {"finish_reason": "stop"}


def _delta(choice: dict[str, Any], tool: str, places: dict[tuple[Any, Any], int | None]) -> dict[str, Any]:
    """A choice of a chunk; `places` are where its calls stand for the client, None for ours."""
    number, delta, kept = choice.get("index", 0), mapping(choice.get("delta")), []
    for call in objects(delta.get("tool_calls")):
        key = (number, call.get("index", 0))
        if _name(call) and key not in places:
            known = [place for (of, _), place in places.items() if of == number and place is not None]
            places[key] = None if _name(call) == tool else len(known)
        place = places.get(key)
        kept += [] if place is None else [call | {"index": place}]
    made = choice
    if "tool_calls" in delta:
        held = {name: value for name, value in delta.items() if name != "tool_calls"}
        made = choice | {"delta": held | ({"tool_calls": kept} if kept else {})}
    waits = any(place is not None for (of, _), place in places.items() if of == number)
    return made | {"finish_reason": "stop"} if choice.get("finish_reason") == "tool_calls" and not waits else made


def _calls(raw: bytes) -> list[bytes]:
    listed = jsonbytes.members(raw).get("tool_calls", b"null")
    return jsonbytes.items(listed) if jsonbytes.is_array(listed) else []


def _name(call: Mapping[str, Any]) -> str:
    return str(mapping(call.get("function")).get("name") or "")
