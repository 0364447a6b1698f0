"""What was said: the text a summary may rest on, and whether its names, numbers and quotations stand there."""

import re
from collections.abc import Mapping
from functools import cached_property

import msgspec

from pumice.commit import words as spoken
from pumice.domain.block import Block
from pumice.domain.summary import SummaryItem
from pumice.measure import entities
from pumice.measure.entities import Entity

CJK_WEIGHT = 3
"""A Chinese letter says about as much as so many Latin ones."""
LEAST_LETTERS = 20
"""Letters below which a text is in no language."""
PART_CHARS = 4
"""Characters from which a part of a name counts."""
_ORDINARY = ("kebab", "camel", "path")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
CODE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)\n?[ \t]*```[ \t]*$", re.S | re.M)
"""Code in a fence; the group is what stands between."""
_CJK = re.compile(r"[㐀-鿿]")
_LETTER = re.compile(r"[^\W\d_]")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"\bb\d+\b")
_ENDS = " .!;:。！；："
"""What may stand around a sentence wherever it is repeated."""
_QUOTED = re.compile(r"`([^`\n]+)`|[\"“「]([^\"”」\n]{12,})[\"”」]")


class Said(msgspec.Struct, frozen=True, dict=True):
    """What a summary may rest on."""

    blocks: Mapping[str, Block]
    """By id: what a model was asked about, and what the items it was shown already name."""
    known: str = ""
    """Words of the summary before."""
    tokens: int = 0
    """Size of what was summed up; 0 when nobody counted."""
    in_chinese: bool | None = None
    """Whether the summary was to be in Chinese; None: either."""

    @cached_property
    def text(self) -> str:
        return "\n".join((*(block.text for block in self.blocks.values()), self.known))

    @cached_property
    def plain(self) -> str:
        """The same on one line, in small letters."""
        return _plain(self.text)

    @cached_property
    def by_others(self) -> str:
        """What no person typed, likewise: a model that was made to obey it may put a person's name to it."""
        return _plain("\n".join(block.text for block in self.blocks.values() if not spoken.is_persons(block)))

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(self.text))

    @cached_property
    def parts(self) -> frozenset[str]:
        """Parts of the names that ordinary words may look like."""
        return frozenset(
            part for entity in entities.find(self.text) if entity.kind in _ORDINARY for part in _parts(entity.text)
        )

    def is_persons(self, item: SummaryItem) -> bool:
        """Whether an item names a message a person typed, and does not repeat what only others have said."""
        found = (self.blocks[name] for name in item.sources if name in self.blocks)
        own = _plain("\n".join(block.text for block in found if spoken.is_persons(block)))
        told = _plain(item.text).strip(_ENDS)
        return bool(own) and (told in own or told not in self.by_others)


def altered(text: str, said: Said) -> list[str]:
    """Code, quotations, names and numbers of a text that what was said does not hold."""
    wrong = [code for code in CODE.findall(text) if code not in said.text]
    rest = CODE.sub(" ", text)
    wrong += [quoted for match in _QUOTED.finditer(rest) if not _stands(quoted := match[1] or match[2], said)]
    rest = _NAME.sub(lambda name: " " if name[0] in said.blocks else name[0], _QUOTED.sub(" ", rest))
    for entity in reversed(entities.find(rest)):
        if entity.kind != "number":
            wrong += [] if _is_known(entity, said) else [entity.text]
            rest = f"{rest[: entity.start]} {rest[entity.end :]}"
    return [*wrong, *(number for number in _NUMBER.findall(rest) if number not in said.numbers)]


def _stands(quoted: str, said: Said) -> bool:
    return _plain(quoted) in said.plain


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_known(entity: Entity, said: Said) -> bool:
    """Whether a name stands in what was said.

    A word that only looks like a name (`follow-up`, `and/or`, `JavaScript`) may be new, unless it shares a part with a name
    of that kind: then it may be that name, altered.
    """
    if entity.text in said.text:
        return True
    looks_like = entity.kind in _ORDINARY and not re.search(r"[\d._~@]|^/|^[a-z]+[A-Z]", entity.text)
    return looks_like and (entity.text.casefold() in said.plain or not _parts(entity.text) & said.parts)


def _parts(name: str) -> frozenset[str]:
    return frozenset(part.casefold() for part in _PART.findall(name) if len(part) >= PART_CHARS)


def chinese_share(text: str) -> float | None:
    """Share of CJK letters in a text without its names; None when it has too few letters to tell."""
    for entity in reversed(entities.find(text)):
        text = text[: entity.start] + text[entity.end :]
    letters = _LETTER.findall(re.sub(r"`[^`\n]*`", "", text))
    chinese = CJK_WEIGHT * sum(1 for letter in letters if _CJK.match(letter))
    total = chinese + sum(1 for letter in letters if not _CJK.match(letter))
    return chinese / total if total >= LEAST_LETTERS else None
