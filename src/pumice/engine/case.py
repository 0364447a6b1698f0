"""The case of a cut: the call it serves, what it is planned with, and what it has to fit into."""

import hashlib
from typing import TYPE_CHECKING

import msgspec

from pumice.commit import notes, required
from pumice.compile import admit
from pumice.domain.book import Book, Room
from pumice.domain.manifest import Usable
from pumice.domain.message import Request
from pumice.domain.policy import Policy
from pumice.domain.ports import PrefixModel
from pumice.engine import asking, breaking, call, children, editing, harder, journal, redeeming, verify
from pumice.engine.asking import Live
from pumice.engine.heads import HeadSize
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane
from pumice.measure import entities
from pumice.wire.rules.anthropic import thinking

if TYPE_CHECKING:
    from pumice.engine.calling import Asked
    from pumice.engine.session import Session


REBUILD = "rebuild"
"""Reason of a compaction by hand, and the level that does it."""


class Case(msgspec.Struct, frozen=True):
    """Everything a transaction needs to know of the call it serves."""

    session: "Session"
    lane: Lane
    request: Request
    head: HeadSize
    usable: Usable
    at: float
    is_cold: bool
    asked: "Asked | None" = None

    @property
    def policy(self) -> Policy:
        """What the next epoch is planned under; a view that is asked to be rebuilt, from state and evidence alone."""
        policy = harder.coming(self.lane, self.session.context)
        return msgspec.structs.replace(policy, order=(REBUILD,)) if self.is_rebuilt else policy

    @property
    def is_rebuilt(self) -> bool:
        """Whether a caller has asked for a view that nothing of the one before is carried over to (F-C9)."""
        return self.asked is not None and self.asked.reason == REBUILD

    def write(self, header: journal.Header) -> None:
        """Move the lane by an event, to be recorded with the call."""
        self.session.write(Entry(self.lane.branch.name, header))


def book_of(case: Case) -> Book:
    """The lane's Book, with the fields its policy requires; its pins those that hold now, found ones and hand-made ones."""
    book = case.lane.branch.book(case.lane.epoch)
    state = required.committed(book.state, (*book.before, *book.groups), book.uses, case.policy.commit_before_compact)
    found = (*state.pins, *case.session.tree.pins.values()) if keeps_words(case.policy) else ()
    pins = admit.pins(found, case.at, case.session.context.scope).pins
    state = notes.over(state, case.session.tree.jots)
    focus = entities.names(case.asked.focus) if case.asked else frozenset()
    return msgspec.structs.replace(
        with_answers(case, book),
        state=msgspec.structs.replace(state, pins=pins),
        focus=focus,
        forms={**book.forms, **editing.standing(case.lane)},
        live=live_of(case),
        has_model=asking.has_own(case.session.context.ports.model),
        review=breaking.needs_review(case.session, case.lane),
        addresses=case.session.tree.addresses,
        redeem=msgspec.structs.replace(case.lane.how, tool=redeeming.tool_of(case.policy, case.request)),
        reread=case.session.tree.reread,
        children=children.lanes(case.session.tree, case.lane.agent),
    )


def with_answers(case: Case, book: Book) -> Book:
    """A Book with the answers there are by now, and of those that may not stand, whatever they say, why."""
    given = case.session.tree.answers
    flaws = {key: event.flaw for key, event in given.items() if event.flaw}
    return msgspec.structs.replace(book, answers={key: event.text for key, event in given.items()}, flaws=flaws)


def live_of(case: Case) -> str:
    """Identity of the view as it stands, where a model may be asked at its end."""
    lane = case.lane
    can_be_asked = isinstance(case.session.context.ports.model, PrefixModel)
    if not can_be_asked:
        return ""
    told = f"{lane.name} {lane.epoch.number} {lane.head_key.hex()} {input_of(case)}"
    return hashlib.sha256(told.encode()).hexdigest()


def live(case: Case) -> Live:
    """The view a question may be asked at the end of: the one that stands until the cut."""
    lane, epoch = case.lane, case.lane.epoch.number + 1
    if not live_of(case):
        return Live(lane.name, epoch)
    fields, _ = verify.told(lane, case.request, lane.shown)
    view = call.close(case.request, lane.shown.pieces(), fields)
    return Live(lane.name, epoch, lane.dialect.name, view)


def keeps_words(policy: Policy) -> bool:
    """Whether a policy promises pins and a person's words."""
    return policy.keep.pins != "none"


def room_of(case: Case) -> Room:
    """What the lane's view has to fit into, its size as it stands."""
    view = call.tokens_of(case.lane, case.head, case.lane.shown.size)
    room = call.room(case.lane, case.usable, view.head, view.messages)
    return msgspec.structs.replace(room, opens_with_reasoning=thinking.is_manual(case.request))


def input_of(case: Case) -> str:
    """Identity of what a plan would be made of."""
    return case.lane.branch.nodes[-1].key.hex() if case.lane.branch.nodes else ""
