"""Lines of a Claude Code log as records: what each line is, before any of them are put together."""

from typing import Any

import msgspec

from pumice.recordings.jsonl import Line, NotReadable, decode, seconds
from pumice.recordings.records import Kind, Part, Record, is_blank
from pumice.wire import jsonbytes

SYNTHETIC = "<synthetic>"
"""Model name of assistant records that the client wrote itself."""


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

    @property
    def parent(self) -> str:
        """What the record hangs under; across a compaction only the logical link says it."""
        return self.parent_uuid or self.logical_parent_uuid or ""


def read(line: Line) -> Record:
    """The record of a line; raises NotReadable for what is no Claude Code record."""
    entry = decode(line.data, _Entry)
    common = _common(line.number, entry)
    if entry.type in ("user", "assistant"):
        if not bytes(entry.message):
            raise NotReadable(f"a {entry.type} record without a message")
        message = decode(bytes(entry.message), _Message)
        return _user(entry, message, common) if entry.type == "user" else _assistant(entry, message, common)
    if entry.subtype == "compact_boundary":
        # It closes whatever is newest: the logical link may name a record that the log does not hold in its place.
        return Record(**common, kind=Kind.BOUNDARY, parent=entry.parent_uuid or "")
    if entry.subtype == "microcompact_boundary":
        cleared = entry.microcompact_metadata.compacted_tool_ids if entry.microcompact_metadata else []
        return Record(**common, kind=Kind.CLEARING, parent=entry.parent, cleared=frozenset(cleared))
    return Record(**common, kind=Kind.LINK, parent=entry.parent)


AROUND = ("userType", "cwd", "sessionId", "version", "gitBranch")
"""Keys that every message record of a session repeats."""


def around(line: Line) -> dict[str, bytes]:
    """What stands around the message in a record; nothing for a line that has none."""
    members = jsonbytes.members(line.data)
    return {key: members[key] for key in AROUND if key in members} if "message" in members else {}


def _common(number: int, entry: _Entry) -> dict[str, Any]:
    return {
        "line": number,
        "uuid": entry.uuid or "",
        "at": seconds(entry.timestamp),
        "is_side": bool(entry.is_sidechain),
        "lane": (entry.agent_id or "") if entry.is_sidechain else "",
    }


def _user(entry: _Entry, message: _Message, common: dict[str, Any]) -> Record:
    parts = _parts(bytes(message.content))
    said = [part for part in parts if part.kind != "tool_result"]
    summary = bool(entry.is_compact_summary)
    injected = bool(said) and (bool(entry.is_meta) or summary or all(_begins(part, INJECTED) for part in said))
    return Record(
        **common,
        kind=Kind.USER,
        parent=entry.parent,
        parts=parts,
        is_typed=bool(said) and not injected and not all(_begins(part, ECHOES) for part in said),
        is_injected=injected,
        is_summary=summary,
    )


def _assistant(entry: _Entry, message: _Message, common: dict[str, Any]) -> Record:
    if entry.is_api_error_message or message.model == SYNTHETIC:
        return Record(**common, kind=Kind.LINK, parent=entry.parent)
    return Record(
        **common,
        kind=Kind.ASSISTANT,
        parent=entry.parent,
        parts=_parts(bytes(message.content)),
        message_id=message.id or f"line {common['line']}",
        response_id=message.id or "",
        model=message.model or "",
        usage=_known(message.usage),
        stop=_known(message.stop_reason),
    )


def _known(value: msgspec.Raw) -> bytes:
    return b"" if bytes(value) == b"null" else bytes(value)


def _parts(content: bytes) -> tuple[Part, ...]:
    """The blocks of a content; a bare string is one text."""
    if content[:1] == b'"':
        return (Part("text", content, is_bare=True, is_blank=is_blank(content)),)
    return tuple(_part(bytes(raw)) for raw in decode(content, list[msgspec.Raw]))


def _part(raw: bytes) -> Part:
    block = decode(raw, _Block)
    blank = block.type == "text" and is_blank(bytes(block.text))
    return Part(block.type, raw, call_id=block.tool_use_id or block.id or "", is_blank=blank)


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
        return False
    text = part.raw if part.is_bare else bytes(decode(part.raw, _Block).text)
    return text.startswith(starts)
