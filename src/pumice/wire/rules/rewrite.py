"""A29, A30, A35, A36, A41: what an edit of the conversation may do to reasoning that is already signed.

`before` is what the upstream has seen, `after` what is to be sent. Reasoning is bound to the prefix it was produced on
(provider-contracts §0.1), so it must stand behind unchanged blocks, or not at all.
"""

from collections.abc import Iterator
from itertools import zip_longest

from pumice.domain.block import Block, Kind, Role
from pumice.domain.message import Message, Request, Violation
from pumice.measure import models
from pumice.wire import get, jsonbytes
from pumice.wire.rules.binding import Spot, drops_blocks, spots
from pumice.wire.rules.gemini import binding as gemini
from pumice.wire.rules.openai_responses import edits


def check_rewrite(before: Request, after: Request) -> tuple[Violation, ...]:
    """Violations of an edit; nothing for dialects whose messages hold no reasoning."""
    if after.dialect == before.dialect == "gemini":
        return gemini.check(before, after)
    if after.dialect == before.dialect == "openai-responses":
        return edits.check(before, after)
    if after.dialect != "anthropic":
        return ()
    old, new = (_messages(request) for request in (before, after))
    drops = drops_blocks(after)
    found = [*_kept_whole(old, new, drops=drops)]
    if models.facts(after.model).binds_reasoning and not drops:
        found += _bound(spots(before, old), spots(after, new))
    return tuple(found)


def _messages(request: Request) -> list[Message]:
    dialect = get(request.dialect)
    return [dialect.read_message(raw) for raw in request.messages]


def _bound(old: list[Spot], new: list[Spot]) -> Iterator[Violation]:
    place = next((i for i, (a, b) in enumerate(zip_longest(old, new)) if not a or not b or a.key != b.key), None)
    if place is None or place >= len(old):
        return
    behind = [spot for spot in new[place:] if spot.is_reasoning]
    is_hole = old[place].is_reasoning
    for spot in behind:
        if is_hole:
            yield Violation("A36", spot.path, f"reasoning behind a removed block ({old[place].path}): remove all or none")
        else:
            yield Violation("A35", spot.path, f"reasoning bound to a prefix that was changed at {old[place].path}")


def _kept_whole(old: list[Message], new: list[Message], *, drops: bool) -> Iterator[Violation]:
    """Reasoning of the latest message and of the running turn stays as it was; fallback blocks always do.

    Where all that was sent still stands, what follows is new, also under call ids that were used before.
    """
    if [message.key for message in new[: len(old)]] == [message.key for message in old]:
        return
    latest = max((i for i, message in enumerate(new) if message.role is Role.ASSISTANT), default=-1)
    turn = _turn_start(new)
    for index, message in enumerate(new):
        source = _source(message, old) if message.role is Role.ASSISTANT else None
        if source is None:
            continue
        path = f"messages[{index}]"
        was, now = _hashes(source, "thinking"), _hashes(message, "thinking")
        is_stripped = not now and (drops or index < turn)
        if was != now and index == latest and not is_stripped:
            yield Violation("A29", path, "reasoning of the latest assistant message must stay byte for byte")
        elif was != now and index >= turn and not drops:
            yield Violation("A30", path, "reasoning of a turn that is not over must stay byte for byte")
        if _hashes(source, "fallback") != _hashes(message, "fallback"):
            yield Violation("A41", path, "fallback blocks must stay where they were")


def _turn_start(messages: list[Message]) -> int:
    """Index after the last user message with words of its own; one next to results belongs to them."""
    for index in range(len(messages) - 1, -1, -1):
        before = messages[index - 1] if index else None
        if messages[index].role is Role.USER and not _has_result(messages[index]) and not (before and _has_result(before)):
            return index + 1
    return 0


def _has_result(message: Message) -> bool:
    return any(block.kind is Kind.RESULT for block in message.blocks)


def _source(message: Message, old: list[Message]) -> Message | None:
    """The message this one was made from: an edit only takes away, so one that has all its calls or, without any, its texts.

    Ids and words may come again in later turns; the one with the same reasoning is taken where there is one.
    """
    marks = _marks(message)
    found = [one for one in reversed(old) if one.role is Role.ASSISTANT and marks and marks <= _marks(one)]
    same = (one for one in found if _hashes(one, "thinking") == _hashes(message, "thinking"))
    return next(same, found[0] if found else None)


def _marks(message: Message) -> set[str]:
    calls = {block.call_id for block in message.blocks if block.kind is Kind.CALL}
    return calls or {block.hash for block in message.blocks if block.kind is Kind.TEXT}


def _hashes(message: Message, kind: str) -> list[str]:
    return [block.hash for block in message.blocks if _is(block, kind)]


def _is(block: Block, kind: str) -> bool:
    if kind == "thinking":
        return block.kind is Kind.REASONING
    return block.kind is Kind.OPAQUE and jsonbytes.decode(block.raw).get("type") == kind
