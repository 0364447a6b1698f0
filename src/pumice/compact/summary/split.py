"""What folds for a summary, and what stays beside it."""

from collections.abc import Mapping

import msgspec

from pumice.compact import cuts, fixed, keep
from pumice.compact.layout import Brief, Layout
from pumice.compact.ruler import Ruler
from pumice.compact.split import as_shown, protected
from pumice.domain.decision import Outcome
from pumice.domain.group import Group

STAYED = "stood in the view before"


class Split(msgspec.Struct, frozen=True):
    """The groups from `head` to `first` fold, but for the pairs."""

    head: int
    first: int
    pairs: Mapping[str, str]
    tokens: int
    """Of everything that stays."""

    def old(self, groups: tuple[Group, ...]) -> tuple[Group, ...]:
        return groups[self.head : self.first]

    def kept(self, groups: tuple[Group, ...]) -> tuple[Group, ...]:
        return (*groups[: self.head], *groups[self.first :])


def split(brief: Brief, before: Layout) -> Split:
    """What stays of what `before` still shows: by the level's own tokens, else by `keep`.

    Direction `from` folds what is newer than the last cut and leaves standing what that left; where that would leave too
    little room, and in any other direction, what is oldest folds. `auto` is `up_to`: the preface stands in front and is new
    with every summary, so both write everything behind the head again, and the newest steps are worth more than old ones.
    """
    groups, ruler = brief.book.groups, as_shown(brief, before)
    tokens = _newest_tokens(brief)
    kept = protected(brief, ruler) if tokens is None else keep.Kept(_tail(brief, ruler, tokens), {}, 0)
    first = max(kept.first_whole, before.first_whole)
    wanted = {**kept.pairs, **(_stayed(brief, first) if brief.policy.summarize.direction == "from" else {})}
    made = _measured(groups, ruler, before, first, wanted)
    if made.tokens > brief.policy.keep.groups_share * brief.target:
        made = _measured(groups, ruler, before, first, kept.pairs)
    return made


def _measured(groups: tuple[Group, ...], ruler: Ruler, before: Layout, first: int, wanted: Mapping[str, str]) -> Split:
    shown = {block.id for group in groups[before.first_whole :] for block in group.blocks}.union(before.pairs)
    pairs = {name: why for name, why in wanted.items() if name in shown}
    head = min(before.head, first)
    here = [block for group in groups[head:first] for block in group.blocks if block.id in pairs]
    whole = [block for group in (*groups[:head], *groups[first:]) for block in group.blocks]
    return Split(head, first, pairs, ruler.blocks(here) + ruler.blocks(whole))


def _stayed(brief: Brief, first: int) -> Mapping[str, str]:
    """What the last cut left at its place, of groups that are old by now."""
    cut = brief.book.epoch.cut
    left = {one.block for one in cut.decisions if one.outcome in (Outcome.KEEP, Outcome.EXCERPT)} if cut else set()
    old = (block.id for group in brief.book.groups[:first] for block in group.blocks)
    return {name: STAYED for name in old if name in left}


def _newest_tokens(brief: Brief) -> int | None:
    """How many newest tokens stay by the level's own numbers, no more than the window bears; None leaves it to `keep`."""
    policy = brief.policy.summarize
    if policy.keep_tokens is not None:
        return min(policy.keep_tokens, fixed.most(brief))
    return None if policy.keep_share is None else min(round(policy.keep_share * brief.room.view), fixed.most(brief))


def _tail(brief: Brief, ruler: Ruler, tokens: int) -> int:
    """Where the newest groups begin that come to so many tokens; the last ones and what must go with them always stay."""
    groups = brief.book.groups
    first = keep.last_step(groups, max(0, len(groups) - max(1, brief.policy.keep.last_groups)))
    spent = sum(ruler.blocks(group.blocks) for group in groups[first:])
    while first > 0:
        spent += ruler.blocks(groups[first - 1].blocks)
        if spent > tokens:
            break
        first -= 1
    return cuts.legal_before(groups, brief.book.state, first)
