"""R3 to R5, R9, R11, R13: what an edit of the conversation may do to items that are stored, tied to others or sealed.

`before` is what the upstream has seen, `after` what is to be sent.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from pumice.domain.block import Role
from pumice.domain.message import Request, Violation
from pumice.errors import BadRequest
from pumice.measure import models
from pumice.wire import jsonbytes
from pumice.wire.openai_responses import canonical, items
from pumice.wire.values import mapping, string


class _Item(msgspec.Struct, frozen=True):
    path: str
    kind: str
    role: Role
    ident: str
    """What it is stored under; empty for one that goes without."""
    key: str
    """The same for the same item, with or without its id."""
    value: Mapping[str, Any]


def check(before: Request, after: Request) -> tuple[Violation, ...]:
    """Violations of an edit."""
    old, new = _items(before), _items(after)
    found = [*_edited(old, new), *_parted(old, new), *_followed(old, new), *_sealed(old, new), *_phases(old, new)]
    if not models.facts(after.model).binds_reasoning:
        found += _running(old, new)
    return tuple(found)


def _items(request: Request) -> list[_Item]:
    return [_item(mapping(jsonbytes.decode(raw)), f"input[{place}]") for place, raw in enumerate(request.messages)]


def _item(value: Mapping[str, Any], path: str) -> _Item:
    try:
        role = items.role(value)
    except BadRequest:
        role = Role.USER
    return _Item(path, items.kind(value), role, string(value.get("id")), jsonbytes.digest(canonical.item(value)), value)


def _edited(old: Sequence[_Item], new: Sequence[_Item]) -> Iterator[Violation]:
    """R5: an item under a stored id is the one that is stored."""
    known = {item.ident: item.key for item in old if item.ident}
    for item in new:
        if item.ident and known.get(item.ident, item.key) != item.key:
            yield Violation("R5", f"{item.path}.id", f"item '{item.ident}' was edited: without its id it is another one")


def _parted(old: Sequence[_Item], new: Sequence[_Item]) -> Iterator[Violation]:
    """R4: what came with stored reasoning stands behind it."""
    needed = {item.ident: reason.ident for item, reason in _reasoned(old) if item.ident and reason.ident}
    has = {item.ident: reason.ident for item, reason in _reasoned(new) if item.ident}
    for item in new:
        required = needed.get(item.ident, "")
        if required and has.get(item.ident) != required:
            words = (
                f"Item '{item.ident}' of type '{item.kind}' was provided without its required 'reasoning' item: '{required}'."
            )
            yield Violation("R4", item.path, words)


def _followed(old: Sequence[_Item], new: Sequence[_Item]) -> Iterator[Violation]:
    """R3: stored reasoning stands directly before the item it was produced with."""
    needed = {one.ident: other.key for one, other in pairwise(old) if _is_stored_reasoning(one)}
    for at, item in enumerate(new):
        follower = new[at + 1].key if at + 1 < len(new) else ""
        if _is_stored_reasoning(item) and needed.get(item.ident, follower) != follower:
            words = f"Item '{item.ident}' of type 'reasoning' was provided without its required following item."
            yield Violation("R3", item.path, words)


def _sealed(old: Sequence[_Item], new: Sequence[_Item]) -> Iterator[Violation]:
    """R13: the newest compaction item stays as it is."""
    newest = next((item for item in reversed(old) if item.kind == items.COMPACTION), None)
    if newest is not None and all(item.key != newest.key for item in new):
        yield Violation("R13", "input", f"the compaction item of {newest.path} is gone: it stands for all before it")


def _phases(old: Sequence[_Item], new: Sequence[_Item]) -> Iterator[Violation]:
    """R11: a message keeps its phase."""
    known = {_without_phase(item): item.value.get("phase") for item in old if item.value.get("phase")}
    for item in new:
        if item.kind == items.MESSAGE and not item.value.get("phase") and known.get(_without_phase(item)):
            yield Violation("R11", item.path, "the phase of an assistant's message must be kept")


def _running(old: Sequence[_Item], new: Sequence[_Item]) -> Iterator[Violation]:
    """R9: in the turn that is not over, a call stands behind the reasoning that led to it."""
    needed = {item.key: reason.key for item, reason in _reasoned(old) if item.kind in items.CALLS}
    has = {item.key: reason.key for item, reason in _reasoned(new)}
    start = max((at for at, item in enumerate(new) if item.role is Role.USER), default=-1) + 1
    for item in new[start:]:
        if item.key in needed and has.get(item.key) != needed[item.key]:
            yield Violation("R9", item.path, "a call of a turn that is not over lost the reasoning before it")


def _reasoned(listed: Sequence[_Item]) -> Iterator[tuple[_Item, _Item]]:
    """What the model said in one go behind reasoning, each with that reasoning."""
    reason: _Item | None = None
    for item in listed:
        if item.kind == items.REASONING:
            reason = item
        elif item.role is not Role.ASSISTANT:
            reason = None
        elif reason is not None:
            yield item, reason


def _is_stored_reasoning(item: _Item) -> bool:
    return item.kind == items.REASONING and bool(item.ident)


def _without_phase(item: _Item) -> str:
    return jsonbytes.digest({key: value for key, value in canonical.item(item.value).items() if key != "phase"})
