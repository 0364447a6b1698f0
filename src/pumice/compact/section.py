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


def assemble(sections: Sequence[Section]) -> str:
    """The text of a preface; sections without text are left out."""
    return "\n".join(str(section) for section in sections if section.text)
