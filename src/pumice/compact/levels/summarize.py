"""Level summarize: what is old folds, and a summary of it takes its place (F-C5)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from pumice.compact import keep
from pumice.compact.layout import Brief, Layout
from pumice.compact.offload import lines
from pumice.compact.section import Section, assemble
from pumice.compact.shrink import shrink
from pumice.compact.split import CEILING
from pumice.compact.standing import Standing, standing
from pumice.compact.summary import extractive, merge, model, render, template
from pumice.compact.summary.extractive import Frame
from pumice.compact.summary.feeds import Ground
from pumice.compact.summary.model import Asking, Told
from pumice.compact.summary.split import Split, split
from pumice.domain import marks
from pumice.domain.decision import Decision, Outcome
from pumice.domain.group import Group
from pumice.domain.policy.limits import SAME
from pumice.domain.summary import Ask, Summary
from pumice.measure import models
from pumice.wire.asking import reasoning

LEVEL = "summarize"
LEAST_SHARE = 0.15
"""Share of the target a summary gets even when what must stay whole has used it up."""
OF_OLD = 3
"""But at most one token in three of what folds."""
_FRAME = 40
"""Tokens of the marks and of the range pointer."""
NOTHING = "nothing is old enough to be summarised"


def lay_out(brief: Brief, before: Layout) -> Layout:
    """Fold what is old but for what stays; spend what that leaves of the target, up to the policy's tokens, on the summary.

    Where lines come back too (`offload.style` lines, `share` below 1), the summary takes its share and they take the rest.
    """
    groups, parts = brief.book.groups, split(brief, before)
    old = parts.old(groups)
    if not old:
        return msgspec.structs.replace(before, level=LEVEL, warnings=(*before.warnings, NOTHING))
    fixed = _standing(brief, parts, old, before.forms)
    room, forms = _room(brief, parts, fixed, old)
    if forms:  # a rule that an excerpt leaves out of a person's words stands in the preface
        fixed = _standing(brief, parts, old, {**before.forms, **forms})
    has_lines = brief.policy.offload.style == "lines" and brief.policy.summarize.share < 1
    frame = _frame(brief, parts, fixed, round(room * brief.policy.summarize.share) if has_lines else room, has_lines=has_lines)
    summary, told, refused = _summary(brief, old, frame)
    after = msgspec.structs.replace(
        before,
        level=LEVEL,
        head=parts.head,
        first_whole=parts.first,
        pairs=parts.pairs,
        forms={**before.forms, **forms},
        standing=fixed.sections,
        sections=(*_others(before, old), _section(summary, frame, old, spans=not has_lines)),
        reasons=_reasons(summary, fixed, before.reasons),
        warnings=(*before.warnings, *fixed.warnings, *(f"the model's summary is not used: {said}" for said in told.refused)),
        summary=summary,
        asks=(*before.asks, *told.asks),
        refused=(*before.refused, *refused),
    )
    return msgspec.structs.replace(lines.lay_out(brief, after), level=LEVEL) if has_lines else after


def _standing(brief: Brief, parts: Split, old: Sequence[Group], forms: Mapping[str, Decision]) -> Standing:
    """What stands in any case, with the level's own number of a person's words as far as they leave room for a summary."""
    tokens, kept = brief.policy.summarize.user_words, parts.kept(brief.book.groups)
    if brief.policy.keep.pins == "none" and tokens is None:
        return Standing((), frozenset(), ())
    if tokens is not None:
        most = max(0, brief.target - parts.tokens - min(brief.policy.summarize.tokens, round(LEAST_SHARE * brief.target)))
        words = msgspec.structs.replace(brief.policy.user_words, tokens=min(tokens, most), above_window=0, share=1.0)
        brief = msgspec.structs.replace(brief, policy=msgspec.structs.replace(brief.policy, user_words=words))
    return standing(brief, old, kept, parts.pairs, forms)


def _room(brief: Brief, parts: Split, fixed: Standing, old: Sequence[Group]) -> tuple[int, Mapping[str, Decision]]:
    """What the summary may take; where nothing is left, the last group gives some as excerpts."""
    ruler, ceiling, most = brief.ruler, round(CEILING * brief.limit), brief.policy.summarize.tokens
    spent = parts.tokens + ruler.text(assemble(fixed.sections)) + _FRAME
    folding = sum(ruler.blocks(group.blocks) for group in old)
    least = min(most, round(LEAST_SHARE * brief.target), folding // OF_OLD)
    forms: Mapping[str, Decision] = {}
    if spent + least > ceiling:
        group = brief.book.groups[-1]
        reads = [block.id for block in group.blocks if keep.is_file_read(block, brief.book.uses)]
        forms = shrink(group, spent + least - ceiling, ruler, LEVEL, spare=reads[-1] if reads else "")
        spent -= sum(ruler.block(block) - ruler.shown(block, forms[block.id]) for block in group.blocks if block.id in forms)
    return max(0, min(most, max(brief.target - spent, min(least, ceiling - spent)))), forms


def _frame(brief: Brief, parts: Split, fixed: Standing, room: int, *, has_lines: bool) -> Frame:
    kept = (block.id for group in parts.kept(brief.book.groups) for block in group.blocks)
    return Frame(
        chosen(brief),
        brief.ruler,
        room,
        standing=assemble(fixed.sections),
        seen=frozenset((*parts.pairs, *kept)),
        said=fixed.said,
        lines=None if has_lines else brief.policy.lines,
    )


def chosen(brief: Brief) -> template.Template:
    """The template of the policy. Raises BadPolicy for a name that is none."""
    return template.of(brief.policy.summarize)


class _Summed(NamedTuple):
    """A summary, what a model said to it, and (key of a question, why its answer may not stand)."""

    summary: Summary
    told: Told = Told()
    refused: tuple[tuple[str, str], ...] = ()


def _summary(brief: Brief, old: Sequence[Group], frame: Frame) -> _Summed:
    """By a model as far as it has answered well, else word for word from state and steps; on top of the one before."""
    before = _before(brief, frame.template)
    refused: tuple[tuple[str, str], ...] = ()
    reminders: tuple[Ask, ...] = ()
    if brief.policy.summarize.model is None:
        return _Summed(extractive.summarise(brief.book, _ground(brief, old, frame, before), frame, before))
    asking = _asking(brief, frame, old)
    if before is not None and (cut := brief.book.epoch.cut):
        late = model.late(asking, before, cut.asks)
        before, refused, reminders = late.summary, late.refused, late.asks
        asking = msgspec.structs.replace(asking, known=[item for item in before.items if merge.is_carried(item)])
    ground = _ground(brief, old, frame, before)
    told = model.told(asking, ground.newer)
    told = msgspec.structs.replace(told, asks=(*reminders, *told.asks))
    refused += ((told.key, told.refused[0]),) if told.refused else ()
    if told.items is None:
        return _Summed(extractive.summarise(brief.book, ground, frame, before), told, refused)
    by = brief.policy.summarize.model if told.items else before.by if before else ""
    return _Summed(extractive.with_told(brief.book, ground, frame, before, told.items, by=by), told, refused)


def _asking(brief: Brief, frame: Frame, old: Sequence[Group]) -> Asking:
    policy, room = brief.policy.summarize, brief.room
    is_same = policy.model == SAME
    return Asking(
        brief.book,
        model.wished(policy, frame.template, old),
        brief.ruler.count_many,
        chunk=round(policy.input_tokens / room.factor),
        window=_window(brief),
        live_room=round((room.usable - room.head - room.view) / room.factor) if is_same and brief.book.live else 0,
    )


def _window(brief: Brief) -> int | None:
    """o200k tokens the model that is asked takes besides what it thinks; None where nobody knows."""
    model, room = brief.policy.summarize.model or "", brief.room
    facts = models.facts(model.partition(":")[2].partition("@")[0] or model)
    if model != SAME and not facts.known:
        return None
    window, most = (room.window, room.input_limit) if model == SAME else (facts.window, facts.max_input)
    return round((min(window, most or window) - reasoning(window)) / room.factor)


def _before(brief: Brief, template: template.Template) -> Summary | None:
    """The summary of the last cut, if it is of this template."""
    known = brief.book.epoch.cut.summary if brief.book.epoch.cut else None
    is_same = known is not None and (known.template, known.version) == (template.name, template.version)
    return known if is_same else None


def _ground(brief: Brief, old: Sequence[Group], frame: Frame, before: Summary | None) -> Ground:
    """What folds, and which of it the summary before does not cover: what was in view until now and no longer is."""
    cut = brief.book.epoch.cut if before else None
    covered = {one.block for one in cut.decisions if one.outcome in (Outcome.FOLD, Outcome.DROP)} if cut else set()
    gone = covered | frame.seen
    newer = [left for group in old if (left := model.only(group, lambda name: name not in gone)).blocks]
    return Ground(brief.book.state, old, newer, brief.book.uses)


def _section(summary: Summary, frame: Frame, old: Sequence[Group], *, spans: bool) -> Section:
    """The summary in view: its items, then one pointer to all it stands for."""
    blocks = [block.id for group in old for block in group.blocks if (block.text or block.media) and block.id not in frame.seen]
    ends = list(dict.fromkeys((blocks[0], blocks[-1]))) if blocks and spans else []
    text = render.render(summary, frame.template)
    sources = dict.fromkeys(name for item in summary.items for name in item.sources)
    return Section("summary", "\n".join(filter(None, (text, marks.gap("–".join(ends)) if ends else ""))), tuple(sources))


def _others(before: Layout, old: Sequence[Group]) -> tuple[Section, ...]:
    """What levels before put into the preface, but for pointers the summary has its own for."""
    covered = {block.id for group in old for block in group.blocks}
    return tuple(part for part in before.sections if part.name != "digest" or not covered.issuperset(part.sources))


def _reasons(summary: Summary, fixed: Standing, before: Mapping[str, str]) -> dict[str, str]:
    named = {name for item in summary.items for name in item.sources}
    said = dict.fromkeys(fixed.said, "old; its words stand in the preface")
    return {**before, **dict.fromkeys(named, "old; named in the summary"), **said}
