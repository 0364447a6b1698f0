"""Items as a Codex rollout."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from pumice.domain.block import Role
from pumice.recordings.recording import RecordedCall, Recording
from pumice.recordings.stamps import iso, stamp
from pumice.wire import get, jsonbytes
from pumice.wire.values import count, mapping


def write(recording: Recording, messages: Sequence[bytes]) -> bytes:
    """The session's first lines, then one line an item; the bill of a recorded answer stands behind its items."""
    return b"".join(line + b"\n" for line in _lines(recording, messages))


def _lines(recording: Recording, messages: Sequence[bytes]) -> Iterator[bytes]:
    reader = get(recording.dialect)
    due: RecordedCall | None = None
    total = 0
    stamped = stamp(recording, messages)
    first = stamped[0].at if stamped else None
    for kind, payload in recording.outer.items():
        yield _line(kind, payload, first)
    at = first
    for one in stamped:
        message = reader.read_message(one.message)
        if due is not None and (message.role is not Role.ASSISTANT or one.call is not None):
            total += yield from _bill(due, total, at)
            due = None
        at = one.at
        due = one.call or due
        yield _line("response_item", one.message, one.at)
        if message.role is Role.USER and not one.is_injected:
            text = "\n".join(block.text for block in message.blocks)
            yield _line("event_msg", jsonbytes.encode({"type": "user_message", "message": text, "kind": "plain"}), one.at)
    if due is not None:
        yield from _bill(due, total, at)


def _line(kind: str, payload: bytes, at: float | None) -> bytes:
    time = {} if at is None else {"timestamp": jsonbytes.encode(iso(at))}
    return jsonbytes.join_object({**time, "type": jsonbytes.encode(kind), "payload": payload})


def _bill(call: RecordedCall, total: int, at: float | None) -> Generator[bytes, None, int]:
    """The event a client writes when a response is over; what it adds to the session's total."""
    used = mapping(jsonbytes.decode(call.response).get("usage")) if call.response else {}
    if not used:
        return 0
    last = _told(used)
    info = {"total_token_usage": {**last, "total_tokens": total + last["total_tokens"]}, "last_token_usage": last}
    yield _line("event_msg", jsonbytes.encode({"type": "token_count", "info": info, "rate_limits": None}), at)
    return last["total_tokens"]


def _told(used: Mapping[str, Any]) -> dict[str, int]:
    """Usage in the client's words."""
    held, made = mapping(used.get("input_tokens_details")), mapping(used.get("output_tokens_details"))
    told = {
        "input_tokens": count(used.get("input_tokens")),
        "cached_input_tokens": count(held.get("cached_tokens")),
        "cache_write_input_tokens": count(held.get("cache_write_tokens")),
        "output_tokens": count(used.get("output_tokens")),
        "reasoning_output_tokens": count(made.get("reasoning_tokens")),
    }
    return {**told, "total_tokens": told["input_tokens"] + told["output_tokens"]}
