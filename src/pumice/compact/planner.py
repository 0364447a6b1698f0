"""Plan a cut: level by level until the target is reached, as decisions for every block and a preface."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from pumice.compact import economics, fields, fitted, giving, preface, triggers
from pumice.compact.economics import Pulse, figures, pays
from pumice.compact.laid import Laid, lay
from pumice.compact.layout import Brief, Layout
from pumice.compact.levels import LEVELS
from pumice.compact.ruler import CountMany, Ruler
from pumice.compact.split import protected
from pumice.compact.triggers import ECONOMICS
from pumice.domain.book import Book, Room
from pumice.domain.decision import Cause, Cut, Decision, Outcome, Step
from pumice.domain.policy import Policy
from pumice.errors import BadPolicy

SUMMARISING = ("summarize",)
"""Levels that say in new words what was there."""
BY_HAND = 0.95
"""Share of a size asked for by hand that is planned for: what the parts come to together is known exactly only at the end."""


def plan(
    book: Book,
    room: Room,
    policy: Policy,
    *,
    cause: Cause,
    necessary: bool,
    count: CountMany,
    target: int | None = None,
    unload_only: bool = False,
) -> Cut:
    """The cut the levels of `policy.order` make together, stopping where the target is reached.

    What they leave over the limit is made to fit as far as it can be; it may still be over.

    `target` is the size of the complete request asked for by hand, in place of the policy's. With `unload_only` nothing
    is summarised and no model asked (F-D4). Raises BadPolicy for a level that is not known.
    """
    policy = unloading(policy) if unload_only else policy
    known = fields.taken(book, policy)
    brief = briefed(known.book, room, policy, count=count, target=target, cause=cause, at_turn=not necessary)
    layout = Layout(sections=preface.review(book.review), asks=known.asks)
    steps: list[Step] = []
    cut: Cut | None = None
    is_small = False
    order = giving.ordered(policy.order, policy.cut_order)
    for at, name in enumerate(order):
        if name not in LEVELS:
            raise BadPolicy(f"$.order: no level {name!r}; known are {', '.join(sorted(LEVELS))}.")
        layout = LEVELS[name](brief, layout)
        made = _attributed(cut, build(brief, layout, cause=cause, necessary=necessary))
        if cut is not None and is_small and made.tokens >= cut.tokens:
            break
        steps.append(_step(name, cut, made, room.view))
        cut = made
        is_small = cut.tokens <= (brief.limit if layout.is_enough and target is None else brief.target)
        if is_small and _is_enough(cut, room, policy.budget.min_gain, order[at + 1 :]):
            break
    if cut is None:
        raise BadPolicy(f"$.order: policy {policy.name!r} names no level, so it has no cut to plan.")
    if cut.tokens > brief.limit:
        made = _attributed(cut, build(brief, fitted.fit(brief, layout), cause=cause, necessary=necessary))
        steps.append(_step(fitted.LEVEL, cut, made))
        cut = made
    return msgspec.structs.replace(cut, steps=_counted(steps, cut), asks=() if unload_only else cut.asks)


def is_hopeless(book: Book, room: Room, policy: Policy, pulse: Pulse, *, count: CountMany) -> bool:
    """Whether an advisable cut would not pay, as far as that can be said without planning it (`economics.is_hopeless`)."""
    at_work = tuple(level for level in policy.order if level not in SUMMARISING)  # only what must be cut is summarised
    is_judged = at_work == ("offload",) and policy.offload.style == "lines" and policy.budget.min_gain == ECONOMICS
    if not is_judged or not pulse.preface:
        return False
    brief = briefed(book, room, policy, count=count, cause=Cause.ADVISABLE, at_turn=True)
    return economics.is_hopeless(protected(brief, brief.ruler).tokens, pulse, room)


def _is_enough(cut: Cut, room: Room, min_gain: str | float, left: Sequence[str]) -> bool:
    """Whether a cut that is small enough needs no further level.

    One that only money asks for has little to do with the budget's share, which a big window leaves far above the view: where
    prices decide, it goes on until it pays on a warm cache, but it does not put anything into new words for that.
    """
    is_for_money = cut.cause in (Cause.ADVISABLE, Cause.COLD, Cause.PHASE) and isinstance(min_gain, str) and not cut.necessary
    if not is_for_money or not left or left[0] in SUMMARISING:
        return True
    return pays(msgspec.structs.replace(cut, cause=Cause.ADVISABLE), room, min_gain)


def unloading(policy: Policy) -> Policy:
    """A policy without what a model or a summariser does: what is left of its levels, and at the least offload."""
    order = tuple(level for level in policy.order if level not in SUMMARISING) or ("offload",)
    return msgspec.structs.replace(policy, order=order, judge=msgspec.structs.replace(policy.judge, by="rules"))


def _attributed(before: Cut | None, after: Cut) -> Cut:
    """A cut in which what a level has left as it was stays decided in the name of the level before."""
    if before is None:
        return after
    pairs = zip(before.decisions, after.decisions, strict=True)
    return msgspec.structs.replace(after, decisions=tuple(_named_as(old, new) for old, new in pairs))


def _named_as(old: Decision, new: Decision) -> Decision:
    is_same = _shows(old) == _shows(new) and old.level != new.level
    return msgspec.structs.replace(new, level=old.level) if is_same else new


def _step(name: str, before: Cut | None, after: Cut, view: int = 0) -> Step:
    asked = len(after.asks) - (len(before.asks) if before else 0)
    return Step(name, before.tokens if before else view, after.tokens, asked=asked)


def _counted(steps: Sequence[Step], cut: Cut) -> tuple[Step, ...]:
    """The steps with the blocks each has out of view or shortened: what a later one has taken is that one's."""
    left = Counter(one.level for one in cut.decisions if _shows(one) != _shows(None))
    return tuple(msgspec.structs.replace(step, left=left[step.level]) for step in steps)


