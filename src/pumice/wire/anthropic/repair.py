"""Anthropic messages made to keep A4–A8 and A10."""

from collections.abc import Sequence

import msgspec

from pumice.domain.block import Block, Kind, Role
from pumice.wire import jsonbytes, repair
from pumice.wire.anthropic import read, rewrite
from pumice.wire.drafts import Draft, drafted, extended, gathered, segments
from pumice.wire.forms import aborted_result


def messages(raws: Sequence[bytes]) -> repair.Repaired:
    """See `Dialect.repair`."""
    drafts = drafted(raws, read.message)
    sentences: list[str] = []
    rebuilt: list[Draft] = []
    for calling, following in segments(_without_empty(drafts, sentences)):
        rebuilt += calling + _answered(calling, following, sentences)
    if not sentences:
        return repair.Repaired(tuple(raws))
    written = [raw for draft in _led(rebuilt, drafts, sentences) if (raw := _written(draft)) is not None]
    return repair.Repaired(tuple(_bounded(written, drafts, sentences)), tuple(sentences))


def _written(draft: Draft) -> bytes | None:
    """The message; a cache marker of blocks that were left out stays on it."""
    raw = draft.written("content")
    if raw is None or draft.message is None or raw is draft.message.raw:
        return raw
    return rewrite.remark(draft.message.raw, raw)


def _without_empty(drafts: list[Draft], sentences: list[str]) -> list[Draft]:
    """Blank texts go, and messages of which nothing is left; a final assistant message may be empty (A10)."""
    found: list[Draft] = []
    for draft in drafts:
        kept = [block for block in draft.blocks if block.kind is not Kind.TEXT or block.text.strip()]
        may_be_empty = draft is drafts[-1] and draft.role is Role.ASSISTANT and not draft.blocks
        if len(kept) < len(draft.blocks) or not (kept or may_be_empty):
            sentences.append(repair.emptied(draft.index))
        draft.blocks = kept
        found += [draft] if kept or may_be_empty else []
    return found


def _led(rebuilt: list[Draft], drafts: list[Draft], sentences: list[str]) -> list[Draft]:
    """A system message whose user message was left out gets a short one before it: it must stand behind a user's (A17)."""
    found: list[Draft] = []
    for draft in rebuilt:
        follows_user = draft.role is Role.SYSTEM and draft.index > 0 and drafts[draft.index - 1].role is Role.USER
        if follows_user and found and found[-1].role is not Role.USER:
            sentences.append(repair.filled("user"))
            found.append(_filler())
        found.append(draft)
    return found


def _filler() -> Draft:
    value = {"type": "text", "text": repair.FILLER}
    return Draft(-1, Role.USER, [read.block(value, jsonbytes.encode(value), Role.USER)])


def _answered(calling: list[Draft], following: list[Draft], sentences: list[str]) -> list[Draft]:
    calls = [(draft, place) for draft in calling for place in draft.places(Kind.CALL)]
    results = [(draft, place) for draft in following for place in draft.places(Kind.RESULT)]
    pairing = repair.pair(
        [draft.blocks[place].call_id for draft, place in calls],
        [draft.blocks[place].call_id for draft, place in results],
    )
    for (draft, place), ident in zip(calls, pairing.ids, strict=True):
        if draft.blocks[place].call_id != ident:
            sentences.append(repair.renamed(draft.index, draft.blocks[place].call_id, ident))
            draft.blocks[place] = _named(draft.blocks[place], "id", ident)
    for (draft, place), target in zip(results, pairing.targets, strict=True):
        block = draft.blocks[place]
        if target is None:
            sentences.append(repair.orphaned(draft.index, block.call_id))
        elif pairing.ids[target] != block.call_id:
            draft.blocks[place] = _named(block, "tool_use_id", pairing.ids[target])
    _drop([spot for spot, target in zip(results, pairing.targets, strict=True) if target is None])
    missing = [calls[place] for place in pairing.missing]
    for draft, place in missing:
        sentences.append(repair.aborted(draft.index, draft.blocks[place].call_id, draft.blocks[place].tool))
    return _placed(following, [_aborted(draft.blocks[place]) for draft, place in missing], sentences)


def _drop(spots: list[tuple[Draft, int]]) -> None:
    for draft, place in reversed(spots):
        del draft.blocks[place]


def _placed(following: list[Draft], extra: list[Block], sentences: list[str]) -> list[Draft]:
    """Results first, in the first user message that holds one; those that stand elsewhere are moved there."""
    present = [draft for draft in following if draft.blocks]
    if not _stand_first(present):
        present = gathered(present)
        sentences.append(repair.moved(present[0].index))
    return extended(present, extra)


def _stand_first(present: list[Draft]) -> bool:
    """Whether no other block, and no system message, stands before a result."""
    kinds = [(draft.role, block.kind) for draft in present for block in draft.blocks]
    last = max((place for place, (_, kind) in enumerate(kinds) if kind is Kind.RESULT), default=-1)
    return all(kind is Kind.RESULT for _, kind in kinds[: last + 1])


def _named(block: Block, key: str, ident: str) -> Block:
    raw = jsonbytes.join_object(jsonbytes.members(block.raw) | {key: jsonbytes.encode(ident)})
    return msgspec.structs.replace(block, raw=raw, call_id=ident)


def _aborted(call: Block) -> Block:
    value = aborted_result(call.call_id)
    return read.block(value, jsonbytes.encode(value), Role.USER)


def _bounded(written: list[bytes], drafts: list[Draft], sentences: list[str]) -> list[bytes]:
    """Where the first or last user message was left out whole, a short one stands for it (A1, A2, A11)."""
    filler = _filler().written("content") or b""
    roles = [read.message(raw).role for raw in (written[:1] + written[-1:])]
    if drafts and (not written or (drafts[0].role is Role.USER and roles[0] is not Role.USER)):
        sentences.append(repair.filled("first"))
        written = [filler, *written]
    if drafts and drafts[-1].role is Role.USER and roles and roles[-1] is Role.ASSISTANT:
        sentences.append(repair.filled("last"))
        written = [*written, filler]
    return written
