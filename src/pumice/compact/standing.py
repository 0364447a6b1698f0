"""The sections of a preface that stand whatever a level does: note, pins, a person's words, task state."""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from pumice import commit
from pumice.commit import notes, sections
from pumice.compact import preface, read_again, words
from pumice.compact.layout import Brief, Layout
from pumice.compact.section import Section
from pumice.domain.block import Block, Kind, Origin
from pumice.domain.decision import Decision, Outcome
from pumice.domain.group import Group

STATE_SHARE, FLOOR_SHARE, NOTES_SHARE = 0.2, 0.2, 0.2
"""Shares of the limit that task state takes at most, whatever `state_tokens` says, what may never be cut besides it, and
notes, whatever their own tokens."""


class Standing(msgspec.Struct, frozen=True):
    sections: tuple[Section, ...]
    said: frozenset[str]
    """Blocks whose words stand whole in the preface."""
    warnings: tuple[str, ...]


def placed(brief: Brief, layout: Layout) -> Layout:
    """A layout with what must be in view after it, where nothing has placed that yet and something folds.

    What a level drops is worth nothing, so a view that only lost that needs no word about it; but what has no source, as a
    field that is needed and said nowhere, stands nowhere else.
    """
    groups = brief.book.groups
    gone = _gone(layout.forms)
    is_whole = not layout.old(groups) and not any(layout.forms[name].outcome is Outcome.FOLD for name in gone)
    is_whole = is_whole and not _cut_short(brief, layout.forms)
    is_whole = is_whole and all(item.sources or item.by for item in brief.book.state.items)
    if layout.standing is not None or is_whole or brief.policy.keep.pins == "none":
        return layout
    fixed = standing(brief, layout.old(groups), layout.kept(groups), layout.pairs, layout.forms)
    return msgspec.structs.replace(
        layout,
        standing=fixed.sections,
        reasons={**dict.fromkeys(fixed.said, "old; its words stand in the preface"), **layout.reasons},
        warnings=(*layout.warnings, *fixed.warnings),
    )


def standing(
    brief: Brief,
    old: Sequence[Group],
    kept: Sequence[Group],
    pairs: Collection[str] = (),
    forms: Mapping[str, Decision] = {},
    *,
    is_full: bool = False,
) -> Standing:
    """What must be in view after a cut that folds `old` but for `pairs`; what stands whole in `kept` is not repeated.

    `forms` is how single blocks of `kept` are shown, if at all; `is_full` shows the state in its details: nothing else tells
    of it.
    """
    gone, shapes = _gone(forms), {**brief.book.forms, **forms}
    staying = [block for group in kept for block in group.blocks if block.id not in gone]
    typed = _left(brief, old, kept, gone)
    said = words.words(typed, brief.ruler, policy=brief.policy.user_words, window=brief.room.window, target=brief.target)
    whole_anyway = (_shown(block, shapes) for block in staying if block.origin is Origin.PERSON)
    pinned = words.pins(
        words.live(brief.book.state.pins),
        "\n".join((said.text, *whole_anyway)),
        brief.ruler,
        policy=brief.policy.pins,
        usable=brief.room.usable,
    )
    whole = frozenset(block.id for block in typed if block.id in said.sources and words.shown(block) in said.text)
    seen = {*whole, *(name for name in pairs if name not in gone), *(block.id for block in staying)}
    seen -= _cut_short(brief, shapes)
    state = _state(brief, seen, f"{pinned.section.text}\n{said.text}", is_full=is_full)
    warnings = [f"{pinned.lost} detected pins are only pointed at: over their budget"] if pinned.lost else []
    warnings += [f"{state.pointed} items of task state are only pointed at: over their share"] if state.pointed else []
    noted = notes.render(
        brief.book.state,
        round(min(brief.policy.notes.tokens, NOTES_SHARE * brief.limit) / brief.ruler.factor),
        brief.ruler.count,
        lambda block: block not in seen,
    )
    warnings += [f"{noted.pointed} notes are only pointed at: over their budget"] if noted.pointed else []
    room = max(brief.policy.pins.budget, brief.room.usable // 20) - sum(brief.ruler.inline([pinned.section.text]))
    again, left_out = read_again.section(brief, (_shown(block, shapes) for block in staying), room)
    warnings += [f"{left_out} sections read again and again are only pointed at: over the budget of pins"] if left_out else []
    shown = (Section("notes", noted.text, noted.sources), Section("state", state.text, state.sources), again)
    return Standing((preface.note(brief.book.redeem), pinned.section, said, *shown), whole, tuple(warnings))


def _gone(forms: Mapping[str, Decision]) -> set[str]:
    return {name for name, form in forms.items() if form.outcome in (Outcome.FOLD, Outcome.DROP)}


def _shown(block: Block, forms: Mapping[str, Decision]) -> str:
    """What of a block stands in view at its place: a rule in the part an excerpt leaves out does not."""
    form = forms.get(block.id)
    return block.text if form is None or form.text is None else form.text


def _cut_short(brief: Brief, forms: Mapping[str, Decision]) -> set[str]:
    """Blocks whose form leaves out what the state took from them alone: a person's words in a result are no less theirs."""
    shown = {name: form.text for name, form in forms.items() if form.text is not None}
    said = ((item.text, sections.holders(item)) for item in brief.book.state.items)
    rules = ((pin.whole, (pin.block,)) for pin in words.live(brief.book.state.pins) if pin.block)
    return {
        name
        for text, sources in (*said, *rules)
        if all(name in shown and text not in (shown[name] or "") for name in sources)
        for name in sources
    }


def _left(brief: Brief, old: Sequence[Group], kept: Sequence[Group], gone: Collection[str]) -> list[Block]:
    """What a person typed that is at its place no longer, oldest first; what the client has replaced too, unless it stands."""
    away = {block.id for group in old for block in group.blocks}.union(gone)
    here = words.typed(sorted((*old, *kept), key=lambda group: group.index))
    text = "\n".join(block.text for group in kept for block in group.blocks if block.kind is Kind.TEXT)
    replaced = [block for block in words.typed(brief.book.before) if words.shown(block) not in text]
    return [*replaced, *(block for block in here if block.id in away)]


def _state(brief: Brief, seen: Collection[str], said: str, *, is_full: bool) -> commit.Rendered:
    """Task state whose sources have left the view; what may never be cut has room of its own (F-D5, F-B3)."""
    policy, factor = brief.policy, brief.ruler.factor
    share = round(policy.shares.state * brief.room.usable)
    most = min(policy.keep.state_tokens, share, round(STATE_SHARE * brief.limit))
    reserve = min(share, round(FLOOR_SHARE * brief.limit))
    room = commit.StateRoom(round(most / factor), policy.never, reserve=round(reserve / factor), is_full=is_full)
    return commit.render(brief.book.state, room, brief.ruler.count, lambda block: block not in seen, said.__contains__)
