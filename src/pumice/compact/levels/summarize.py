"""Level summarize: what is old folds, and a summary of it takes its place (F-C5)."""

from collections.abc import Mapping

import msgspec

from pumice.compact import cuts, keep
from pumice.compact.layout import Brief, Layout
from pumice.compact.ruler import Ruler
from pumice.compact.section import Section, assemble
from pumice.compact.shrink import shrink
from pumice.compact.standing import Standing, standing
from pumice.compact.summary import extractive, merge, render, template
from pumice.compact.summary.extractive import Frame
from pumice.compact.summary.feeds import Ground
from pumice.domain import marks
from pumice.domain.decision import Decision
from pumice.domain.group import Group
from pumice.domain.policy import Policy
from pumice.domain.summary import Summary

LEVEL = "summarize"
LEAST_SHARE = 0.15
"""Share of the target a summary gets even when what must stay whole has used it up."""
OF_OLD = 3
"""But at most one token in three of what folds."""
CEILING = 0.95
"""Share of the limit this may fill."""
_FRAME = 40
"""Tokens of the marks and of the range pointer."""
NOTHING = "nothing is old enough to be summarised"


def lay_out(brief: Brief, before: Layout) -> Layout:
    """Fold what is old but for what stays; spend what that leaves of the target, up to the policy's tokens, on the summary."""
    split = _split(brief, before)
    groups = brief.book.groups
    old, kept = groups[split.head : split.first], (*groups[: split.head], *groups[split.first :])
    if not old:
        return msgspec.structs.replace(before, level=LEVEL, warnings=(*before.warnings, NOTHING))
    fixed = standing(_worded(brief, split), old, kept, split.pairs)
    room, forms = _room(brief, split, fixed, sum(brief.ruler.blocks(group.blocks) for group in old))
    seen = frozenset((*split.pairs, *(block.id for group in kept for block in group.blocks)))
    frame = Frame(_template(brief.policy), brief.ruler, room, assemble(fixed.sections), seen, brief.policy.lines)
    summary = extractive.summarise(brief.book, _ground(brief, old, _before(brief)), frame, _before(brief))
    return msgspec.structs.replace(
        before,
        level=LEVEL,
        head=split.head,
        first_whole=split.first,
        pairs=split.pairs,
        forms={**before.forms, **forms},
        standing=fixed.sections,
        sections=(*_others(before, old), _section(summary, frame, old)),
        reasons=_reasons(summary, fixed, before.reasons),
        warnings=(*before.warnings, *fixed.warnings),
        summary=summary,
    )


class _Split(msgspec.Struct, frozen=True):
    """What folds: the groups from `head` to `first`, but for the pairs."""

    head: int
    first: int
    pairs: Mapping[str, str]
    tokens: int
    """Of everything that stays."""


def _split(brief: Brief, before: Layout) -> _Split:
    """What stays of what `before` still shows."""
    groups, ruler = brief.book.groups, _ruler(brief, before)
    tokens = _newest_tokens(brief)
    kept = _protected(brief, ruler) if tokens is None else keep.Kept(_tail(brief, ruler, tokens), {}, 0)
    first = max(kept.first_whole, before.first_whole)
    shown = {block.id for group in groups[before.first_whole :] for block in group.blocks}.union(before.pairs)
    pairs = {name: why for name, why in kept.pairs.items() if name in shown}
    head = min(before.head, first)
    here = [block for group in groups[head:first] for block in group.blocks if block.id in pairs]
    whole = [block for group in (*groups[:head], *groups[first:]) for block in group.blocks]
    return _Split(head, first, pairs, ruler.blocks(here) + ruler.blocks(whole))


def _newest_tokens(brief: Brief) -> int | None:
    """Newest tokens that stay by the level's own numbers, a share of the view as it stands; None leaves it to `keep`."""
    policy = brief.policy.summarize
    if policy.keep_tokens is not None or policy.keep_share is None:
        return policy.keep_tokens
    return round(policy.keep_share * brief.room.view)


def _ruler(brief: Brief, before: Layout) -> Ruler:
    """Sizes as `before` shows things."""
    book = msgspec.structs.replace(brief.book, forms={**brief.book.forms, **before.forms})
    return Ruler(book, brief.ruler.factor, brief.ruler.count_many) if before.forms else brief.ruler


