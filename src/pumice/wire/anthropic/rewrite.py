"""Anthropic messages with some blocks in another form, everything else byte for byte."""

from collections.abc import Mapping, Sequence

from pumice.domain.block import Kind
from pumice.domain.message import Message
from pumice.wire import jsonbytes
from pumice.wire.anthropic.canonical import MARKER
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
    moved = [(place, raw) for place, raw in enumerate(came) if written[place] is None]
    kept = {place: raw for place, raw in enumerate(written) if raw is not None}
    for place, raw in moved:
        marker = _marker(raw)
        target = _nearest(kept, place) if marker else None
        if marker and target is not None and _marker(kept[target]) is None:
            kept[target] = _marked(kept[target], marker)
    return jsonbytes.join_array(kept.values())


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


def _nearest(kept: Mapping[int, bytes], place: int) -> int | None:
    """The block next to a place that can carry a marker, the earlier of two."""
    able = [other for other, raw in kept.items() if _can_carry(raw)]
    return min(able, key=lambda other: (abs(other - place), other), default=None)


def _can_carry(raw: bytes) -> bool:
    members = jsonbytes.members(raw)
    kind = jsonbytes.decode(members.get("type", b'""'))
    return kind not in _UNMARKABLE and members.get("text") != b'""'


def _marker(raw: bytes) -> bytes | None:
    return jsonbytes.members(raw).get(MARKER) if MARKER.encode() in raw and raw[:1] == b"{" else None


def _marked(raw: bytes, marker: bytes) -> bytes:
    return jsonbytes.join_object(jsonbytes.members(raw) | {MARKER: marker})


def remark(lost: bytes, onto: bytes) -> bytes:
    """See `Dialect.remark`; a string content becomes a list of one text to carry the marker."""
    markers = [marker for raw in _blocks(lost) if (marker := _marker(raw))]
    blocks = _blocks(onto)
    if not markers or any(_marker(raw) for raw in blocks):
        return onto
    place = _nearest(dict(enumerate(blocks)), len(blocks))
    if place is None:
        return onto
    blocks[place] = _marked(blocks[place], markers[-1])
    return jsonbytes.join_object(jsonbytes.members(onto) | {"content": jsonbytes.join_array(blocks)})


def unmarked(raw: bytes) -> bytes:
    """See `Dialect.unmarked`."""
    members = jsonbytes.members(raw) if MARKER.encode() in raw else {}
    content = members.get("content", b"null")
    blocks = jsonbytes.items(content) if jsonbytes.is_array(content) else []
    if not any(map(_marker, blocks)):
        return raw
    return jsonbytes.join_object(members | {"content": jsonbytes.join_array(map(_bare, blocks))})


def _bare(raw: bytes) -> bytes:
    if _marker(raw) is None:
        return raw
    return jsonbytes.join_object({key: value for key, value in jsonbytes.members(raw).items() if key != MARKER})


def _blocks(raw: bytes) -> list[bytes]:
    content = jsonbytes.members(raw).get("content", b"null")
    if jsonbytes.is_array(content):
        return jsonbytes.items(content)
    return [jsonbytes.join_object({"type": b'"text"', "text": content})] if jsonbytes.is_string(content) else []
