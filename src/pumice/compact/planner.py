"""Plan a cut: level by level until the target is reached, as decisions for every block and a preface."""

from collections.abc import Sequence

import msgspec

from pumice.compact.economics import figures
from pumice.compact.laid import lay
from pumice.compact.levels import LEVELS
from pumice.compact.levels.level import Brief, Layout
from pumice.compact.ruler import CountMany, Ruler
from pumice.domain.book import Book, Room
from pumice.domain.decision import Cause, Cut, Decision, Step
from pumice.domain.policy import Budget, Policy
from pumice.errors import BadPolicy

SMALL_WINDOW = 50_000
"""Tokens of window below which a cut goes down to `to_under_50k`."""

BY_HAND = 0.95
"""Share of a size asked for by hand that is planned for: what the parts come to together is known exactly only at the end."""


def plan(
    book: Book, room: Room, policy: Policy, *, cause: Cause, necessary: bool, count: CountMany, target: int | None = None
) -> Cut:
    """The cut the levels of `policy.order` make together, stopping where the target is reached; it may be over the limit.

    `target` is the size of the complete request asked for by hand, in place of the policy's. Raises BadPolicy for a
    level that is not known.
    """
    brief = briefed(book, room, policy, count=count, target=target, at_turn=not necessary)
    layout, steps = Layout(), [Step("", room.view, room.view)]
    cut: Cut | None = None
    for name in policy.order:
        if name not in LEVELS:
            raise BadPolicy(f"$.order: no level {name!r}; known are {', '.join(sorted(LEVELS))}.")
        layout = LEVELS[name](brief, layout)
        made = build(brief, layout, cause=cause, necessary=necessary)
        steps.append(_step(name, steps[-1], cut, made))
        cut = made
        if cut.tokens <= brief.target:
            break
    if cut is None:
        raise BadPolicy(f"$.order: policy {policy.name!r} names no level, so it has no cut to plan.")
    return msgspec.structs.replace(cut, steps=tuple(steps[1:]))


def _step(name: str, last: Step, before: Cut | None, after: Cut) -> Step:
    known: Sequence[Decision | None] = before.decisions if before else [None] * len(after.decisions)
    left = sum(new.level == name and new != old for old, new in zip(known, after.decisions, strict=True))
    return Step(name, last.after, after.tokens, left, len(after.asks) - (len(before.asks) if before else 0))


def briefed(
    book: Book, room: Room, policy: Policy, *, count: CountMany, target: int | None = None, at_turn: bool = False
) -> Brief:
    """What the levels work with; the head comes off both the target and the limit."""
    limit = max(0, room.usable - room.head)
    goal = _goal(policy.budget, room, limit) if target is None else round(BY_HAND * (target - room.head))
    return Brief(book, policy, Ruler(book, room.factor, count), room, max(0, min(goal, limit)), limit, at_turn)


def _goal(budget: Budget, room: Room, limit: int) -> int:
    is_small = room.window < SMALL_WINDOW and budget.to_under_50k is not None
    share = budget.to_under_50k if is_small and budget.to_under_50k is not None else budget.to
    base = limit if budget.of == "usable" else max(0, room.window - room.head)
    goal = round(share * base)
    return goal if budget.turns_ahead is None else min(goal, limit - round(budget.turns_ahead * room.growth))


def build(brief: Brief, layout: Layout, *, cause: Cause, necessary: bool) -> Cut:
    """A layout as a cut, with its exact size."""
    room, laid = brief.room, lay(brief, layout)
    return Cut(
        cause=cause,
        necessary=necessary,
        decisions=laid.decisions,
        preface=laid.preface,
        until=brief.book.groups[-1].nodes[-1].index + 1 if brief.book.groups else 0,
        tokens=laid.tokens,
        economics=figures(laid.tokens, room),
        warnings=laid.layout.warnings,
        placed=tuple((part.name, brief.ruler.text(str(part)), part.sources) for part in laid.sections if part.text),
        strips_reasoning=room.binds_reasoning,
        summary=laid.layout.summary,
        asks=laid.layout.asks,
        artifacts=laid.layout.artifacts,
    )
