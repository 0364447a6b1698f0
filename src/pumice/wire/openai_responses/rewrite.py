"""Responses items in another form, everything else byte for byte; an edited item is no longer the one that is stored (K-R5)."""

from collections.abc import Mapping
from typing import Any

from pumice.domain.block import Block, Kind, Role
from pumice.domain.message import Message
from pumice.wire import jsonbytes
from pumice.wire.breakpoints import Breakpoints
from pumice.wire.forms import as_arguments
from pumice.wire.openai_chat.canonical import MARKER
from pumice.wire.openai_responses import items
from pumice.wire.values import mapping, objects, string

_CACHE = Breakpoints(MARKER)
_BOUND = frozenset({items.MESSAGE, items.REASONING, items.COMPACTION, *items.CALLS, *items.OUTPUTS})
"""Items that say all they are; the others are known to the provider by their ids."""


def message(whole: Message, forms: Mapping[int, str | None]) -> bytes | None:
    """See `Dialect.rewrite`."""
    if not forms:
        return whole.raw
    members = jsonbytes.members(whole.raw)
    name = _kind(members)
    if name == items.MESSAGE:
        return _message(whole, members, forms)
    text = forms.get(0)
    if text is None:
        return None
    said = jsonbytes.encode(text)
    if name in items.OUTPUTS:
        return jsonbytes.join_object(_unstored(members) | {"output": _output(name, members, text)})
    if name in items.CALLS:
        return jsonbytes.join_object(_unstored(members) | {items.CALLS[name]: _given(name, text)})
    role = b'"user"' if whole.role == Role.USER else b'"assistant"'
    return jsonbytes.join_object({"type": b'"message"', "role": role, "content": said})


def _message(whole: Message, members: dict[str, bytes], forms: Mapping[int, str | None]) -> bytes | None:
    content = members.get("content", b"null")
    parts = jsonbytes.items(content) if jsonbytes.is_array(content) else [content]
    written = [_part(raw, whole.blocks[at], forms[at]) if at in forms else raw for at, raw in enumerate(parts)]
    if all(raw is None for raw in written):
        return None
    if jsonbytes.is_array(content):
        made = jsonbytes.join_array(_CACHE.kept(list(zip(parts, written, strict=True))))
    else:
        made = written[0] or content
    return jsonbytes.join_object(_unstored(members) | {"content": made})


def _part(raw: bytes, block: Block, text: str | None) -> bytes | None:
    """A part as it was sent, which the store may hold otherwise, saying something else."""
    if text is None:
        return None
    said = jsonbytes.encode(text)
    if jsonbytes.is_string(raw):
        return said
    members = jsonbytes.members(raw)
    kind = b'"output_text"' if block.role == Role.ASSISTANT else b'"input_text"'
    kind = members["type"] if block.kind is Kind.TEXT and "text" in members else kind
    beside = {"annotations": b"[]"} if "annotations" in members else {}
    kept = {key: value for key, value in members.items() if key == MARKER}
    return jsonbytes.join_object({"type": kind, "text": said, **beside, **kept})


def _output(name: str, members: dict[str, bytes], text: str) -> bytes:
    """The text in the shape this kind of output has; what a shell's ended with stays."""
    if name != "shell_call_output":
        return jsonbytes.encode(text)
    ended = [mapping(part.get("outcome")) for part in objects(jsonbytes.decode(members.get("output", b"null")))]
    outcome: dict[str, Any] = ended[-1] if ended and ended[-1] else {"type": "exit", "exit_code": 0}
    return jsonbytes.encode([{"stdout": text, "stderr": "", "outcome": outcome}])


def _given(name: str, text: str) -> bytes:
    if name == "custom_tool_call":
        return jsonbytes.encode(text)
    given = as_arguments(text)
    return jsonbytes.encode(given.decode()) if name == "function_call" else given


def loose(raw: bytes) -> bytes | None:
    """See `Dialect.loose`: without the id an item is stored under, which ties it to the reasoning beside it (K-R3, K-R4).

    Reasoning that is known by its id alone cannot be sent without; items of the provider's own tools are what their id says.
    """
    members = jsonbytes.members(raw)
    name = _kind(members)
    if "id" not in members or name not in _BOUND:
        return raw
    if name == items.REASONING and members.get("encrypted_content", b"null") == b"null":
        return None
    return jsonbytes.join_object(_unstored(members))


def remark(lost: bytes, onto: bytes) -> bytes:
    """See `Dialect.remark`; only an item with a list of parts can carry a breakpoint."""
    members = jsonbytes.members(onto)
    field, parts = listed(members)
    moved = _CACHE.moved(listed(jsonbytes.members(lost))[1], parts)
    return onto if moved is None else jsonbytes.join_object(members | {field: jsonbytes.join_array(moved)})


def unmarked(raw: bytes) -> bytes:
    """See `Dialect.unmarked`."""
    members = jsonbytes.members(raw) if MARKER.encode() in raw else {}
    field, parts = listed(members)
    bare = _CACHE.off(parts)
    return raw if bare is None else jsonbytes.join_object(members | {field: jsonbytes.join_array(bare)})


def listed(members: Mapping[str, bytes]) -> tuple[str, list[bytes]]:
    """The member of an item that holds its parts, and the parts; none where it holds a string."""
    field = "content" if "content" in members else "output"
    held = members.get(field, b"null")
    return field, jsonbytes.items(held) if jsonbytes.is_array(held) else []


def _unstored(members: dict[str, bytes]) -> dict[str, bytes]:
    """An item's members without the id it is stored under; a local shell's output names its call by it."""
    if members.get("type") == b'"local_shell_call_output"':
        return members
    return {key: raw for key, raw in members.items() if key != "id"}


def _kind(members: Mapping[str, bytes]) -> str:
    return string(jsonbytes.decode(members.get("type", b"null"))) or items.MESSAGE
