"""What was said: the text a summary may rest on, and whether its names, numbers and quotations stand there."""

import re
from collections.abc import Mapping
from functools import cached_property

import msgspec

from pumice.commit import words as spoken
from pumice.domain.block import Block
from pumice.domain.summary import SummaryItem
from pumice.measure import entities

CJK_WEIGHT = 3
"""A Chinese letter says about as much as so many Latin ones."""
LEAST_LETTERS = 20
CODE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)\n?[ \t]*```[ \t]*$", re.S | re.M)
"""Code in a fence; the group is what stands between."""
_CJK = re.compile(r"[㐀-鿿]")
_LETTER = re.compile(r"[^\W\d_]")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
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
        return " ".join(self.text.split()).casefold()

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(self.text))

    def is_persons(self, item: SummaryItem) -> bool:
        """Whether a message a person typed is among an item's sources."""
        return any(name in self.blocks and spoken.is_persons(self.blocks[name]) for name in item.sources)


def altered(text: str, said: Said) -> list[str]:
    """Code, quotations, names and numbers of a text that what was said does not hold."""
    wrong = [code for code in CODE.findall(text) if code not in said.text]
    rest = CODE.sub(" ", text)
    wrong += [quoted for match in _QUOTED.finditer(rest) if not _stands(quoted := match[1] or match[2], said)]
    rest = _QUOTED.sub(" ", rest)
    for entity in reversed(entities.find(rest)):
        if entity.kind != "number":
            wrong += [] if _is_known(entity, said) else [entity.text]
            rest = f"{rest[: entity.start]} {rest[entity.end :]}"
    return [*wrong, *(number for number in _NUMBER.findall(rest) if number not in said.numbers)]


def _stands(quoted: str, said: Said) -> bool:
    return " ".join(quoted.split()).casefold() in said.plain


def _is_known(entity: entities.Entity, said: Said) -> bool:
    """Whether a name stands in what was said; a word that only looks like one (`follow-up`, `and/or`) by its parts."""
    if entity.text in said.text:
        return True
    if entity.kind not in ("kebab", "camel", "path") or re.search(r"[\d._~]|^/", entity.text):
        return False
    parts = re.split(r"[-/]", entity.text) if entity.kind != "camel" else [entity.text]
    return all(part.casefold() in said.plain for part in parts)


def chinese_share(text: str) -> float | None:
    """Share of CJK letters in a text without its names; None when it has too few letters to tell."""
    for entity in reversed(entities.find(text)):
        text = text[: entity.start] + text[entity.end :]
    letters = _LETTER.findall(re.sub(r"`[^`\n]*`", "", text))
    chinese = CJK_WEIGHT * sum(1 for letter in letters if _CJK.match(letter))
    total = chinese + sum(1 for letter in letters if not _CJK.match(letter))
    return chinese / total if total >= LEAST_LETTERS else None
