"""Lines of a Claude Code log as records: what each line is, before any of them are put together."""

from datetime import datetime
from enum import StrEnum

import msgspec

from pumice.recordings.jsonl import Line, NotReadable, decode

SYNTHETIC = "<synthetic>"
"""Model name of assistant records that the client wrote itself."""


class Kind(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    BOUNDARY = "boundary"
    """The client compacted here."""
    CLEARING = "clearing"
    """The client cleared old tool results here."""
    LINK = "link"
    """No message; only a step in the chain of parents."""


class Part(msgspec.Struct, frozen=True):
    """One content block, or a bare string as one."""

    kind: str
    raw: bytes
    call_id: str = ""
    """Id of a tool call, or of the call that a result answers."""
    is_bare: bool = False
    """The content was a JSON string, not a list."""
    is_blank: bool = False
    """Text of white space alone: providers refuse it."""


class Record(msgspec.Struct, frozen=True):
    """One line that matters."""

    line: int
    kind: Kind
    uuid: str = ""
    parent: str = ""
    at: float | None = None
    lane: str = ""
    """Empty for the main agent; else what the sub-agent is told apart by: its id, or its own uuid until its root is known."""
    is_side: bool = False
    parts: tuple[Part, ...] = ()
    message_id: str = ""
    model: str = ""
    usage: bytes = b""
    stop: bytes = b""
    is_typed: bool = False
    """A user record that holds what a person wrote or pasted, not the client's markup around a command."""
    is_injected: bool = False
    """A user record the client wrote by itself."""
    is_summary: bool = False
    cleared: frozenset[str] = frozenset()
    """Call ids whose results a clearing took away."""


class _Block(msgspec.Struct):
    type: str
    id: str | None = None
    tool_use_id: str | None = None
    text: msgspec.Raw = msgspec.Raw()


class _Message(msgspec.Struct):
    content: msgspec.Raw
    id: str | None = None
    model: str | None = None
    usage: msgspec.Raw = msgspec.Raw()
    stop_reason: msgspec.Raw = msgspec.Raw()


class _Clearing(msgspec.Struct, rename="camel"):
    compacted_tool_ids: list[str] = []


class _Entry(msgspec.Struct, rename="camel"):
    type: str
    subtype: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    timestamp: str | None = None
    is_sidechain: bool | None = None
    agent_id: str | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_api_error_message: bool | None = None
    message: msgspec.Raw = msgspec.Raw()
    microcompact_metadata: _Clearing | None = None


def read(line: Line) -> Record:
    """The record of a line; raises NotReadable for what is no Claude Code record."""
    entry = decode(line.data, _Entry)
    if entry.type in ("user", "assistant"):
        if not bytes(entry.message):
            raise NotReadable(f"a {entry.type} record without a message")
        return _message(line.number, entry, decode(bytes(entry.message), _Message))
    kind = {"compact_boundary": Kind.BOUNDARY, "microcompact_boundary": Kind.CLEARING}.get(entry.subtype or "", Kind.LINK)
    cleared = entry.microcompact_metadata.compacted_tool_ids if entry.microcompact_metadata else []
    return _record(line.number, entry, kind, cleared=frozenset(cleared))


def _message(number: int, entry: _Entry, message: _Message) -> Record:
    parts = _parts(bytes(message.content))
    if entry.type == "user":
        summary = bool(entry.is_compact_summary)
        injected = bool(entry.is_meta) or summary or all(_begins(part, INJECTED) for part in parts)
        typed = not injected and not all(_begins(part, ECHOES) for part in parts)
        return _record(number, entry, Kind.USER, parts=parts, is_typed=typed, is_injected=injected, is_summary=summary)
    if entry.is_api_error_message or message.model == SYNTHETIC:
        return _record(number, entry, Kind.LINK)
    return _record(
        number,
        entry,
        Kind.ASSISTANT,
        parts=parts,
        message_id=message.id or f"line-{number}",
        model=message.model or "",
        usage=_known(message.usage),
        stop=_known(message.stop_reason),
    )


def _known(value: msgspec.Raw) -> bytes:
    return b"" if bytes(value) == b"null" else bytes(value)


def _record(number: int, entry: _Entry, kind: Kind, **fields: object) -> Record:
    common = {
        "line": number,
        "kind": kind,
        "uuid": entry.uuid or "",
        "parent": entry.parent_uuid or entry.logical_parent_uuid or "",
        "at": _seconds(entry.timestamp),
        "is_side": bool(entry.is_sidechain),
        "lane": entry.agent_id or "" if entry.is_sidechain else "",
    }
    return msgspec.convert({**common, **fields}, Record)


def _parts(content: bytes) -> tuple[Part, ...]:
    """The blocks of a content; a bare string is one text."""
    if content[:1] == b'"':
        return (Part("text", content, is_bare=True, is_blank=_is_blank(content)),)
    return tuple(_part(bytes(raw)) for raw in decode(content, list[msgspec.Raw]))


def _part(raw: bytes) -> Part:
    block = decode(raw, _Block)
    blank = block.type == "text" and _is_blank(bytes(block.text))
    return Part(block.type, raw, call_id=block.tool_use_id or block.id or "", is_blank=blank)


def _is_blank(text: bytes) -> bool:
    """Whether a JSON string holds white space alone, told from its bytes."""
    for escape in (b"\\n", b"\\r", b"\\t"):
        text = text.replace(escape, b"")
    return not text.strip(b'" ')


INJECTED = (
    b'"<local-command-',
    b'"<bash-stdout>',
    b'"<bash-stderr>',
    b'"<system-reminder>',
    b'"[Request interrupted by user',
    b'"Caveat: The messages below were generated by the user while running local commands',
)
"""How texts begin that Claude Code writes into user records without marking them `isMeta`."""
ECHOES = (*INJECTED, b'"<command-name>', b'"<command-message>', b'"<bash-input>')
"""The same, with the markup around a command a person gave to the client."""


def _begins(part: Part, starts: tuple[bytes, ...]) -> bool:
    if part.kind != "text":
        return part.kind == "tool_result"
    text = part.raw if part.is_bare else bytes(decode(part.raw, _Block).text)
    return text.startswith(starts)


def _seconds(timestamp: str | None) -> float | None:
    try:
        return datetime.fromisoformat(timestamp).timestamp() if timestamp else None
    except ValueError:
        return None
