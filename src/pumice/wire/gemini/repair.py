"""Gemini contents made to keep G1, G5 and G6: each call one response, directly behind it.

The API merges contents of one role before it pairs (K, corrections from recorded traffic), so calls and responses are
looked at by runs. A client that goes on after a restart may send every response twice under one id; the fuller one stays.
"""

from collections.abc import Sequence

import msgspec

from pumice.domain.block import UNNAMED, Block, Kind, Role
from pumice.wire import jsonbytes, repair
from pumice.wire.drafts import Draft, drafted, extended, gathered, segments
from pumice.wire.gemini import forms, keys, read, signatures

FIELD = "contents"


class _Spot(msgspec.Struct, frozen=True):
    """Where a block stands."""

    draft: Draft
    block: Block


def contents(raws: Sequence[bytes]) -> repair.Repaired:
    """See `Dialect.repair`."""
    drafts = drafted(raws, read.message)
    sentences: list[str] = []
    rebuilt: list[Draft] = []
    for calling, following in segments(_without_empty(drafts, sentences)):
        rebuilt += calling + _answered(calling, following, sentences)
    if not sentences:
        return repair.Repaired(tuple(raws))
    written = [raw for draft in rebuilt if (raw := draft.written("parts")) is not None]
    return repair.Repaired(tuple(_bounded(written, drafts, sentences)), tuple(sentences))


def _without_empty(drafts: list[Draft], sentences: list[str]) -> list[Draft]:
    """Texts without a word go, unless they carry a signature, and contents of which nothing is left (K-G1, K-G9)."""
    found: list[Draft] = []
    for draft in drafts:
        kept = [block for block in draft.blocks if not _is_empty(block)]
        if len(kept) < len(draft.blocks) or not kept:
            sentences.append(repair.emptied(draft.index, FIELD))
        draft.blocks = kept
        found += [draft] if kept else []
    return found


def _is_empty(block: Block) -> bool:
    return block.kind is Kind.TEXT and not block.text and not signatures.of(jsonbytes.decode(block.raw))


def _answered(calling: list[Draft], following: list[Draft], sentences: list[str]) -> list[Draft]:
    calls = list(_spots(calling, Kind.CALL))
    results = list(_spots(following, Kind.RESULT))
    pairing = repair.pair([spot.block.call_id for spot in calls], [spot.block.call_id for spot in results])
    targets = _chosen(calls, results, list(pairing.targets))
    standing = _renamed(calls, results, targets, pairing.ids, sentences)
    for spot, target in zip(results, targets, strict=True):
        if target is None:
            sentences.append(repair.orphaned(spot.draft.index, _shown(spot.block), FIELD))
            _replace(spot, [])
    missing = [place for place in range(len(calls)) if place not in targets]
    for place in missing:
        call = standing[place]
        sentences.append(repair.aborted(calls[place].draft.index, _shown(call), call.tool, FIELD))
    return _placed(following, [_aborted(standing[place]) for place in missing], sentences)


def _spots(drafts: list[Draft], kind: Kind) -> list[_Spot]:
    return [_Spot(draft, block) for draft in drafts for block in draft.blocks if block.kind is kind]


def _chosen(calls: list[_Spot], results: list[_Spot], targets: list[int | None]) -> list[int | None]:
    """Which call each response answers: by id, else by function and order; of two under one id the fuller one."""
    for place, spot in enumerate(results):
        if targets[place] is None:
            targets[place] = _by_name(calls, spot.block, targets)
    by_id: dict[str, int] = {}
    for place, spot in enumerate(results):
        if targets[place] is not None:
            by_id.setdefault(spot.block.call_id, place)
            continue
        first = by_id.get(spot.block.call_id)
        if first is not None and len(spot.block.text) > len(results[first].block.text):
            targets[place], targets[first] = targets[first], None
            by_id[spot.block.call_id] = place
    return targets


def _by_name(calls: list[_Spot], result: Block, targets: list[int | None]) -> int | None:
    """The first unanswered call of the function, where either side has no id of its own."""
    return next(
        (
            place
            for place, spot in enumerate(calls)
            if place not in targets and spot.block.tool == result.tool and _is_unnamed(spot.block, result)
        ),
        None,
    )


