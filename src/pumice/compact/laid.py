"""A layout as it will be sent: its preface, a decision for every block, and its exact size."""

import msgspec

from pumice.compact import decide, media
from pumice.compact.layout import Brief, Layout
from pumice.compact.opening import opened
from pumice.compact.section import Section, arranged, assemble
from pumice.compact.standing import placed
from pumice.domain.decision import Decision


class Laid(msgspec.Struct, frozen=True):
    layout: Layout
    """What stands in any case placed."""
    sections: tuple[Section, ...]
    preface: str
    decisions: tuple[Decision, ...]
    tokens: int
    """Of messages, calibrated, as the engine counts the finished view."""


def lay(brief: Brief, layout: Layout) -> Laid:
    """What a layout comes to; for a level that has to know what it has left to do."""
    layout = media.limited(brief, placed(brief, opened(brief, layout)))
    sections = arranged((*(layout.standing or ()), *layout.sections), brief.policy.dynamic)
    preface = assemble(sections)
    decisions = decide.decisions(brief.book, layout, strips_reasoning=brief.room.binds_reasoning)
    tokens = decide.size(brief, decisions, preface).tokens(brief.room.factor)
    return Laid(layout, sections, preface, decisions, tokens)
