"""Plan a cut: level by level until the target is reached, as decisions for every block and a preface."""

from pumice.compact import decide
from pumice.compact.economics import figures
from pumice.compact.levels import LEVELS
from pumice.compact.levels.level import Brief, Layout
from pumice.compact.ruler import CountMany, Ruler
from pumice.compact.section import assemble
from pumice.domain.book import Book, Room
from pumice.domain.decision import Cause, Cut
from pumice.domain.policy import Policy
from pumice.errors import BadPolicy

SMALL_WINDOW = 50_000
"""Tokens of window below which a cut goes down to `to_under_50k`."""

BY_HAND = 0.95
"""Share of a size asked for by hand that is planned for: what the parts come to together is known exactly only at the end."""


def plan(
    book: Book, room: Room, policy: Policy, *, cause: Cause, necessary: bool, count: CountMany, target: int | None = None
) -> Cut:
    """The cut of the first level in `policy.order` that reaches the target, else of the last; it may be over the limit.

    `target` is the size of the complete request asked for by hand, in place of the policy's. Raises BadPolicy for a
    level that is not known.
    """
    brief = briefed(book, room, policy, count=count, target=target, at_turn=not necessary)
    cut: Cut | None = None
    for name in policy.order:
        if name not in LEVELS:
            raise BadPolicy(f"$.order: no level {name!r}; known are {', '.join(sorted(LEVELS))}.")
        cut = build(brief, LEVELS[name](brief), cause=cause, necessary=necessary)
        if cut.tokens <= brief.target:
            break
    if cut is None:
        raise BadPolicy(f"$.order: policy {policy.name!r} names no level, so it has no cut to plan.")
    return cut


def briefed(
    book: Book, room: Room, policy: Policy, *, count: CountMany, target: int | None = None, at_turn: bool = False
) -> Brief:
    """What the levels work with; the head comes off both the target and the limit."""
    limit = max(0, room.usable - room.head)
    share = policy.budget.to_under_50k if room.window < SMALL_WINDOW else policy.budget.to
    base = limit if policy.budget.of == "usable" else max(0, room.window - room.head)
    goal = round(share * base) if target is None else round(BY_HAND * (target - room.head))
    return Brief(book, policy, Ruler(book, room.factor, count), room, max(0, min(goal, limit)), limit, at_turn)


def build(brief: Brief, layout: Layout, *, cause: Cause, necessary: bool) -> Cut:
    """A layout as a cut, with its exact size."""
    room, preface = brief.room, assemble(layout.sections)
    decisions = decide.decisions(brief.book, layout, strips_reasoning=room.binds_reasoning)
    tokens = decide.size(brief, decisions, preface).tokens(room.factor)
    return Cut(
        cause=cause,
        necessary=necessary,
        decisions=decisions,
        preface=preface,
        until=brief.book.groups[-1].nodes[-1].index + 1 if brief.book.groups else 0,
        tokens=tokens,
        economics=figures(tokens, room),
        warnings=layout.warnings,
        placed=tuple((part.name, brief.ruler.text(str(part)), part.sources) for part in layout.sections if part.text),
        strips_reasoning=room.binds_reasoning,
    )
