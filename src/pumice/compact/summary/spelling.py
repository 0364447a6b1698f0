"""How names, numbers, code and quotations are spelled in a text, and whether another text spells them so."""

import re
from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import takewhile

import msgspec

from pumice.measure import entities
from pumice.measure.entities import Entity

PART_CHARS = 4
"""Characters from which a part of a name counts."""
LONG, SLIP, LONG_SLIP = 10, 1, 2
"""Neighbouring characters in which a name that was meant may differ: one, two in a name of so many characters."""
SENTENCE = 60
"""Characters from which words are no piece of a name, even where they end in one."""
QUOTATION = 12
"""Characters from which words in quotation marks are a quotation."""
_ORDINARY = ("kebab", "camel", "path")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_WORD = re.compile(r"[A-Za-z0-9_]")
CODE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)\n?[ \t]*```[ \t]*$", re.S | re.M)
"""Code in a fence; the group is what stands between."""
_QUOTED = re.compile(rf"`([^`\n]+)`|[\"“「]([^\"”」\n]{{{QUOTATION},}})[\"”」]")
_NAME = re.compile(r"\bb\d+\b")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_MISREAD = re.compile(r"\b(?=\w*\d)(?=\w*[OolI])[\dOolI]+\b")
_DIGITS = str.maketrans("OolI", "0011")
_UNITS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("EUR", r"EUR|euros?|€"), ("USD", r"USD|dollars?|\$"), ("GBP", r"GBP|pounds?|£"), ("CNY", r"CNY|RMB|yuan|元"),
     ("CHF", r"CHF|francs?")),
    (("ms", r"ms|milliseconds?|毫秒"), ("s", r"s|secs?|seconds?|秒"), ("min", r"mins?|minutes?|分钟"),
     ("h", r"h|hrs?|hours?|小时"), ("d", r"days?|天"), ("w", r"weeks?|周"), ("mon", r"months?|个月"), ("y", r"years?|年")),
    (("KB", r"Ki?B|kB"), ("MB", r"Mi?B"), ("GB", r"Gi?B"), ("TB", r"Ti?B")),
)  # fmt: skip
"""Units of one kind, each with its spellings: a figure in one of them is another figure in another."""
_AFTER = r"(?P<number>{number})[\s-]?(?:{words})(?![A-Za-z])"
_BEFORE = r"|(?<![A-Za-z])(?:{words})\s?(?P<other>{number})"
_MEASURES = tuple(
    (unit, kind, re.compile((_AFTER + (_BEFORE if kind == 0 else "")).format(number=_NUMBER.pattern, words=words)))
    for kind, units in enumerate(_UNITS)
    for unit, words in units
)
"""Money may name its unit before the figure."""


