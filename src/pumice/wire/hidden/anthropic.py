"""Anthropic Messages: calls are blocks of one message, their results the first blocks of the next (K-A4 to K-A8)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pumice.domain.message import Request, Response
from pumice.wire import get, jsonbytes, sse
from pumice.wire.hidden import way
from pumice.wire.values import mapping, objects, string


class Anthropic:
    """See `Way`."""

    def tools(self, request: Request, definition: Mapping[str, Any], /) -> bytes:
        return way.listed(request, definition)

    def answer(self, response: Response, _: Request, /) -> tuple[bytes, ...]:
        return tuple(message.raw for message in response.messages)

    def results(self, told: Sequence[way.Told], /) -> tuple[bytes, ...]:
        return (jsonbytes.encode({"role": "user", "content": list(map(_result, told))}),)

    def joined(
        self, messages: Sequence[bytes], at: int, answer: Sequence[bytes], results: Sequence[bytes], tool: str, /
    ) -> list[bytes] | None:
        read, echo = get("anthropic").read_message, messages[at]
        if not way.is_echo(read(answer[0]).blocks, read(echo).blocks, tool):
            return None
        made = way.among(_content(echo), _content(answer[0]), lambda part: _is_call(part, tool), _is_call)
        following = messages[at + 1 : at + 2]
        if following and _role(following[0]) == "user":
            parts = way.after(_content(following[0]), _content(results[0]), _is_result)
            results, rest = (_with(following[0], parts),), messages[at + 2 :]
        else:
            rest = messages[at + 1 :]
        return [*messages[:at], _with(echo, made), *results, *rest]

    def without(self, answer: dict[str, Any], tool: str, /) -> dict[str, Any]:
        kept = [block for block in objects(answer.get("content")) if not _names(block, tool)]
        return answer | {"content": kept} | _stop(answer, kept)

    def events(self, events: Iterable[sse.Event], tool: str, /) -> Iterator[sse.Event]:
        places: dict[Any, int | None] = {}
        kept: list[dict[str, Any]] = []
        for event in events:
            value = way.value_of(event)
            if "index" in value:
                block = mapping(value.get("content_block"))
                if block:
                    places[value["index"]] = None if _names(block, tool) else len(kept)
                    kept += [] if _names(block, tool) else [block]
                place = places.get(value["index"])
                if place is not None:
                    yield way.said(event, value | {"index": place})
            elif value.get("type") == "message_delta":
                delta = mapping(value.get("delta"))
                yield way.said(event, value | {"delta": delta | _stop(delta, kept)})
            else:
                yield event


def _result(told: way.Told) -> dict[str, Any]:
    failed = {"is_error": True} if told.is_error else {}
    return {"type": "tool_result", "tool_use_id": told.call.call_id, "content": told.text, **failed}


def _stop(said: Mapping[str, Any], kept: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    waits = any(block.get("type") == "tool_use" for block in kept)
    return {"stop_reason": "end_turn"} if said.get("stop_reason") == "tool_use" and not waits else {}


def _content(raw: bytes) -> list[bytes]:
    content = jsonbytes.members(raw).get("content", b"[]")
    if jsonbytes.is_string(content):
        return [jsonbytes.join_object({"type": b'"text"', "text": content})]
    return jsonbytes.items(content)


def _with(raw: bytes, parts: Iterable[bytes]) -> bytes:
    return jsonbytes.join_object(jsonbytes.members(raw) | {"content": jsonbytes.join_array(parts)})


def _role(raw: bytes) -> str:
    return string(jsonbytes.decode(jsonbytes.members(raw).get("role", b"null")))


def _is_call(raw: bytes, tool: str = "") -> bool:
    value = mapping(jsonbytes.decode(raw))
    return _names(value, tool) if tool else value.get("type") == "tool_use"


def _names(block: Mapping[str, Any], tool: str) -> bool:
    return block.get("type") == "tool_use" and block.get("name") == tool


def _is_result(raw: bytes) -> bool:
    return mapping(jsonbytes.decode(raw)).get("type") == "tool_result"
