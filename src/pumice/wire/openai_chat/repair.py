"""Chat messages made to keep O1–O3."""

from collections.abc import Sequence

import msgspec

from pumice.domain.block import Kind, Role
from pumice.domain.message import Message
from pumice.wire import jsonbytes, repair
from pumice.wire.forms import aborted_message
from pumice.wire.openai_chat import read, slots
from pumice.wire.values import mapping, string


class _Spot(msgspec.Struct, frozen=True):
    index: int
    message: Message


def messages(raws: Sequence[bytes]) -> repair.Repaired:
    """See `Dialect.repair`."""
    spots = [_Spot(index, read.message(raw)) for index, raw in enumerate(raws)]
    sentences: list[str] = []
    written: list[bytes] = []
    for calling, following in _segments(spots):
        written += _answered(calling, following, sentences)
    if not sentences:
        return repair.Repaired(tuple(raws))
    if not written:
        sentences.append(repair.filled("first"))
        written.append(jsonbytes.encode({"role": "user", "content": repair.FILLER}))
    return repair.Repaired(tuple(written), tuple(sentences))


def _segments(spots: list[_Spot]) -> list[tuple[_Spot | None, list[_Spot]]]:
    """Each assistant message with what follows up to the next."""
    found: list[tuple[_Spot | None, list[_Spot]]] = [(None, [])]
    for spot in spots:
        if spot.message.role is Role.ASSISTANT:
            found.append((spot, []))
        else:
            found[-1][1].append(spot)
    return found


def _answered(calling: _Spot | None, following: list[_Spot], sentences: list[str]) -> list[bytes]:
    """The assistant message, its results in their order, then everything else."""
    calls = [block for block in calling.message.blocks if block.kind is Kind.CALL and block.call_id] if calling else []
    results = [spot for spot in following if _call_id(spot)]
    pairing = repair.pair([block.call_id for block in calls], [_call_id(spot) for spot in results])
    answers: list[bytes] = []
    for spot, target in zip(results, pairing.targets, strict=True):
        if target is None:
            sentences.append(repair.orphaned(spot.index, _call_id(spot)))
        else:
            answers.append(_named(spot.message.raw, "tool_call_id", _call_id(spot), pairing.ids[target]))
    if following[: len(results)] != results and answers:
        sentences.append(repair.moved(results[0].index))
    for place in pairing.missing if calling else ():
        sentences.append(repair.aborted(calling.index if calling else 0, pairing.ids[place], calls[place].tool))
        answers.append(aborted_message(pairing.ids[place]))
    others = [spot.message.raw for spot in following if not _call_id(spot)]
    return [*_renamed(calling, pairing.ids, sentences), *answers, *others]


def _call_id(spot: _Spot) -> str:
    """Of a result; one without any id is the client's own and stays where it is."""
    first = spot.message.blocks[0] if spot.message.blocks else None
    return first.call_id if first and first.kind is Kind.RESULT else ""


def _renamed(calling: _Spot | None, ids: Sequence[str], sentences: list[str]) -> list[bytes]:
    if calling is None:
        return []
    members = jsonbytes.members(calling.message.raw)
    calls = jsonbytes.items(members[slots.CALLS]) if jsonbytes.is_array(members.get(slots.CALLS, b"")) else []
    old = [string(mapping(jsonbytes.decode(raw)).get("id")) for raw in calls]
    new = iter(ids)
    wanted = [next(new) if ident else ident for ident in old]
    if old == wanted:
        return [calling.message.raw]
    sentences += [repair.renamed(calling.index, a, b) for a, b in zip(old, wanted, strict=True) if a != b]
    written = [_named(raw, "id", a, b) for raw, a, b in zip(calls, old, wanted, strict=True)]
    return [jsonbytes.join_object(members | {slots.CALLS: jsonbytes.join_array(written)})]


def _named(raw: bytes, key: str, old: str, new: str) -> bytes:
    return raw if old == new else jsonbytes.join_object(jsonbytes.members(raw) | {key: jsonbytes.encode(new)})
