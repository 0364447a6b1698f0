"""A section of the preface."""

from collections.abc import Sequence

import msgspec

from pumice.domain import marks


class Section(msgspec.Struct, frozen=True):
    """One part of the preface between marks of its own."""

    name: str
    text: str
    sources: tuple[str, ...] = ()
    """Ids of the blocks it was made of."""

    def __str__(self) -> str:
        return marks.wrap(self.name, self.text)


NAMED = {
    "pins": "pins",
    "words": "goal",
    "notes": "notes",
    "state": "task_state",
    "summary": "summary",
    "children": "children",
    "read_again": "evidence",
    "digest": "evidence",
    "recalled": "evidence",
}
"""What a policy calls the content of a section (DESIGN §3)."""


def arranged(sections: Sequence[Section], order: Sequence[str]) -> tuple[Section, ...]:
    """Sections a policy's `dynamic` names in its order, in the places such sections have; all others stay where they are."""
    ranks = {name: rank for rank, name in enumerate(order)}
    named = [section for section in sections if NAMED.get(section.name) in ranks]
    moved = iter(sorted(named, key=lambda section: ranks[NAMED[section.name]]))
    return tuple(next(moved) if NAMED.get(section.name) in ranks else section for section in sections)


def assemble(sections: Sequence[Section]) -> str:
    """The text of a preface; sections without text are left out."""
    return "\n".join(str(section) for section in sections if section.text)
