"""A Codex rollout (`~/.codex/sessions/**/rollout-*.jsonl`) as what happened in it.

A line is `{timestamp, type, payload}`: `session_meta` first, a `turn_context` a turn, `response_item` for everything the
model is sent or says, `event_msg` for what the client shows (among it `token_count` after each response), `compacted` for
its own compaction with the history that takes the place of the old one.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from pumice.domain.block import Origin, Role
from pumice.errors import BadRequest
from pumice.recordings.jsonl import Line, NotReadable, decode, lines, seconds
from pumice.wire import get, jsonbytes
from pumice.wire.values import count, mapping, string

DIALECT = "openai-responses"
SUMMARY = "Another language model started to solve this problem and produced a summary of its thinking process."
"""How Codex begins the message that holds its own summary; logs of old hold the summary alone."""
_NEVER_SENT = ("ghost_snapshot", "other")
"""Items a log holds for the client alone."""


class _Line(msgspec.Struct, frozen=True):
    type: str
    timestamp: str | None = None
    payload: msgspec.Raw = msgspec.Raw(b"{}")


class Item(msgspec.Struct, frozen=True):
    """One item of the conversation."""

    raw: bytes
    role: Role
    is_typed: bool = False
    """A person's words are in it, as far as the item itself shows."""
    at: float | None = None


class Bill(msgspec.Struct, frozen=True):
    """What a response cost, and what the session had cost by then."""

    usage: dict[str, Any]
    total: int


class Turn(msgspec.Struct, frozen=True):
    """From here on this model is asked."""

    model: str
    raw: bytes


class Replaced(msgspec.Struct, frozen=True):
    """The client's own compaction: from here on it sends these items, or its summary where a log holds no more."""

    items: tuple[Item, ...] | None
    summary: str


class Rewound(msgspec.Struct, frozen=True):
    """The newest turns are taken back."""

    turns: int


class Typed(msgspec.Struct, frozen=True):
    """What a person typed, as the client shows it."""

    text: str


Event = Item | Bill | Turn | Replaced | Rewound | Typed


class Log(msgspec.Struct):
    events: list[Event] = []
    outer: dict[str, bytes] = {}
    """The raw payloads of the session's first lines: session_meta and turn_context."""
    skipped: list[str] = []


def read(data: bytes) -> Log:
    """What happened, in order; what cannot be read is skipped and told."""
    log = Log()
    for line in lines(data):
        try:
            _take(log, line)
        except (NotReadable, BadRequest) as error:
            log.skipped.append(f"line {line.number} skipped: {error}; expected a line of a Codex rollout")
    return log


def item(raw: bytes, at: float | None = None) -> Item:
    """An item as the model is sent it. Raises BadRequest for what is none."""
    message = get(DIALECT).read_message(raw)
    is_typed = message.role is Role.USER and any(block.origin is Origin.PERSON for block in message.blocks)
    return Item(raw, message.role, is_typed, at)


def _take(log: Log, line: Line) -> None:
    found = decode(line.data, _Line)
    raw = bytes(found.payload)
    if found.type == "response_item":
        if mapping(jsonbytes.decode(raw)).get("type") not in _NEVER_SENT:
            log.events.append(item(raw, seconds(found.timestamp)))
        return
    payload = mapping(jsonbytes.decode(raw))
    if found.type in ("session_meta", "turn_context"):
        log.outer.setdefault(found.type, raw)
    if found.type == "turn_context" and string(payload.get("model")):
        log.events.append(Turn(string(payload["model"]), raw))
    elif found.type == "compacted":
        log.events.append(_compacted(payload, raw))
    elif found.type == "event_msg":
        _shown(log, payload)
    elif found.type != "session_meta" and not found.type:
        raise NotReadable("a line without a type")


def _compacted(payload: Mapping[str, Any], raw: bytes) -> Replaced:
    listed = jsonbytes.members(raw).get("replacement_history", b"null")
    items = tuple(map(item, jsonbytes.items(listed))) if jsonbytes.is_array(listed) else None
    return Replaced(items, string(payload.get("message")))


def _shown(log: Log, payload: Mapping[str, Any]) -> None:
    name = payload.get("type")
    if name == "token_count":
        info = mapping(payload.get("info"))
        last = mapping(info.get("last_token_usage"))
        if last:
            log.events.append(Bill(_usage(last), count(mapping(info.get("total_token_usage")).get("total_tokens"))))
    elif name == "thread_rolled_back":
        log.events.append(Rewound(count(payload.get("num_turns"))))
    elif name == "user_message" and string(payload.get("message")):
        log.events.append(Typed(string(payload["message"])))


def _usage(told: Mapping[str, Any]) -> dict[str, Any]:
    """In the provider's words; `input_tokens` is everything."""
    return {
        "input_tokens": count(told.get("input_tokens")),
        "input_tokens_details": {
            "cached_tokens": count(told.get("cached_input_tokens")),
            "cache_write_tokens": count(told.get("cache_write_input_tokens")),
        },
        "output_tokens": count(told.get("output_tokens")),
        "output_tokens_details": {"reasoning_tokens": count(told.get("reasoning_output_tokens"))},
        "total_tokens": count(told.get("total_tokens")),
    }
