"""Anthropic answers with what was done here: `applied_edits`, a compaction block in front, `usage.iterations` (K §1.5)."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from pumice.domain import marks
from pumice.domain.edits import Condensed, Edited
from pumice.faces.proxy.emulate.splitting import Reshaped, Whole, event
from pumice.faces.proxy.gate import Reshaper
from pumice.wire import jsonbytes
from pumice.wire.emulated.anthropic_edits import THINKING, TOOLS
from pumice.wire.sse import Event
from pumice.wire.values import count, mapping

_INPUTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Told:
    """What an answer is to say besides what the upstream said."""

    def __init__(self, edited: Sequence[Edited] | None, stood: Condensed | None) -> None:
        self.edits = None if edited is None else jsonbytes.encode({"applied_edits": [_applied(one) for one in edited]})
        self.stood = stood

    @property
    def is_anything(self) -> bool:
        return self.edits is not None or self.stood is not None

    def management(self) -> dict[str, bytes]:
        """The member that reports the edits; empty where the client has not asked."""
        return {} if self.edits is None else {"context_management": self.edits}

    def usage(self, raw: bytes, started: dict[str, Any]) -> bytes:
        """What is reported, with an entry for the compaction and one for the answer; what they cost is not added up."""
        if self.stood is None:
            return raw
        said = {**started, **mapping(jsonbytes.decode(raw))}
        answered = {"type": "message", **{name: count(said.get(name)) for name in (*_INPUTS, "output_tokens")}}
        listed = jsonbytes.encode([iteration(self.stood), answered])
        return jsonbytes.join_object(jsonbytes.members(raw) | {"iterations": listed})


def reshaper(told: Told) -> Callable[[bool], Reshaper]:
    """What an answer goes through."""
    return lambda is_stream: Reshaped(_Events(told)) if is_stream else Whole(lambda body: _plain(told, body))


def text_of(stood: Condensed) -> str:
    """What the block says: on its way back it is known by its mark."""
    return marks.wrap(marks.COMPACTION, stood.text)


def alone(told: Told, model: str, *, is_stream: bool) -> bytes:
    """An answer that is a compaction and nothing else."""
    assert told.stood is not None
    block = _whole(told.stood)
    digest = sha256(text_of(told.stood).encode("utf-8", "surrogatepass")).hexdigest()
    usage = dict.fromkeys((*_INPUTS, "output_tokens"), 0) | {"iterations": [iteration(told.stood)]}
    head = {"id": f"msg_{digest[:24]}", "type": "message", "role": "assistant", "model": model, "stop_sequence": None}
    end = {"stop_reason": "compaction", "stop_sequence": None}
    if not is_stream:
        raw = jsonbytes.encode({**head, **end, "content": [block], "usage": usage})
        return jsonbytes.join_object(jsonbytes.members(raw) | told.management())
    start = {"type": "message_start", "message": {**head, "content": [], "stop_reason": None, "usage": usage}}
    done = jsonbytes.encode({"type": "message_delta", "delta": end, "usage": usage})
    done = jsonbytes.join_object(jsonbytes.members(done) | told.management())
    opened = event("message_start", jsonbytes.encode(start)) + _block(told.stood)
    return opened + event("message_delta", done) + event("message_stop", b'{"type":"message_stop"}')


def iteration(stood: Condensed) -> dict[str, Any]:
    """What the compaction is reported to have taken."""
    return {
        "type": "compaction",
        "input_tokens": stood.before,
        "output_tokens": stood.output,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    }


def _applied(one: Edited) -> dict[str, Any]:
    kind, counted = (TOOLS, "cleared_tool_uses") if one.tools else (THINKING, "cleared_thinking_turns")
    return {"type": kind, counted: one.count, "cleared_input_tokens": one.tokens}


def _plain(told: Told, body: bytes) -> bytes:
    members = jsonbytes.members(body)
    if told.stood is not None and "content" in members:
        block = jsonbytes.encode(_whole(told.stood))
        members["content"] = jsonbytes.join_array([block, *jsonbytes.items(members["content"])])
        members["usage"] = told.usage(members.get("usage", b"{}"), {})
    return jsonbytes.join_object(members | told.management())


def _whole(stood: Condensed) -> dict[str, Any]:
    """The block; clients hand back what it says of its origin as they got it."""
    block = {"type": "compaction", "content": text_of(stood)}
    return block | {"encrypted_content": stood.origin} if stood.origin else block


def _block(stood: Condensed) -> bytes:
    """The events of a compaction block, in one delta (K §1.5.2)."""
    start = {"type": "content_block_start", "index": 0, "content_block": {"type": "compaction", "content": None}}
    delta = {**_whole(stood), "type": "compaction_delta"}
    piece = {"type": "content_block_delta", "index": 0, "delta": delta}
    stop = {"type": "content_block_stop", "index": 0}
    return b"".join(event(str(one["type"]), jsonbytes.encode(one)) for one in (start, piece, stop))


class _Events:
    """Rewrites what has to be: the last delta, and the places of blocks that stand behind one of ours."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._started: dict[str, Any] = {}

    def __call__(self, found: Event, raw: bytes) -> bytes:
        stood = self._told.stood
        if found.name == "message_start" and stood is not None:
            self._started = mapping(mapping(mapping(jsonbytes.decode(found.data)).get("message")).get("usage"))
            return raw + _block(stood)
        if found.name.startswith("content_block_") and stood is not None:
            members = jsonbytes.members(found.data)
            place = count(jsonbytes.decode(members.get("index", b"0")))
            return event(found.name, jsonbytes.join_object(members | {"index": str(place + 1).encode()}))
        return self._last(found) if found.name == "message_delta" else raw

    def _last(self, found: Event) -> bytes:
        members = jsonbytes.members(found.data)
        members["usage"] = self._told.usage(members.get("usage", b"{}"), self._started)
        return event(found.name, jsonbytes.join_object(members | self._told.management()))