def _is_unnamed(call: Block, result: Block) -> bool:
    return call.call_id.startswith(UNNAMED) or result.call_id.startswith(UNNAMED)


def _renamed(
    calls: list[_Spot], results: list[_Spot], targets: list[int | None], ids: Sequence[str], sentences: list[str]
) -> list[Block]:
    """The calls as they stand, ids that stood twice told apart on them; what answers a call takes its id and name."""
    found: list[Block] = []
    for place, (spot, ident) in enumerate(zip(calls, ids, strict=True)):
        call = spot.block
        if call.call_id != ident and not call.call_id.startswith(UNNAMED):
            sentences.append(repair.renamed(spot.draft.index, call.call_id, ident, FIELD))
            call = _named(call, "functionCall", ident, call.tool)
            _replace(spot, [call])
        if place in targets:
            _fit(results[targets.index(place)], call, sentences, is_told=call is spot.block)
        found.append(call)
    return found


def _fit(answer: _Spot, call: Block, sentences: list[str], *, is_told: bool) -> None:
    """The response under the id and name of its call (K-G6); an id of its own is good enough for a call without one."""
    ident = answer.block.call_id if call.call_id.startswith(UNNAMED) else call.call_id
    if (ident, call.tool) == (answer.block.call_id, answer.block.tool):
        return
    if is_told:
        sentences.append(f"{FIELD}[{answer.draft.index}]: a result is sent under the id and name of the call it answers")
    _replace(answer, [_named(answer.block, "functionResponse", ident, call.tool)])


def _replace(spot: _Spot, blocks: list[Block]) -> None:
    at = next(at for at, block in enumerate(spot.draft.blocks) if block is spot.block)
    spot.draft.blocks[at : at + 1] = blocks


def _placed(following: list[Draft], extra: list[Block], sentences: list[str]) -> list[Draft]:
    """Responses first, in the first content that holds one; those that stand elsewhere are moved there."""
    present = [draft for draft in following if draft.blocks]
    if not _stand_first(present):
        present = gathered(present)
        sentences.append(repair.moved(present[0].index, FIELD))
    return extended(present, extra)


def _stand_first(present: list[Draft]) -> bool:
    """Whether no words stand before a response; what a function shows stands between them."""
    kinds = [block.kind for draft in present for block in draft.blocks]
    last = max((place for place, kind in enumerate(kinds) if kind is Kind.RESULT), default=-1)
    return Kind.TEXT not in kinds[: last + 1]


def _named(block: Block, field: str, ident: str, tool: str) -> Block:
    part = jsonbytes.members(block.raw)
    name = keys.spelled(part, field)
    own = {} if ident.startswith(UNNAMED) else {"id": jsonbytes.encode(ident)}
    inner = jsonbytes.join_object({**jsonbytes.members(part[name]), **own, "name": jsonbytes.encode(tool)})
    raw = jsonbytes.join_object({**part, name: inner})
    return msgspec.structs.replace(block, raw=raw, call_id=ident, tool=tool)


def _shown(block: Block) -> str:
    return block.tool if block.call_id.startswith(UNNAMED) else block.call_id


def _aborted(call: Block) -> Block:
    return read.message(forms.aborted(call)).blocks[0]


def _bounded(written: list[bytes], drafts: list[Draft], sentences: list[str]) -> list[bytes]:
    """Where the first or last user content was left out whole, a short one stands for it (G3)."""
    filler = forms.said("user", repair.FILLER)
    roles = [read.message(raw).role for raw in (written[:1] + written[-1:])]
    if drafts and (not written or (drafts[0].role is not Role.ASSISTANT and roles[0] is Role.ASSISTANT)):
        sentences.append(repair.filled("first"))
        written = [filler, *written]
    if drafts and drafts[-1].role is not Role.ASSISTANT and roles and roles[-1] is Role.ASSISTANT:
        sentences.append(repair.filled("last"))
        written = [*written, filler]
    return written
