"""Sealed items: everything a lane shows as one text only this engine can read, and back again (F-C13).

An item that cannot be used (another key, altered, another kind of model) is made again from the session's own ledger; where
that holds nothing of it, the view says so.
"""

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pumice.compact import sealed
from pumice.compact.labels import units
from pumice.compact.sealed import Content, Refused
from pumice.compact.section import Section, assemble
from pumice.domain import marks
from pumice.domain.block import Block, Kind, Role
from pumice.domain.decision import Decision, Outcome
from pumice.domain.group import Group
from pumice.domain.ports import Sealer
from pumice.domain.scope import Scope
from pumice.engine.lane import Lane
from pumice.errors import InvalidInput, PumiceError
from pumice.measure import models

if TYPE_CHECKING:
    from pumice.engine.session import Session

_TRIES = 50


def seal(session: "Session", lane: Lane) -> str:
    """The item that may stand for everything the lane shows. Raises InvalidInput where the engine has no key."""
    if session.context.ports.sealer is None:
        raise InvalidInput("this engine has no key to seal with.", hint="Open it on a store folder, or set PUMICE_SEAL_KEY.")
    return _item(session, lane, session.context.ports.sealer, whole(lane))


def origin(session: "Session", lane: Lane) -> str:
    """An item that says where it was made; empty where the engine has no key."""
    sealer = session.context.ports.sealer
    return "" if sealer is None else _item(session, lane, sealer, "")


def _item(session: "Session", lane: Lane, sealer: Sealer, text: str) -> str:
    """Sealed until nothing in it looks like a secret: some letters of a token do by chance, and would be replaced on return."""
    key, number = session.context.key, list(session.tree.lanes).index(lane.name) + 1
    content = Content(key.tenant, key.session, _compatibility(lane), lane.epoch.number, text, lane=number, user=key.user)
    for _ in range(_TRIES):
        item = sealed.item(sealer.seal(sealed.pack(content)), number)
        if session.context.store.redactor(item).text == item:
            break
    return item


def content_of(sealer: Sealer, item: str, owner: Scope) -> Content | None:
    """What an item holds; None where it cannot be opened, or belongs to another tenant or user."""
    found = sealed.token(item)
    data = None if found is None else sealer.open(found)
    content = None if data is None else sealed.read(data)
    is_own = content is not None and (content.tenant, content.user) == (owner.tenant, owner.user)
    return content if is_own else None


def session_of(sealer: Sealer, item: str, owner: Scope) -> str:
    """The session an item was made in; empty where `content_of` finds nothing."""
    content = content_of(sealer, item, owner)
    return content.session if content is not None else ""


def of_cut(session: "Session", lane: Lane, *, wanted: bool) -> tuple[str, tuple[str, ...]]:
    """The item of an epoch at its first call, where the policy wants its cuts sealed; else, or without a key, what to say."""
    if not wanted or lane.cut is None or lane.sent.epoch == lane.epoch.number:
        return "", ()
    try:
        return seal(session, lane), ()
    except PumiceError as error:
        return "", (f"the cut of epoch {lane.epoch.number} stands in plain form, not sealed: {error}",)


def opened(session: "Session", lane: Lane, first_new: int) -> list[Decision]:
    """Forms for the sealed items among new messages of the client."""
    start = 0 if first_new == lane.branch.adopted else first_new
    blocks = [block for node in lane.branch.nodes[start:] for block in node.blocks]
    items = [block for block in blocks if _may_be(block) and block.id not in lane.branch.forms]
    return [_form(session, lane, block) for block in items]


def whole(lane: Lane) -> str:
    """Everything a lane shows, as one text of ours: its preface, then what stands beside that."""
    said = [line for group in lane.branch.groups for line in _lines(lane, group)]
    sources = tuple(block.id for group in lane.branch.groups for block in group.blocks)
    shown = Section("recent", "\n".join(said), sources)
    return "\n".join(text for text in (lane.cut.preface if lane.cut else "", assemble([shown])) if text)


def _may_be(block: Block) -> bool:
    """Only what came as a user's message is opened: an item inside a tool's output is text like any other."""
    return block.kind is Kind.TEXT and block.role is Role.USER and sealed.is_there(block.text)


def _lines(lane: Lane, group: Group) -> Iterator[str]:
    """A group as it stands in view: each block's label, then its text as shown."""
    for unit in units(group, lane.branch.uses, ()):
        shown = [text for text in (_shown(lane, group, block) for block in unit.blocks) if text]
        if shown:
            yield "\n".join((unit.label, *shown))


def _shown(lane: Lane, group: Group, block: Block) -> str:
    node = next(node for node in group.nodes if any(other.id == block.id for other in node.blocks))
    decision = lane.shown.decision(block.id, node.index)
    if decision is not None and decision.outcome in (Outcome.FOLD, Outcome.DROP):
        return ""
    if decision is not None and decision.text is not None:
        return decision.text
    return block.text if marks.is_plain(block.text) else ""


def _form(session: "Session", lane: Lane, block: Block) -> Decision:
    why: list[str] = []

    def words(token: str | None, number: int) -> str:
        text, reason = _words(session, lane, _content(session, token), number)
        why.append(reason)
        return text

    text = sealed.opened(block.text, words)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Decision(block.id, Outcome.EXCERPT, marks.SEALED, "; ".join(why), text, digest)


def _words(session: "Session", lane: Lane, found: Content | Refused, number: int) -> tuple[str, str]:
    """What stands in place of an item, and why: what it holds, or that made again from the ledger; no loss goes unsaid."""
    if isinstance(found, Refused):
        again = _again(session, lane, number)
        return again or sealed.unknown(found.reason), f"sealed item not used: {found.reason}"
    if found.compatibility == _compatibility(lane):
        return found.preface, f"sealed item of epoch {found.epoch}"
    again = _again(session, lane, found.lane) if found.session == session.id and found.lane else ""
    return again or found.preface, "sealed item not used: sealed for another kind of model"


def _content(session: "Session", token: str | None) -> Content | Refused:
    sealer = session.context.ports.sealer
    if token is None:
        return Refused("cut off or altered on its way")
    if sealer is None:
        return Refused("this engine has no key")
    data = sealer.open(token)
    if data is None:
        return Refused("another key, or altered on its way")
    key = session.context.key
    return sealed.unpack(data, tenant=key.tenant, user=key.user)


def _again(session: "Session", lane: Lane, number: int) -> str:
    """What the ledger holds of the conversation an item was made of, as far as that can be told; else empty."""
    lanes = [*session.tree.lanes.values()]
    others = [one for one in lanes if one.agent == lane.agent and one.branch is not lane.branch and one.branch.groups]
    named = [one for one in others if 0 < number <= len(lanes) and lanes[number - 1] is one]
    found = named or (others if len(others) == 1 else [])
    return whole(found[0]) if found else ""


def _compatibility(lane: Lane) -> str:
    facts = models.facts(lane.model)
    return sealed.compatibility(facts.family, binds_reasoning=facts.binds_reasoning)
