"""Chat messages with some blocks in another form, everything else byte for byte."""

from collections.abc import Mapping

from pumice.domain.block import Block, Kind
from pumice.domain.message import Message
from pumice.wire import jsonbytes
from pumice.wire.breakpoints import Breakpoints
from pumice.wire.forms import as_arguments
from pumice.wire.openai_chat import slots
from pumice.wire.openai_chat.canonical import MARKER

_CACHE = Breakpoints(MARKER)


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
            found[field] = jsonbytes.join_array(_CACHE.kept([(slot.raw, raw) for slot, raw in all_raw]))
        elif field == "content":
            found[field] = b"null"
        else:
            del found[field]
    return found


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


def remark(lost: bytes, onto: bytes) -> bytes:
    """See `Dialect.remark`; only a message whose content is a list of parts can carry a breakpoint."""
    members = jsonbytes.members(onto)
    parts = _CACHE.moved(_parts(jsonbytes.members(lost)), _parts(members))
    return onto if parts is None else jsonbytes.join_object(members | {"content": jsonbytes.join_array(parts)})


def unmarked(raw: bytes) -> bytes:
    """See `Dialect.unmarked`."""
    members = jsonbytes.members(raw) if MARKER.encode() in raw else {}
    parts = _CACHE.off(_parts(members))
    return raw if parts is None else jsonbytes.join_object(members | {"content": jsonbytes.join_array(parts)})


def _parts(members: dict[str, bytes]) -> list[bytes]:
    content = members.get("content", b"null")
    return jsonbytes.items(content) if jsonbytes.is_array(content) else []