def _protected(brief: Brief, ruler: Ruler) -> keep.Kept:
    groups, policy = brief.book.groups, brief.policy
    return keep.protect(
        groups,
        brief.book.uses,
        ruler,
        keep=policy.keep,
        images=policy.media.images,
        room=brief.target,
        limit=round(CEILING * brief.limit),
        legal=lambda at: cuts.legal_before(groups, brief.book.state, at),
        turn=cuts.turn_before(groups, len(groups) - 1) if brief.at_turn else None,
    )


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


def _worded(brief: Brief, split: _Split) -> Brief:
    """The same with the level's own number of a person's words, as far as they leave room for a summary."""
    tokens = brief.policy.summarize.user_words
    if tokens is None:
        return brief
    most = max(0, brief.target - split.tokens - min(brief.policy.summarize.tokens, round(LEAST_SHARE * brief.target)))
    said = msgspec.structs.replace(brief.policy.user_words, tokens=min(tokens, most), above_window=0, share=1.0)
    return msgspec.structs.replace(brief, policy=msgspec.structs.replace(brief.policy, user_words=said))


def _room(brief: Brief, split: _Split, fixed: Standing, folding: int) -> tuple[int, Mapping[str, Decision]]:
    """What the summary may take; where nothing is left, the last group gives some as excerpts."""
    ruler, ceiling = brief.ruler, round(CEILING * brief.limit)
    most = brief.policy.summarize.tokens
    spent = split.tokens + ruler.text(assemble(fixed.sections)) + _FRAME
    least = min(most, round(LEAST_SHARE * brief.target), folding // OF_OLD)
    forms: Mapping[str, Decision] = {}
    if spent + least > ceiling:
        group = brief.book.groups[-1]
        forms = shrink(group, spent + least - ceiling, ruler, LEVEL)
        spent -= sum(ruler.block(block) - ruler.shown(block, forms[block.id]) for block in group.blocks if block.id in forms)
    return max(0, min(most, max(brief.target - spent, min(least, ceiling - spent)))), forms


def _template(policy: Policy) -> template.Template:
    return template.shipped(policy.summarize.template)


def _before(brief: Brief) -> Summary | None:
    """The summary the last cut made, if it is of the template and of blocks that are still on this path."""
    cut, chosen = brief.book.epoch.cut, _template(brief.policy)
    known = cut.summary if cut else None
    if known is None or (known.template, known.version) != (chosen.name, chosen.version):
        return None
    return known


def _ground(brief: Brief, old: tuple[Group, ...], before: Summary | None) -> Ground:
    covered = merge.newest((before.until,)) if before else 0
    newer = [group for group in old if any(merge.newest((block.id,)) > covered for block in group.blocks)]
    return Ground(brief.book.state, old, newer, brief.book.uses)


def _section(summary: Summary, frame: Frame, old: tuple[Group, ...]) -> Section:
    """The summary in view: its items, then one pointer to all it stands for."""
    blocks = [block.id for group in old for block in group.blocks if (block.text or block.media) and block.id not in frame.seen]
    span = [marks.gap(f"{blocks[0]}–{blocks[-1]}" if len(blocks) > 1 else blocks[0])] if blocks else []
    text = render.render(summary, frame.template)
    sources = dict.fromkeys(name for item in summary.items for name in item.sources)
    return Section("summary", "\n".join(([text] if text else []) + span), tuple(sources))


def _others(before: Layout, old: tuple[Group, ...]) -> tuple[Section, ...]:
    """What levels before put into the preface, but for pointers the summary has its own for."""
    covered = {block.id for group in old for block in group.blocks}
    return tuple(part for part in before.sections if part.name != "digest" or not covered.issuperset(part.sources))


def _reasons(summary: Summary, fixed: Standing, before: Mapping[str, str]) -> dict[str, str]:
    named = {name for item in summary.items for name in item.sources}
    said = dict.fromkeys(fixed.said, "old; its words stand in the preface")
    return {**before, **dict.fromkeys(named, "old; named in the summary"), **said}
