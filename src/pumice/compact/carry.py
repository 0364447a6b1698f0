"""Carry over: after the client's own compaction, what a person said and ruled is placed again at once (DESIGN §2)."""

from pumice.compact import planner
from pumice.compact.layout import Layout
from pumice.compact.ruler import CountMany
from pumice.compact.standing import standing
from pumice.domain.book import Book, Room
from pumice.domain.decision import Cause, Cut
from pumice.domain.policy import Policy


def plan(book: Book, room: Room, policy: Policy, *, count: CountMany) -> Cut:
    """The client's new history whole, under a preface of what it has dropped of a person's words, pins and state."""
    brief = planner.briefed(book, room, policy, count=count)
    fixed = standing(brief, (), book.groups)
    layout = Layout("carry", standing=fixed.sections, warnings=fixed.warnings)
    return planner.build(brief, layout, cause=Cause.CLIENT_COMPACT, necessary=False)
