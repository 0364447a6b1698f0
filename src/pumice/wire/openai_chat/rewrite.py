"""Chat messages with some blocks in another form, everything else byte for byte."""

from collections.abc import Mapping

from pumice.domain.block import Block, Kind
from pumice.domain.message import Message
from pumice.wire import jsonbytes
from pumice.wire.forms import as_arguments
from pumice.wire.openai_chat import slots
from pumice.wire.openai_chat.canonical import MARKER


def message(whole: Message, forms: Mapping[int, str | None]) -> bytes | None:
    """See `Dialect.rewrite`."""
    if not forms:
        return whole.raw
    members = jsonbytes.members(whole.raw)
    name = jsonbytes.decode(members["role"])
    if whole.blocks and whole.blocks[0].kind is Kind.RESULT:
        return _result(members, forms.get(0))
    placed = list(zip(slots.of(whole.raw, name, members), whole.blocks, strict=True))
    written = [_form(slot, block, forms[i]) if i in forms else slot.raw for i, (slot, block) in enumerate(placed)]
    if all(raw is None for raw in written):
        return None
    return jsonbytes.join_object(_assembled(members, [slot for slot, _ in placed], written))


def _result(members: dict[str, bytes], text: str | None) -> bytes | None:
    return None if text is None else jsonbytes.join_object(members | {"content": jsonbytes.encode(text)})


def _assembled(members: dict[str, bytes], placed: list[slots.Slot], written: list[bytes | None]) -> dict[str, bytes]:
    found = dict(members)
    for field in {slot.field for slot in placed}:
        all_raw = [(slot, raw) for slot, raw in zip(placed, written, strict=True) if slot.field == field]
        kept = [raw for _, raw in all_raw if raw is not None]
        if all_raw[0][0].index is None and kept:
            found[field] = kept[0]
        elif kept:
            found[field] = jsonbytes.join_array(_with_markers([(slot.raw, raw) for slot, raw in all_raw]))
        elif field == "content":
            found[field] = b"null"
        else:
            del found[field]
    return found


def _with_markers(pairs: list[tuple[bytes, bytes | None]]) -> list[bytes]:
    """Parts that stay, each breakpoint of one that goes moved to the nearest that has none."""
    kept = {place: raw for place, (_, raw) in enumerate(pairs) if raw is not None}
    for place, (before, after) in enumerate(pairs):
        marker = _marker(before) if after is None else None
        target = min(kept, key=lambda other: (abs(other - place), other))
        if marker and _marker(kept[target]) is None:
            kept[target] = jsonbytes.join_object(jsonbytes.members(kept[target]) | {MARKER: marker})
    return list(kept.values())


def _form(slot: slots.Slot, block: Block, text: str | None) -> bytes | None:
    if text is None:
        return None
    if jsonbytes.is_string(slot.raw):
        return jsonbytes.encode(text)
    members = jsonbytes.members(slot.raw)
    if block.kind is Kind.CALL:
        return _call(members, text)
    kept = {key: raw for key, raw in members.items() if key == MARKER}
    return jsonbytes.join_object({"type": b'"text"', "text": jsonbytes.encode(text)} | kept)


def _call(members: dict[str, bytes], text: str) -> bytes:
    if "custom" in members:
        custom = jsonbytes.members(members["custom"]) | {"input": jsonbytes.encode(text)}
        return jsonbytes.join_object(members | {"custom": jsonbytes.join_object(custom)})
    arguments = jsonbytes.encode(as_arguments(text).decode())
    if "function" not in members:
        return jsonbytes.join_object(members | {"arguments": arguments})
    function = jsonbytes.members(members["function"]) | {"arguments": arguments}
    return jsonbytes.join_object(members | {"function": jsonbytes.join_object(function)})


def _marker(raw: bytes) -> bytes | None:
    return jsonbytes.members(raw).get(MARKER) if MARKER.encode() in raw and raw[:1] == b"{" else None


def remark(lost: bytes, onto: bytes) -> bytes:
    """See `Dialect.remark`; only a message whose content is a list of parts can carry a breakpoint."""
    members = jsonbytes.members(onto)
    parts = _parts(members)
    markers = [marker for raw in _parts(jsonbytes.members(lost)) if (marker := _marker(raw))]
    if not markers or not parts or any(_marker(raw) for raw in parts):
        return onto
    parts[-1] = jsonbytes.join_object(jsonbytes.members(parts[-1]) | {MARKER: markers[-1]})
    return jsonbytes.join_object(members | {"content": jsonbytes.join_array(parts)})


def unmarked(raw: bytes) -> bytes:
    """See `Dialect.unmarked`."""
    members = jsonbytes.members(raw) if MARKER.encode() in raw else {}
    parts = _parts(members)
    if not any(map(_marker, parts)):
        return raw
    return jsonbytes.join_object(members | {"content": jsonbytes.join_array(map(_bare, parts))})


def _bare(raw: bytes) -> bytes:
    if _marker(raw) is None:
        return raw
    return jsonbytes.join_object({key: value for key, value in jsonbytes.members(raw).items() if key != MARKER})


def _parts(members: dict[str, bytes]) -> list[bytes]:
    content = members.get("content", b"null")
    return jsonbytes.items(content) if jsonbytes.is_array(content) else []
