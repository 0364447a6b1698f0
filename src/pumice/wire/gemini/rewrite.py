"""Gemini contents with some parts in another form, everything else byte for byte.

A signed part is whole or it is gone (K-G8): what is put in its place carries no signature of the model's. A call that is
shortened, or that comes to stand first because a signed one has gone, carries the documented stand-in (K-G7, K-G10).
"""

from collections.abc import Mapping, Sequence

from pumice.domain.block import Block, Kind
from pumice.domain.message import Message
from pumice.wire import jsonbytes
from pumice.wire.forms import as_arguments
from pumice.wire.gemini import keys, read, results, signatures

_STAND_IN = jsonbytes.encode(signatures.SKIP)


def message(whole: Message, forms: Mapping[int, str | None]) -> bytes | None:
    """See `Dialect.rewrite`. A text that would be blank is left out."""
    if not forms:
        return whole.raw
    members = jsonbytes.members(whole.raw)
    came = read.parts(members)
    placed = enumerate(zip(whole.blocks, came, strict=True))
    written = [_form(block, raw, forms[place]) if place in forms else raw for place, (block, raw) in placed]
    kept = [raw for raw in _signed(whole.blocks, came, written) if raw is not None]
    return jsonbytes.join_object({**members, "parts": jsonbytes.join_array(kept)}) if kept else None


def _form(block: Block, came: bytes, text: str | None) -> bytes | None:
    if text is None or (block.kind not in (Kind.RESULT, Kind.CALL) and not text.strip()):
        return None
    if block.kind is Kind.RESULT:
        return _result(jsonbytes.members(came), text)
    if block.kind is Kind.CALL:
        return _call(jsonbytes.members(came), text)
    return jsonbytes.encode({"text": text})


def _result(part: dict[str, bytes], text: str) -> bytes:
    field = keys.spelled(part, "functionResponse")
    members = jsonbytes.members(part[field])
    said = results.saying(jsonbytes.decode(members.get("response", b"null")), text)
    kept = {key: value for key, value in members.items() if key != "parts"}
    return jsonbytes.join_object({**part, field: jsonbytes.join_object({**kept, "response": said})})


def _call(part: dict[str, bytes], text: str) -> bytes:
    field, signature = (keys.spelled(part, name) for name in ("functionCall", keys.SIGNATURE))
    made = jsonbytes.join_object({**jsonbytes.members(part[field]), "args": as_arguments(text)})
    stand_in = {signature: _STAND_IN} if signature in part else {}
    return jsonbytes.join_object({**part, field: made, **stand_in})


def _signed(blocks: Sequence[Block], came: Sequence[bytes], written: Sequence[bytes | None]) -> Sequence[bytes | None]:
    """The parts, with the stand-in on the first call where the signed one before it has gone."""
    calls = [place for place, block in enumerate(blocks) if block.kind is Kind.CALL]
    first = next((place for place in calls if written[place] is not None), None)
    if first is None or not any(map(_has_signature, (came[place] for place in calls if place < first))):
        return written
    standing = written[first] or b""
    if _has_signature(standing):
        return written
    return [*written[:first], _standing_in(standing), *written[first + 1 :]]


def _standing_in(call: bytes) -> bytes:
    return jsonbytes.join_object({**jsonbytes.members(call), keys.SIGNATURE: _STAND_IN})


def _has_signature(raw: bytes) -> bool:
    return bool(signatures.of({key: jsonbytes.decode(value) for key, value in jsonbytes.members(raw).items()}))
