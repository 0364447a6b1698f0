"""Anthropic messages with some blocks in another form, everything else byte for byte."""

from collections.abc import Mapping, Sequence

from pumice.domain.block import Kind
from pumice.domain.message import Message
from pumice.wire import jsonbytes
from pumice.wire.anthropic.canonical import MARKER
from pumice.wire.breakpoints import Breakpoints
from pumice.wire.forms import as_arguments

_UNMARKABLE = frozenset({"thinking", "redacted_thinking"})


def message(whole: Message, forms: Mapping[int, str | None]) -> bytes | None:
    """See `Dialect.rewrite`. A text that would be blank is left out: providers refuse it (K-A10).

    Blocks are spliced from `whole.raw`, never from their own bytes: those may be of an earlier request, with its markers.
    """
    if not forms:
        return whole.raw
    members = jsonbytes.members(whole.raw)
    came = _items(members)
    placed = enumerate(zip(whole.blocks, came, strict=True))
    written = [_form(block.kind, raw, forms[place]) if place in forms else raw for place, (block, raw) in placed]
    if all(raw is None for raw in written):
        return None
    return jsonbytes.join_object(members | {"content": _content(came, written)})


def _items(members: Mapping[str, bytes]) -> list[bytes]:
    content = members.get("content", b"null")
    return [content] if jsonbytes.is_string(content) else jsonbytes.items(content)


def _content(came: Sequence[bytes], written: Sequence[bytes | None]) -> bytes:
    if len(written) == 1 and written[0] is not None and jsonbytes.is_string(written[0]):
        return written[0]
    return jsonbytes.join_array(_CACHE.kept(list(zip(came, written, strict=True))))


def _form(kind: Kind, came: bytes, text: str | None) -> bytes | None:
    if text is None or (kind is not Kind.RESULT and not text.strip()):
        return None
    if jsonbytes.is_string(came):
        return jsonbytes.encode(text)
    members = jsonbytes.members(came)
    if kind is Kind.RESULT:
        return jsonbytes.join_object(members | {"content": jsonbytes.encode(text)})
    if kind is Kind.CALL:
        return jsonbytes.join_object(members | {"input": as_arguments(text)})
    kept = {key: raw for key, raw in members.items() if key == MARKER}
    return jsonbytes.join_object({"type": b'"text"', "text": jsonbytes.encode(text)} | kept)


def _can_carry(raw: bytes) -> bool:
    members = jsonbytes.members(raw)
    kind = jsonbytes.decode(members.get("type", b'""'))
    return kind not in _UNMARKABLE and members.get("text") != b'""'


_CACHE = Breakpoints(MARKER, _can_carry)


def remark(lost: bytes, onto: bytes) -> bytes:
    """See `Dialect.remark`; a string content becomes a list of one text to carry the marker."""
    blocks = _CACHE.moved(_blocks(lost), _blocks(onto))
    return (
        onto if blocks is None else jsonbytes.join_object(jsonbytes.members(onto) | {"content": jsonbytes.join_array(blocks)})
    )


def unmarked(raw: bytes) -> bytes:
    """See `Dialect.unmarked`."""
    members = jsonbytes.members(raw) if MARKER.encode() in raw else {}
    content = members.get("content", b"null")
    blocks = _CACHE.off(jsonbytes.items(content)) if jsonbytes.is_array(content) else None
    return raw if blocks is None else jsonbytes.join_object(members | {"content": jsonbytes.join_array(blocks)})


def _blocks(raw: bytes) -> list[bytes]:
    content = jsonbytes.members(raw).get("content", b"null")
    if jsonbytes.is_array(content):
        return jsonbytes.items(content)
    return [jsonbytes.join_object({"type": b'"text"', "text": content})] if jsonbytes.is_string(content) else []