class Spelling(msgspec.Struct, frozen=True, dict=True):
    """A text, looked at for how it spells what it names."""

    text: str

    @cached_property
    def line(self) -> str:
        return " ".join(self.text.split())

    @cached_property
    def small(self) -> str:
        return self.line.casefold()

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(self.text))

    @cached_property
    def measures(self) -> frozenset[tuple[str, int, str]]:
        return frozenset(_measures(self.text))

    @cached_property
    def names(self) -> dict[str, frozenset[str]]:
        """By kind, the names that ordinary words may look like, with the folders of paths."""
        found: dict[str, set[str]] = {kind: set() for kind in _ORDINARY}
        for name, kind in entities.kinds(self.text).items():
            if kind in found:
                found[kind].update((name, *_folders(name)) if kind == "path" else (name,))
        return {kind: frozenset(names) for kind, names in found.items()}

    @cached_property
    def parts(self) -> frozenset[str]:
        return frozenset(part for names in self.names.values() for name in names for part in _parts(name))

    def holds(self, words: str) -> bool:
        """Whether words stand here as they are, white space aside, and as no piece of a longer name; long ones may be cut."""
        line = " ".join(words.split())
        return _stands(line, self.line, is_start=len(line) >= SENTENCE)

    def is_quoted(self, text: str) -> bool:
        """Whether a text is words that stand here, or has some in quotation marks."""
        marked = ((code, quoted) for code, quoted in _QUOTED.findall(text) if len(code or quoted) >= QUOTATION)
        return self.holds(text) or any(self.holds(code) if code else self._quotes(quoted) for code, quoted in marked)

    def altered(self, text: str, blocks: Collection[str]) -> list[str]:
        """Code, quotations, names and numbers of a text that do not stand here; names of blocks are none of them."""
        wrong = [code for code in CODE.findall(text) if code not in self.text]
        rest = CODE.sub(" ", text)
        for code, quoted in _QUOTED.findall(rest):
            if not (self.holds(code) or code in blocks if code else self._quotes(quoted)):
                wrong.append(code or quoted)
        rest = _NAME.sub(lambda name: " " if name[0] in blocks else name[0], _QUOTED.sub(" ", rest))
        wrong += self._other_figures(rest)
        for entity in reversed(entities.find(rest)):
            if entity.kind != "number":
                wrong += [] if self._is_known(entity) else [entity.text]
                rest = f"{rest[: entity.start]} {rest[entity.end :]}"
        return [*wrong, *(number for number in _NUMBER.findall(rest) if number not in self.numbers)]

    def _quotes(self, quoted: str) -> bool:
        return _stands(" ".join(quoted.split()).casefold().rstrip(".,;: "), self.small)

    def _is_known(self, entity: Entity) -> bool:
        """Whether a name stands here, or is a word of somebody's own.

        A word that only looks like a name (`follow-up`, `and/or`, `JavaScript`) may be new, unless it is near a name that
        stands here, or shares a part with one: then it may be that name, altered.
        """
        if _stands(entity.text, self.line, is_start=entity.kind == "hash"):
            return True
        if entity.kind == "kebab" and {f"{entity.text}s", entity.text.removesuffix("s")} & self.names["kebab"]:
            return True
        if not may_be_word(entity) or self._near(entity):
            return False
        return _stands(entity.text.casefold(), self.small) or not _parts(entity.text) & self.parts

    def _near(self, entity: Entity) -> bool:
        return any(_is_slip(entity.text, name) for name in self.names[entity.kind])

    def _other_figures(self, text: str) -> Iterator[str]:
        """Figures with another unit than here, or with letters in place of digits."""
        for number, kind, unit in _measures(text):
            known = {other for one, of, other in self.measures if (one, of) == (number, kind)}
            if known and unit not in known:
                yield f"{number} {unit}"
        for word in _MISREAD.findall(text):
            if word.translate(_DIGITS) in self.numbers and not _stands(word, self.line):
                yield word


def may_be_word(entity: Entity) -> bool:
    """Whether something that looks like a name may be an ordinary word."""
    return entity.kind in _ORDINARY and not re.search(r"[\d._~@]|^/|^[a-z]+[A-Z]", entity.text)


def _stands(words: str, text: str, *, is_start: bool = False) -> bool:
    """Whether words stand in a text as whole tokens; as the start of one where that is enough."""
    at = text.find(words) if words else -1
    while at >= 0:
        before, after = text[max(0, at - 2) : at][::-1], text[at + len(words) : at + len(words) + 2]
        if not _joins(words[0], before) and (is_start or not _joins(words[-1], after)):
            return True
        at = text.find(words, at + 1)
    return False


def _joins(edge: str, beyond: str) -> bool:
    """Whether a name goes on beyond its edge: by a letter, or by a hyphen and a letter."""
    if not _WORD.match(edge):
        return False
    return bool(_WORD.match(beyond) or (beyond[:1] == "-" and _WORD.match(beyond[1:])))


def _is_slip(told: str, name: str) -> bool:
    """Whether two names differ by their case, or in a few characters that stand together."""
    slip = LONG_SLIP if min(len(told), len(name)) >= LONG else SLIP
    if abs(len(told) - len(name)) > slip:
        return False
    one, other = told.casefold(), name.casefold()
    half = (min(len(one), len(other)) - slip) // 2
    if one[:half] != other[:half] and one[-half:] != other[-half:]:
        return False
    start = _shared(one, other)
    end = _shared(one[start:][::-1], other[start:][::-1])
    return max(len(one), len(other)) - start - end <= slip


def _shared(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _measures(text: str) -> Iterator[tuple[str, int, str]]:
    for unit, kind, pattern in _MEASURES:
        yield from ((found[found.lastgroup or 0], kind, unit) for found in pattern.finditer(text))


def _folders(path: str) -> Iterator[str]:
    for at, sign in enumerate(path):
        if sign == "/" and at:
            yield path[:at]


def _parts(name: str) -> frozenset[str]:
    return frozenset(part.casefold() for part in _PART.findall(name) if len(part) >= PART_CHARS)
