"""Probes of a cut: what could be read of the session before it and can after, and what a model knows of both views (F-D6)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from pumice.compact import probes
from pumice.compact.probes import interview
from pumice.compact.probes.interview import Pair
from pumice.compact.probes.read import ANSWER
from pumice.domain.book import Book
from pumice.domain.decision import Cut, Outcome
from pumice.domain.group import Node
from pumice.domain.probe import Probed
from pumice.domain.summary import Ask
from pumice.engine import asking, breaking
from pumice.engine.case import Case, live, live_of, with_answers
from pumice.engine.lane import Lane
from pumice.engine.shown import Shown

if TYPE_CHECKING:
    from pumice.engine.session import Session

CHECK = "probe"
"""What a loss is called among the findings on a cut."""
_MOST = 3
"""Lost answers a finding names."""


def noted(case: Case, book: Book, shown: Shown) -> Cut | None:
    """The cut of a view, with what the policy's probes have found in it and in the view it follows."""
    sets = probes.of(case.policy)
    if not sets or shown.cut is None:
        return shown.cut
    known = probes.Known(book.state, book.groups, book.uses, book.before)
    blocks = [block.id for block in known.blocks]
    found = probes.run(sets, known, _sight(case.lane.shown, blocks), _sight(shown, blocks))
    told = (interview.judged(pair.probed, book.answers, book.lines.entries) for pair in _pairs(case, shown))
    return msgspec.structs.replace(shown.cut, probes=(*found, *told))


def losses(cut: Cut | None) -> Iterator[str]:
    """What a cut has lost, probe by probe."""
    for one in cut.probes if cut else ():
        if one.has_failed:
            rest = f" and {len(one.lost) - _MOST} more" if len(one.lost) > _MOST else ""
            yield f"{one.set}/{one.id} has lost {', '.join(map(repr, one.lost[:_MOST]))}{rest}"


async def answered(case: Case, book: Book, cut: Cut, until: float) -> Book:
    """The Book with what a model says of the view before a cut and of the one after, as far as that comes in time."""
    clock = case.session.context.ports.clock
    if not _has_questions(case):
        return book
    shown = Shown(case.lane.branch, case.lane.dialect, cut)
    asks = [
        ask for pair in _pairs(case, shown) for ask in (pair.before, pair.after) if asking.is_open(case.session, case.lane, ask)
    ]
    if not asks or not breaking.allows(case.session, case.lane, ""):
        return book
    await case.session.asker.wait(asks, live(case), max(0.0, until - clock()))
    return with_answers(case, book)


def late(case: Case, shown: Shown, *, is_full: bool) -> list[Ask]:
    """What is still to be asked once a cut stands: its loss is told when the answers are there."""
    return [ask for pair in _pairs(case, shown) for ask in (pair.before, pair.after)] if is_full else []


def told(session: "Session", lane: Lane) -> tuple[Probed, ...]:
    """What the probes of a lane's cut have found by now: a model may have answered since."""
    given = {key: event.text for key, event in session.tree.answers.items()}
    return tuple(
        interview.judged(one, given, lane.branch.lines.entries) if one.questions else one
        for one in (lane.cut.probes if lane.cut else ())
    )


def _has_questions(case: Case) -> bool:
    """Whether there is anything to ask a model, and a model to ask."""
    kinds, model = {probe.kind for one in probes.of(case.policy) for probe in one.probes}, case.session.context.ports.model
    return ANSWER in kinds and (asking.has_own(model) or (model is not None and bool(case.policy.summarize.model)))


def _pairs(case: Case, shown: Shown) -> tuple[Pair, ...]:
    if not _has_questions(case):
        return ()
    sets, model = probes.of(case.policy), case.policy.summarize.model or ""
    return interview.pairs(sets, case.lane.shown.text(), shown.text(), model=model, live=live_of(case))


def _sight(shown: Shown, blocks: list[str]) -> probes.Sight:
    ours = [shown.cut.preface] if shown.cut else []
    ours += [text for node in shown.branch.nodes for text in _excerpts(shown, node)]
    return probes.Sight.of(shown.text(), ours, blocks)


def _excerpts(shown: Shown, node: Node) -> Iterator[str]:
    for block in node.blocks:
        decision = shown.decision(block.id, node.index)
        if decision is not None and decision.outcome is Outcome.EXCERPT and decision.text is not None:
            yield decision.text
