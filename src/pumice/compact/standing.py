"""The sections of a preface that stand whatever a level does: note, pins, a person's words, task state."""

from collections.abc import Sequence

import msgspec

from pumice.compact import preface, words
from pumice.compact.levels.level import Brief
from pumice.compact.section import Section
from pumice.domain.block import Origin
from pumice.domain.group import Group


class Standing(msgspec.Struct, frozen=True):
    sections: tuple[Section, ...]
    said: frozenset[str]
    """Blocks whose words stand whole in the preface."""
    warnings: tuple[str, ...]


def standing(brief: Brief, old: Sequence[Group], kept: Sequence[Group]) -> Standing:
    """What must be in view after a cut that folds `old`; what stands whole in `kept` groups is not repeated."""
    whole_anyway = "\n".join(block.text for group in kept for block in group.blocks if block.origin is Origin.PERSON)
    replaced = [block for block in words.typed(brief.book.before) if block.text not in whole_anyway]
    typed = [*replaced, *words.typed(old)]
    said = words.words(typed, brief.ruler, policy=brief.policy.user_words, window=brief.room.window, target=brief.target)
    elsewhere = f"{said.text}\n{whole_anyway}"
    pinned = words.pins(
        words.live(brief.book.state.pins), elsewhere, brief.ruler, policy=brief.policy.pins, usable=brief.room.usable
    )
    whole = frozenset(block.id for block in typed if block.id in said.sources and block.text in said.text)
    warnings = (f"{pinned.lost} detected pins are only pointed at: over their budget",) if pinned.lost else ()
    return Standing((preface.note(), pinned.section, said), whole, warnings)
