"""Responses items into messages of the ledger, one each."""

from collections.abc import Iterator
from typing import Any

from pumice.domain import marks
from pumice.domain.block import Block, Kind, Media, Origin, Role
from pumice.domain.message import Message
from pumice.errors import BadRequest
from pumice.measure import media
from pumice.wire import jsonbytes, leaves
from pumice.wire.blocks import made
from pumice.wire.openai_chat.canonical import parts as as_parts
from pumice.wire.openai_chat.canonical import text as bare_text
from pumice.wire.openai_responses import canonical, items
from pumice.wire.values import mapping, objects, string

_STAYS = frozenset({items.COMPACTION, items.TOOLS, items.SETTINGS})


def message(raw: bytes) -> Message:
    """One item. Raises BadRequest for what is no object, and for a message of an unknown role."""
    value = jsonbytes.decode(raw)
    if not isinstance(value, dict):
        raise BadRequest(f"an item that is {raw[:40].decode('utf-8', 'replace')}.", hint="Expected an object.")
    name = items.kind(value)
    if name == items.COMPACTION and is_ours(value):
        return _sealed(value, raw)
    role = items.role(value)
    key = bytes.fromhex(jsonbytes.digest(canonical.item(value)))
    if name == items.MESSAGE:
        content = jsonbytes.members(raw).get("content", b"null")
        return Message(role, tuple(_parts(content, role)), raw, key, jsonbytes.is_string(content), is_part=True)
    return Message(role, (_item(value, raw, role),), raw, key, is_part=True)


def is_ours(value: dict[str, Any]) -> bool:
    """Whether a compaction item holds an item sealed by pumice, as far as what came of it says."""
    said = string(value.get("encrypted_content")).strip()
    return bool(said) and (
        said.startswith(marks.SEALED_BEGIN) or marks.SEALED_BEGIN.startswith(said) or said.endswith(marks.SEALED_END)
    )


def _sealed(value: dict[str, Any], raw: bytes) -> Message:
    """An item of ours stands for the conversation before it, in the user's place, opened or made again (F-C13)."""
    said = string(value["encrypted_content"])
    said = said if marks.is_sealed(said) else marks.wrap(marks.SEALED, "")
    block = made(canonical.item(value), raw, Role.USER, Kind.TEXT, text=said)
    return Message(Role.USER, (block,), raw, bytes.fromhex(block.hash), is_part=True)


def _parts(content: bytes, role: Role) -> Iterator[Block]:
    if content == b"null":
        return
    listed = jsonbytes.items(content) if jsonbytes.is_array(content) else [content]
    for raw in listed:
        value = jsonbytes.decode(raw)
        if isinstance(value, str):
            yield made(bare_text(value), raw, role, Kind.TEXT, text=value)
        else:
            yield _part(value, raw, role)


def _part(value: Any, raw: bytes, role: Role) -> Block:
    name = string(mapping(value).get("type"))
    bare = canonical.part(value)
    if name in items.TEXTS or name == "refusal":
        return made(bare, raw, role, Kind.TEXT, text=string(value.get("text", value.get("refusal"))))
    if name in items.MEDIA:
        return made(bare, raw, role, Kind.MEDIA, held=(_media(value),))
    return made(bare, raw, role, Kind.OPAQUE, text=leaves.of_opaque(value))


def _item(value: dict[str, Any], raw: bytes, role: Role) -> Block:
    name, bare = items.kind(value), canonical.item(value)
    if name == items.REASONING:
        return made(bare, raw, role, Kind.REASONING)
    if name in items.CALLS:
        said = leaves.of_arguments(canonical.arguments(value))
        return made(
            bare, raw, role, Kind.CALL, by=Origin.MODEL, text=said, call_id=items.call_id(value), tool=items.tool(value)
        )
    if name in items.OUTPUTS:
        return _result(value, bare, raw)
    held = _pictures(value)
    text = "" if name in _STAYS or held else leaves.of_opaque(value)
    return made(bare, raw, role, Kind.OPAQUE, text=text, held=held, stays=name in _STAYS)


def _result(value: dict[str, Any], bare: dict[str, Any], raw: bytes) -> Block:
    parts = objects(as_parts(value.get("output")))
    said = [text for part in parts for text in (part.get("text"), part.get("stdout"), part.get("stderr"))]
    return made(
        bare,
        raw,
        Role.TOOL,
        Kind.RESULT,
        text="\n".join(text for text in said if isinstance(text, str) and text),
        held=tuple(_media(part) for part in parts if part.get("type") in items.MEDIA),
        call_id=items.call_id(value),
        tool=string(value.get("name")),
        is_error=value.get("status") == "failed" or any(map(_failed, parts)),
    )


def _failed(part: dict[str, Any]) -> bool:
    return mapping(part.get("outcome")).get("exit_code", 0) != 0 or mapping(part.get("outcome")).get("type") == "timeout"


def _pictures(value: dict[str, Any]) -> tuple[Media, ...]:
    """What an item of the provider's own tools holds besides words: a screenshot, a picture it made."""
    if items.kind(value) == "computer_call_output":
        return (_media(mapping(value.get("output"))),)
    made = string(value.get("result")) if items.kind(value) == "image_generation_call" else ""
    return (media.from_base64(made, "image/png"),) if made else ()


def _media(part: dict[str, Any]) -> Media:
    if part.get("type") == "input_audio":
        held = mapping(part.get("input_audio")) or part
        return media.from_base64(string(held.get("data")), f"audio/{string(held.get('format'))}")
    url = part.get("image_url")
    address = string(url) or string(mapping(url).get("url"))
    return media.from_data_url(address or string(part.get("file_data")))
