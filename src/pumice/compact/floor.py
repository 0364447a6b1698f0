"""The floor: the smallest view worth sending, made without a model and without asking what a line is worth (DESIGN §1.4)."""

from collections.abc import Mapping

from pumice.compact import digest, planner, preface
from pumice.compact.layout import Brief, Layout
from pumice.compact.ruler import CountMany
from pumice.compact.section import assemble
from pumice.compact.shrink import shrink
from pumice.compact.standing import standing
from pumice.domain.book import Book, Room
from pumice.domain.decision import Cause, Cut, Decision
from pumice.domain.policy import Policy
from pumice.errors import CannotFit

LEVEL = "floor"
TRIES = 3
"""Times the last group gives more where its excerpts put something into the preface: what they leave out is known only then."""


def plan(book: Book, room: Room, policy: Policy, *, cause: Cause, count: CountMany, may_be_over: bool = False) -> Cut:
    """Pins, words, state, the last group (its largest results as excerpts when it must) and the newest groups that fit.

    Everything else folds to one range pointer. Raises CannotFit, with parts and sizes, when that is still too big, unless
    it `may_be_over`.
    """
    brief = planner.briefed(book, room, policy, count=count)
    last = max(0, len(book.groups) - 1)
    cut = _cut(brief, _first(brief), {}, cause)
    if cut.tokens > brief.limit:
        cut = _cut(brief, last, {}, cause)
    if cut.tokens > brief.limit and book.groups:
        cut = _shrunk(brief, last, cut.tokens - brief.limit, cause)
    if cut.tokens > brief.limit and not may_be_over:
        raise CannotFit(room.usable, _parts(brief, cut))
    return cut


def _shrunk(brief: Brief, last: int, over: int, cause: Cause) -> Cut:
    """The last group in excerpts, smaller by what the preface takes for a rule they leave out of a person's words."""
    cut = _cut(brief, last, shrink(brief.book.groups[last], over, brief.ruler, LEVEL), cause)
    for _ in range(TRIES):
        if cut.tokens <= brief.limit:
            break
        over += cut.tokens - brief.limit
        cut = _cut(brief, last, shrink(brief.book.groups[last], over, brief.ruler, LEVEL), cause)
    return cut


def _first(brief: Brief) -> int:
    """Where the tail of newest groups begins that fits the target together with what stands in any case."""
    groups = brief.book.groups
    spent = brief.ruler.text(assemble(standing(brief, groups, ()).sections))
    for position in range(len(groups) - 1, -1, -1):
        spent += brief.ruler.blocks(groups[position].blocks)
        if spent > brief.target:
            return min(position + 1, len(groups) - 1)
    return 0


def _cut(brief: Brief, first: int, forms: Mapping[str, Decision], cause: Cause) -> Cut:
    old, tail = brief.book.groups[:first], brief.book.groups[first:]
    fixed = standing(brief, old, tail, forms=forms)
    reasons = dict.fromkeys(fixed.said, "old; its words stand in the preface")
    layout = Layout(
        LEVEL,
        first_whole=first,
        forms=forms,
        standing=fixed.sections if old else None,
        sections=(*preface.review(brief.book.review), digest.span(old)),
        reasons=reasons,
        warnings=fixed.warnings,
    )
    return planner.build(brief, layout, cause=cause, necessary=True)


def _parts(brief: Brief, cut: Cut) -> list[tuple[str, int]]:
    """What a view that does not fit consists of."""
    preface = [(name, tokens) for name, tokens, _ in cut.placed]
    rest = cut.tokens - brief.ruler.text(cut.preface)
    return [(name, tokens) for name, tokens in (("head", brief.room.head), *preface, ("last group", rest)) if tokens > 0]
