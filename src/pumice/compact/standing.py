"""The sections of a preface that stand whatever a level does: note, pins, a person's words, task state."""

from collections.abc import Collection, Sequence

import msgspec

from pumice import commit
from pumice.compact import preface, words
from pumice.compact.layout import Brief, Layout
from pumice.compact.section import Section
from pumice.domain.block import Origin
from pumice.domain.group import Group


class Standing(msgspec.Struct, frozen=True):
    sections: tuple[Section, ...]
    said: frozenset[str]
    """Blocks whose words stand whole in the preface."""
    warnings: tuple[str, ...]


def placed(brief: Brief, layout: Layout) -> Layout:
    """A layout with what must be in view after it, where nothing has placed that yet and something folds."""
    groups = brief.book.groups
    if layout.standing is not None or not layout.old(groups) or brief.policy.keep.pins == "none":
        return layout
    fixed = standing(brief, layout.old(groups), layout.kept(groups), layout.pairs)
    return msgspec.structs.replace(
        layout,
        standing=fixed.sections,
        reasons={**dict.fromkeys(fixed.said, "old; its words stand in the preface"), **layout.reasons},
        warnings=(*layout.warnings, *fixed.warnings),
    )


def standing(brief: Brief, old: Sequence[Group], kept: Sequence[Group], pairs: Collection[str] = ()) -> Standing:
    """What must be in view after a cut that folds `old` but for `pairs`; what stands whole in `kept` is not repeated."""
    typed = words.typed(old)
    said = words.words(typed, brief.ruler, policy=brief.policy.user_words, window=brief.room.window, target=brief.target)
    whole_anyway = (block.text for group in kept for block in group.blocks if block.origin is Origin.PERSON)
    pinned = words.pins(
        words.live(brief.book.state.pins),
        "\n".join((said.text, *whole_anyway)),
        brief.ruler,
        policy=brief.policy.pins,
        usable=brief.room.usable,
    )
    whole = frozenset(block.id for block in typed if block.id in said.sources and words.shown(block) in said.text)
    seen = {*whole, *pairs, *(block.id for group in kept for block in group.blocks)}
    warnings = (f"{pinned.lost} detected pins are only pointed at: over their budget",) if pinned.lost else ()
    return Standing((preface.note(), pinned.section, said, _state(brief, seen)), whole, warnings)


def _state(brief: Brief, seen: Collection[str]) -> Section:
    """Task state whose sources have left the view."""
    ruler, most = brief.ruler, brief.policy.keep.state_tokens
    made = commit.render(brief.book.state, round(most / ruler.factor), ruler.count, lambda block: block not in seen)
    return Section("state", made.text, made.sources)
