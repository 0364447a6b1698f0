"""How a cut is planned: by the policy as it is or without summaries and models, and with what a model answers in time."""

import msgspec

from pumice.compact import planner
from pumice.compact.triggers import Due
from pumice.domain.book import Book, Room
from pumice.domain.decision import Cut
from pumice.engine import asking, breaking
from pumice.engine.case import Case, live, with_answers

ROUNDS = 6
"""Times a cut is planned anew with answers: chunks, their merge, and a reminder for each, with one to spare."""


class Plan(msgspec.Struct, frozen=True):
    """Everything a plan of one due cut depends on but the Book."""

    case: Case
    room: Room
    due: Due

    def cut(self, book: Book, *, is_full: bool) -> Cut:
        """The cut of a Book; unless `is_full`, nothing is summarised and no model asked."""
        return planner.plan(
            book,
            self.room,
            self.case.policy,
            cause=self.due.cause,
            necessary=self.due.necessary,
            count=self.case.session.counts,
            target=self.case.asked.target if self.case.asked else None,
            unload_only=not is_full,
        )

    async def answered(self, book: Book, cut: Cut, until: float) -> Cut:
        """The cut with what a model answers until then: questions, reminders, and what those lead to."""
        case = self.case
        clock = case.session.context.ports.clock
        for _ in range(ROUNDS):
            asks = [ask for ask in cut.asks if asking.is_open(case.session, case.lane, ask)]
            if not asks or case.session.context.ports.model is None or not breaking.allows(case.session, case.lane, ""):
                break
            await case.session.asker.wait(asks, live(case), max(0.0, until - clock()))
            book = with_answers(case, book)
            cut = self.cut(book, is_full=True)
        return cut
