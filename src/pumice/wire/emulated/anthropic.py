"""`context_management`, `compaction` and compaction blocks of Anthropic's API (provider-contracts §1.5.1 to §1.5.3)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pumice import wire
from pumice.domain.edits import Edit
from pumice.domain.message import Request
from pumice.wire import jsonbytes
from pumice.wire.emulated import anthropic_edits as edits
from pumice.wire.emulated.asked import Asked, Compact, Unacceptable
from pumice.wire.values import mapping, objects, string

EDITS, ON_DEMAND = "context_management", "compaction"
CONTINUED = "This session is being continued from a previous conversation that was summed up:"
"""What stands before a summary that is not ours."""
_BLOCK = "compaction"
_BETAS = frozenset({"context-management-2025-06-27", "compact-2026-01-12", "compact-2026-09-04"})
_NOT_WITH = ("context_management", "stop_sequences")


def read(request: Request) -> Asked | None:
    """What a request asks for; None where it asks for nothing and holds no compaction block.

    Raises Unacceptable for what the provider would refuse.
    """
    asked = {name: jsonbytes.decode(request.fields[name]) for name in (EDITS, ON_DEMAND) if name in request.fields}
    messages, is_carried = carried(request.messages)
    if not asked and tuple(messages) == request.messages:
        return None
    found = _edits(asked.get(EDITS))
    compact = next((edit for edit in found if isinstance(edit, Compact)), None)
    if asked.get(ON_DEMAND) is not None:
        compact = _on_demand(request, messages, mapping(asked[ON_DEMAND]))
    body = wire.get(request.dialect).close(request, messages, fields=dict.fromkeys(asked, None))
    rest = tuple(edit for edit in found if not isinstance(edit, Compact))
    return Asked(body, rest, compact, asked.get(EDITS) is not None, _BETAS, is_carried, _origin(request.messages))


def without(request: Request) -> Asked:
    """The request without the fields, whatever they say."""
    body = wire.get(request.dialect).close(request, request.messages, fields=dict.fromkeys((EDITS, ON_DEMAND), None))
    return Asked(body, betas=_BETAS)


def after(request: Request, text: str) -> bytes:
    """The request once a text stands for all of it."""
    dialect = wire.get(request.dialect)
    return dialect.close(request, [dialect.user(text)])


def carried(messages: Sequence[bytes]) -> tuple[Sequence[bytes], bool]:
    """Messages from the newest compaction block on, which becomes a user's message; whether there was one.

    A block without content says that a compaction failed, and is left out.
    """
    split = {at: blocks for at, raw in enumerate(messages) if (blocks := _split(raw)) is not None}
    standing = [(at, place) for at, blocks in split.items() for place, raw in enumerate(blocks) if _summary(raw)]
    rest = {at: [raw for raw in blocks if not _is_block(raw)] for at, blocks in split.items()}
    if not standing:
        return (tuple(_remade(messages, 0, rest)) if split else messages), False
    at, place = standing[-1]
    rest[at] = [raw for raw in split[at][place:] if not _is_block(raw)]
    return (_user(split[at][place]), *_remade(messages, at, rest)), True


def _origin(messages: Sequence[bytes]) -> str:
    """What the newest compaction block carries that the client hands back as it is."""
    blocks = [block for raw in messages for block in _split(raw) or () if _summary(block)]
    return string(mapping(jsonbytes.decode(blocks[-1])).get("encrypted_content")) if blocks else ""


def _remade(messages: Sequence[bytes], start: int, rest: Mapping[int, Sequence[bytes]]) -> Iterator[bytes]:
    for at, raw in enumerate(messages[start:], start):
        if at not in rest:
            yield raw
        elif rest[at]:
            yield jsonbytes.join_object(jsonbytes.members(raw) | {"content": jsonbytes.join_array(rest[at])})


def _split(raw: bytes) -> list[bytes] | None:
    """The blocks of a message that has a compaction block among them."""
    if b'"compaction"' not in raw:
        return None
    content = jsonbytes.members(raw).get("content", b"null")
    blocks = jsonbytes.items(content) if jsonbytes.is_array(content) else []
    return blocks if any(map(_is_block, blocks)) else None


def _is_block(raw: bytes) -> bool:
    return b'"compaction"' in raw and mapping(jsonbytes.decode(raw)).get("type") == _BLOCK


def _summary(raw: bytes) -> str:
    return string(mapping(jsonbytes.decode(raw)).get("content")) if _is_block(raw) else ""


def _user(block: bytes) -> bytes:
    """What a block says, in the user's place, with its cache marker."""
    dialect, text = wire.get("anthropic"), _summary(block)
    text = text if text.startswith("<pumice:") else f"{CONTINUED}\n\n{text}"
    marker = jsonbytes.members(block).get("cache_control")
    if marker is None:
        return dialect.user(text)
    said = {"type": b'"text"', "text": jsonbytes.encode(text), "cache_control": marker}
    return jsonbytes.join_object({"role": b'"user"', "content": jsonbytes.join_array([jsonbytes.join_object(said)])})


def _edits(value: Any) -> list[Edit | Compact]:
    listed = mapping(value).get("edits")
    if not isinstance(value, dict | None) or not isinstance(listed, list | None):
        raise Unacceptable(f"context_management: {str(value)[:60]!r} given, expected an object with a list of edits")
    found = (edits.read(at, edit) for at, edit in enumerate(objects(listed)))
    return [edit for edit in found if edit is not None]


def _on_demand(request: Request, messages: Sequence[bytes], value: Mapping[str, Any]) -> Compact:
    """Raises Unacceptable where the provider would refuse (§1.5.3)."""
    if value.get("type") != "summarize":
        raise Unacceptable(f"compaction.type: {value.get('type')!r} given, expected 'summarize'")
    fields = {name: jsonbytes.decode(request.fields[name]) for name in request.fields if name != request.field}
    wrong = [name for name in _NOT_WITH if fields.get(name)]
    wrong += ["output_config.format"] if mapping(fields.get("output_config")).get("format") else []
    wrong += ["tool_choice"] if mapping(fields.get("tool_choice")).get("type") in ("any", "tool") else []
    if wrong:
        raise Unacceptable(f"compaction: not together with {', '.join(wrong)}")
    last = mapping(jsonbytes.decode(messages[-1])) if messages else {}
    if any(block.get("type") == "tool_use" for block in objects(last.get("content"))):
        raise Unacceptable("compaction: the last tool_use has no result yet", "compaction_incomplete_turn")
    if len(messages) < 2:
        raise Unacceptable("compaction: there is no conversation to sum up", "compaction_nothing_to_summarize")
    return Compact(instructions=string(value.get("instructions")))