def briefed(
    book: Book,
    room: Room,
    policy: Policy,
    *,
    count: CountMany,
    target: int | None = None,
    cause: Cause = Cause.BUDGET,
    at_turn: bool = False,
) -> Brief:
    """What the levels work with; the head comes off both the target and the limit."""
    limit = max(0, room.usable - room.head)
    goal = triggers.goal(policy.budget, room, cause) if target is None else round(BY_HAND * (target - room.head))
    return Brief(book, policy, Ruler(book, room.factor, count), room, max(0, min(goal, limit)), limit, at_turn)


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
        target=brief.target,
        economics=figures(laid.tokens, room, _stays(brief, laid)),
        warnings=laid.layout.warnings,
        placed=tuple((part.name, brief.ruler.text(str(part)), part.sources) for part in laid.sections if part.text),
        strips_reasoning=room.binds_reasoning,
        summary=laid.layout.summary,
        asks=laid.layout.asks,
        refused=laid.layout.refused,
        artifacts=laid.layout.artifacts,
    )


def _stays(brief: Brief, laid: Laid) -> int:
    """Tokens the view begins with that stand there as they are: nothing of them is written to the cache again."""
    book, cut = brief.book, brief.book.epoch.cut
    preface = cut.preface if cut else ""
    if preface != laid.preface:
        return 0
    before = {**book.forms, **{decision.block: decision for decision in cut.decisions}} if cut else book.forms
    blocks = {block.id: block for group in book.groups for block in group.blocks}
    tokens = brief.ruler.text(preface) if preface else 0
    for decision in laid.decisions:
        if _shows(decision) != _shows(before.get(decision.block)):
            break
        tokens += brief.ruler.shown(blocks[decision.block], decision)
    return tokens


def _shows(decision: Decision | None) -> tuple[bool, str | None]:
    """What a decision puts in view: whether anything, and a text of ours in place of the block's own."""
    if decision is None:
        return True, None
    return decision.outcome not in (Outcome.FOLD, Outcome.DROP), decision.text
