"""Responses answers with what was done here: a compaction item, in front of an answer or alone (K §3.3)."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from pumice.domain.edits import Condensed
from pumice.domain.message import Request
from pumice.faces.proxy.emulate.splitting import Reshaped, Whole, event
from pumice.faces.proxy.gate import Reshaper
from pumice.wire import jsonbytes
from pumice.wire.emulated import openai_responses
from pumice.wire.openai_responses import items
from pumice.wire.sse import Event
from pumice.wire.values import count

_BEGINNINGS = ("response.created", "response.queued", "response.in_progress")
_ENDINGS = ("response.completed", "response.incomplete", "response.failed")
_OF_ITEM = ("response.output_item.added", "response.compaction.compacting", "response.output_item.done")


def item(stood: Condensed) -> dict[str, Any]:
    """The item; its id is made of what it holds."""
    return {"id": f"cmp_{_digest(stood)[:48]}", "type": items.COMPACTION, "encrypted_content": stood.sealed}


def reshaper(stood: Condensed) -> Callable[[bool], Reshaper]:
    """What an answer to a request that was compacted on the way goes through."""
    return lambda is_stream: Reshaped(_Events(stood)) if is_stream else Whole(lambda body: _fronted(stood, body))


def alone(stood: Condensed, request: Request, *, at: int, is_stream: bool) -> bytes:
    """A response that is one compaction item and nothing else; `at` is in seconds since 1970."""
    response = {
        "id": f"resp_{_digest(stood)[:48]}",
        "object": "response",
        "created_at": at,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "model": request.model,
        "output": [item(stood)],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage(stood),
    }
    if not is_stream:
        return jsonbytes.encode(response)
    started = response | {"status": "in_progress", "output": [], "usage": None}
    told = [{"type": name, "response": started} for name in ("response.created", "response.in_progress")]
    listed = [*told, *_told(stood), {"type": "response.completed", "response": response}]
    numbered = [one | {"sequence_number": number} for number, one in enumerate(listed)]
    return b"".join(event(str(one["type"]), jsonbytes.encode(one)) for one in numbered)


def compacted(stood: Condensed, messages: Sequence[bytes], *, at: int) -> bytes:
    """The answer of `/v1/responses/compact`: every message of a user as it came, then the item."""
    output = jsonbytes.join_array([*map(_typed, openai_responses.people(messages)), jsonbytes.encode(item(stood))])
    head = {"id": f"resp_{_digest(stood)[:48]}", "object": "response.compaction", "created_at": at, "usage": usage(stood)}
    return jsonbytes.join_object(jsonbytes.members(jsonbytes.encode(head)) | {"output": output})


def usage(stood: Condensed) -> dict[str, Any]:
    return {
        "input_tokens": stood.before,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": stood.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": stood.before + stood.output,
    }


def _typed(raw: bytes) -> bytes:
    """A message as an output lists it: with its type, its text in a list, as clients read it."""
    members = jsonbytes.members(raw)
    content = members.get("content", b"[]")
    if jsonbytes.is_string(content):
        part = jsonbytes.join_object({"type": b'"input_text"', "text": content})
        members["content"] = jsonbytes.join_array([part])
    elif "type" in members:
        return raw
    return jsonbytes.join_object({"type": b'"message"'} | members)


def _digest(stood: Condensed) -> str:
    return sha256(stood.text.encode("utf-8", "surrogatepass")).hexdigest()


def _told(stood: Condensed) -> list[dict[str, Any]]:
    """The item as it is streamed."""
    made = item(stood)
    contents: tuple[dict[str, Any], ...] = ({"item": made | {"encrypted_content": ""}}, {"item_id": made["id"]}, {"item": made})
    return [{"type": name, "output_index": 0, **one} for name, one in zip(_OF_ITEM, contents, strict=True)]


def _fronted(stood: Condensed, body: bytes) -> bytes:
    members = jsonbytes.members(body)
    if "output" not in members:
        return body
    made = jsonbytes.encode(item(stood))
    return jsonbytes.join_object(members | {"output": jsonbytes.join_array([made, *jsonbytes.items(members["output"])])})


class _Events:
    """Puts the item behind the beginning of a stream; whatever follows it has another number and place."""

    def __init__(self, stood: Condensed) -> None:
        self._stood = stood
        self._is_told = False

    def __call__(self, found: Event, raw: bytes) -> bytes:
        if found.name in _BEGINNINGS and not self._is_told:
            return raw
        members = jsonbytes.members(found.data)
        number = count(jsonbytes.decode(members.get("sequence_number", b"0")))
        before = b"" if self._is_told else self._item(number)
        self._is_told = True
        return before + event(found.name, jsonbytes.join_object(members | self._moved(members, number)))

    def _item(self, number: int) -> bytes:
        numbered = [one | {"sequence_number": number + place} for place, one in enumerate(_told(self._stood))]
        return b"".join(event(str(one["type"]), jsonbytes.encode(one)) for one in numbered)

    def _moved(self, members: dict[str, bytes], number: int) -> dict[str, bytes]:
        moved = {"sequence_number": str(number + len(_OF_ITEM)).encode()} if "sequence_number" in members else {}
        if "output_index" in members:
            moved["output_index"] = str(count(jsonbytes.decode(members["output_index"])) + 1).encode()
        if jsonbytes.decode(members.get("type", b"null")) in _ENDINGS and "response" in members:
            moved["response"] = _fronted(self._stood, members["response"])
        return moved
