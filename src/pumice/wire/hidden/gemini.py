"""generateContent: calls are parts of one content, the next holds as many responses in their order (K-G5, K-G6)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pumice.domain.block import UNNAMED
from pumice.domain.message import Request, Response
from pumice.wire import get, jsonbytes, sse
from pumice.wire.gemini import keys, read, results
from pumice.wire.hidden import way
from pumice.wire.values import mapping, objects

CALL, RESPONSE = "functionCall", "functionResponse"


class Gemini:
    """See `Way`."""

    def tools(self, request: Request, definition: Mapping[str, Any], /) -> bytes:
        return way.listed(request, {"functionDeclarations": [definition]})

    def answer(self, response: Response, _: Request, /) -> tuple[bytes, ...]:
        return tuple(message.raw for message in response.messages)

    def results(self, told: Sequence[way.Told], /) -> tuple[bytes, ...]:
        return (jsonbytes.encode({"role": "user", "parts": list(map(_response, told))}),)

    def joined(
        self, messages: Sequence[bytes], at: int, answer: Sequence[bytes], results: Sequence[bytes], tool: str, /
    ) -> list[bytes] | None:
        dialect = get("gemini")
        echo, whole = dialect.read_message(messages[at]), dialect.read_message(answer[0])
        if not way.is_echo(whole.blocks, echo.blocks, tool):
            return None
        ours = _parts(answer[0])
        made = way.among(_parts(messages[at]), ours, lambda part: _named(part, CALL) == tool, _is_call)
        following = messages[at + 1 : at + 2]
        if not following or not any(map(_is_response, _parts(following[0]))):
            return [*messages[:at], _with(messages[at], made), *results, *messages[at + 1 :]]
        parts = _in_order(_parts(following[0]), _parts(results[0]), list(filter(_is_call, ours)), tool)
        return [*messages[:at], _with(messages[at], made), _with(following[0], parts), *messages[at + 2 :]]

    def without(self, answer: dict[str, Any], tool: str, /) -> dict[str, Any]:
        return answer | {"candidates": [_candidate(one, tool) for one in objects(answer.get("candidates"))]}

    def events(self, events: Iterable[sse.Event], tool: str, /) -> Iterator[sse.Event]:
        for event in events:
            value = way.value_of(event)
            yield way.said(event, self.without(value, tool)) if objects(value.get("candidates")) else event


def _response(told: way.Told) -> dict[str, Any]:
    named = {} if told.call.call_id.startswith(UNNAMED) else {"id": told.call.call_id}
    said = {results.ERROR if told.is_error else results.OUTPUT: told.text}
    return {RESPONSE: {**named, "name": told.call.tool, "response": said}}


def _in_order(theirs: Sequence[bytes], ours: Sequence[bytes], calls: Sequence[bytes], tool: str) -> list[bytes]:
    """Responses in the order of their calls: without ids only that tells them apart."""
    responses = iter([part for part in theirs if _is_response(part)])
    made, mine = [], iter(ours)
    for call in calls:
        made += [next(mine)] if _named(call, CALL) == tool else [part for part in [next(responses, None)] if part is not None]
    return [*made, *responses, *(part for part in theirs if not _is_response(part))]


def _candidate(candidate: dict[str, Any], tool: str) -> dict[str, Any]:
    content = mapping(candidate.get("content"))
    kept = [part for part in objects(content.get("parts")) if mapping(keys.get(part, CALL)).get("name") != tool]
    if len(kept) == len(objects(content.get("parts"))):
        return candidate
    held = {key: value for key, value in content.items() if key != "parts"}
    return candidate | {"content": held | ({"parts": kept} if kept else {})}


def _parts(raw: bytes) -> list[bytes]:
    return read.parts(jsonbytes.members(raw))


def _with(raw: bytes, parts: Iterable[bytes]) -> bytes:
    return jsonbytes.join_object(jsonbytes.members(raw) | {"parts": jsonbytes.join_array(parts)})


def _is_call(raw: bytes) -> bool:
    return bool(_named(raw, CALL))


def _is_response(raw: bytes) -> bool:
    return bool(_named(raw, RESPONSE))


def _named(raw: bytes, kind: str) -> str:
    return str(mapping(keys.get(mapping(jsonbytes.decode(raw)), kind)).get("name") or "")
