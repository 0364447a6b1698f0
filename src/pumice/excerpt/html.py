"""HTML: its words without the markup, a line for each block, a row for each row of a table.

The words are the source's own. A character reference is decoded, and markup inside a word left out, only where no name and no
number reads otherwise than it stands in the source: `AT&amp;T` is `AT&T`, but `12<b>34</b>` and `a?x=1&amp;y=2` in an address
stay as they are written. Scripts, styles and comments are left out.

Tags are found here: the standard library's parser takes 28 s for 50 KB of `<a ` (Python 3.11), and raises on `<![`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import groupby
from typing import NamedTuple

from pumice.domain import marks
from pumice.excerpt import lines, odd, salience
from pumice.excerpt.units import FAR, Shape, Unit
from pumice.measure import entities

_NEAR = 200_000
"""Characters from either end that are looked at."""
_OPENING = re.compile(r"<(?:(?P<comment>!--)|(?P<other>[!?])|(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9:-]*+))")
_REST = re.compile(r"(?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+>|[^<>]*+>")
"""What follows the name of a tag; never beyond the next `<`, so that any text takes linear time."""
_SILENT = frozenset(["script", "style", "template", "svg", "math", "noscript", "iframe", "object"])
_HEADINGS = ("title", "h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "dialog", "div", "dl"}
    | {"dt", "fieldset", "figcaption", "figure", "footer", "form", "head", "header", "hr", "html", "legend", "li", "main"}
    | {"menu", "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul"}
    | set(_HEADINGS)
)
_KNOWN = (
    r"(?:a|b|br|div|em|form|h[1-6]|head|body|html|img|input|li|link|meta|nav|ol|p|script|section|span|style|table|td|th|tr|ul)"
)
_TAGS = re.compile(rf"</?{_KNOWN}\b[^<>]*>", re.I)
_PAGE = re.compile(r"^[ \t]*(?:<!doctype html|<html\b)", re.I | re.M)
_START = re.compile(
    r"\ufeff?\s*(?:HTTP/[\d.]+ [^\n]*\n(?:[\w-]+:[^\n]*\n)*\s*)*(?:<\?xml\b[^<>]*>\s*|<!--(?:(?!-->).)*-->\s*)*"
    r"<(?:!doctype html|html|head|body)(?=[\s>])",
    re.I | re.S,
)
"""A page from its first line on, after at most the headers of an answer."""
_CLOSED = re.compile(rf"</{_KNOWN}\s*>\s*$", re.I)
_FRAGMENT = re.compile(r"\s*<(?:div|p|table|ul|ol|h[1-6]|body|head|section|article|main|header|nav|span|form)\b[^<>]*>", re.I)
_CONTENT = re.compile(r"(?P<space>\s+)|(?P<reference>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)|&|[^\s&]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_FOOT = 0.5
"""What a line near the end of a very long page is worth against one near its start."""
_RUN, _FIRST = 20, 4
"""Lines alike from which on they are a run, and how many of them count as any other line does."""
_ALIKE = 0.01
"""What the others of a run are worth, as a share of what they say, 1 at most: less than sentences."""
_SAID = re.compile(r"[^\s|]+(?: [^\s|]+){5}|[^|]{60}|[。！？；，]|[.!?]$")
"""A line that says something in words, whatever it stands in."""
_MARKUP = 40
"""Characters of markup up to which a word that cannot do without it keeps it."""


class _Tag(NamedTuple):
    start: int
    end: int
    name: str
    """In small letters; empty for comments and the like."""
    is_closing: bool


class _Line(NamedTuple):
    text: str
    kind: str
    """The heading it is, `th` for the head of a table, `a` when all of it is links, `pre` in one; else empty."""


def is_html(text: str) -> bool:
    """Whether a text is a page or a part of one: it begins as a page, or ends with a tag, or a tenth of it is tags.

    A page that is hardly more than a script is a program somebody wrote: its lines say more than its words.
    """
    sample = text[:20_000]
    if _START.match(sample[:2000]) and _has_words(text[:_NEAR]):
        return True
    if not (_PAGE.search(sample[:2000]) or _FRAGMENT.match(sample)):
        return False
    tags = _TAGS.findall(sample)
    return len(tags) >= 10 and (sum(map(len, tags)) * 10 >= len(sample) or _CLOSED.search(text[-200:]) is not None)


def _has_words(text: str) -> bool:
    """Whether a tenth of it or more stands outside all tags, scripts and styles."""
    markup = sum(tag.end - tag.start for tag in _tags(text, 0, len(text)))
    return (len(text) - markup) * 10 >= len(text)


def cut(text: str) -> Shape | None:
    """The lines of a page's text; None when it has none."""
    is_long = len(text) > 2 * _NEAR
    # Each part ends or begins with a tag, so that no word is cut in two.
    head = max(0, text.rfind("<", 0, _NEAR)) if is_long else len(text)
    foot = text.find("<", len(text) - _NEAR) if is_long else len(text)
    foot = foot if foot >= 0 else len(text)
    top = list(_Page(text).lines(0, head))
    found = [*top, *_Page(text).lines(foot, len(text))]
    if not found:
        return None
    note = "HTML, its text without the markup"
    note += f", of {len(text)} characters the first and the last {_NEAR}" if is_long else ""
    hidden = max(1, text.count("\n", head, foot)) if is_long else 0
    derived = "\n".join(line.text for line in found)
    return Shape("html", list(_units(derived, found, len(top), hidden)), "text line", note, text=derived)


def _units(derived: str, found: Sequence[_Line], foot: int, hidden: int) -> Iterator[Unit]:
    """Units of the lines; before line `foot` one for so many `hidden` lines of the source."""
    says = lines.weigh([Unit(0, 0, 0)] * len(found), [line.text for line in found])
    alike = _alike(found, [line.must for line in says])
    at = 0
    for row, line in enumerate(found):
        if row == foot and hidden:
            yield Unit(at, at, row + hidden - 1, FAR)
        skipped = hidden if row >= foot else 0
        worth = says[row].value + (0.1 if line.kind == "a" else min(len(line.text), 400) / 400)
        worth = _ALIKE * min(worth, 1.0) if row in alike else worth
        is_frame = line.kind in _HEADINGS[:2]
        must = row not in alike and (line.kind in (*_HEADINGS, "th") or says[row].must)
        for unit in lines.pieces(derived, at, at + len(line.text), row + skipped):
            yield lines.placed(unit, is_frame=is_frame, must=must, value=worth * (_FOOT if skipped else 1))
        at += len(line.text) + 1


def _alike(found: Sequence[_Line], must: Sequence[bool]) -> frozenset[int]:
    """Lines of long runs of rows, links or lines of one pattern, but for the first ones, the last and the odd ones."""
    cells = [line.text.split(" | ") for line in found]
    patterns = salience.patterns([line.text for line in found])
    often = {pattern for pattern, times in Counter(patterns).items() if times >= _FIRST}
    out: set[int] = set()
    for is_run, rows in groupby(range(len(found)), lambda at: _is_plain(found[at], patterns[at] in often)):
        run = list(rows)
        if is_run and len(run) >= _RUN:
            odd_ones = {run[at] for at in odd.rows([cells[at] for at in run])}
            telling = {at for at in run if must[at]}
            stay = odd_ones | telling if len(telling) * _FIRST <= len(run) else odd_ones
            out.update(at for at in run[_FIRST:-1] if at not in stay)
    return frozenset(out)


def _is_plain(line: _Line, is_repeated: bool) -> bool:
    """Whether a line may be one of a run: no heading, no code, no sentence."""
    is_listed = line.kind in ("a", "th") or " | " in line.text or is_repeated
    return is_listed and line.kind not in (*_HEADINGS, "pre") and not _SAID.search(line.text)


class _Page:
    """Reads a part of a page: words into lines, lines out at each block."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._word: list[tuple[int, int]] = []
        self._words: list[str] = []
        self._linked = 0
        """Words of the line that stand in links."""
        self._links = 0
        self._kind = self._heading = ""
        self._is_pre = self._is_cell = False

    def lines(self, start: int, end: int) -> Iterator[_Line]:
        """The lines of its text; white space counts only in `pre`, and blocks inside a cell do not end its row."""
        at = start
        for tag in _tags(self._text, start, end):
            yield from self._content(at, tag.start)
            at = tag.end
            if tag.name in _BLOCKS and not (self._is_cell and tag.name in ("p", "div", "br")):
                yield from self._end_line()
            elif tag.name in _BLOCKS or tag.name in ("td", "th"):
                self._end_word()
            self._enter(tag)
        yield from self._content(at, end)
        yield from self._end_line()

    def _enter(self, tag: _Tag) -> None:
        opens = not tag.is_closing
        if tag.name in _HEADINGS:
            self._heading = tag.name if opens else ""
        elif tag.name == "a":
            self._links = int(opens)
        elif tag.name == "pre":
            self._is_pre = opens
        elif tag.name in ("tr", "table"):
            self._is_cell = False
        elif tag.name in ("td", "th"):
            if opens and self._is_cell:
                self._words.append("|")
            self._is_cell = self._is_cell or opens
            self._kind = self._kind or (tag.name if opens and tag.name == "th" else "")

    def _content(self, start: int, end: int) -> Iterator[_Line]:
        for piece in _CONTENT.finditer(self._text, start, end):
            if not piece["space"] and not (piece["reference"] and unescape(piece[0]).isspace()):
                self._word.append(piece.span())
                continue
            self._end_word()
            if self._is_pre and "\n" in piece[0]:
                yield from self._end_line()
                self._words += [""] * (len(piece[0].rpartition("\n")[2].expandtabs(4)))
        self._kind = self._kind or self._heading

    def _end_word(self) -> None:
        if self._word:
            self._words.append(_read(self._text, self._word))
            self._linked += self._links
            self._word = []

    def _end_line(self) -> Iterator[_Line]:
        self._end_word()
        line, filled = " ".join(self._words).rstrip(), sum(map(bool, self._words))
        if line.strip(" |"):
            yield _Line(line, self._kind or ("a" if self._linked == filled else "pre" if self._is_pre else ""))
        self._words, self._linked, self._kind, self._is_cell = [], 0, "", False


def _tags(text: str, start: int, end: int) -> Iterator[_Tag]:
    """Tags, comments and elements without words, in order; what only begins like one is text."""
    at = start
    while found := _OPENING.search(text, at, end):
        at, name = found.end(), (found["name"] or "").lower()
        if found["comment"]:
            at = _past("-->", text, at, end)
            yield _Tag(found.start(), at, "", False)
        elif found["other"]:
            at = _past(">", text, at, end)
            yield _Tag(found.start(), at, "", False)
        elif rest := _REST.match(text, at, end):
            at = rest.end()
            if name in _SILENT and not found["close"]:
                closing = re.compile(rf"</{name}\b[^<>]*>", re.I).search(text, at, end)
                at = closing.end() if closing else end
            yield _Tag(found.start(), at, name, bool(found["close"]))


def _past(mark: str, text: str, at: int, end: int) -> int:
    found = text.find(mark, at, end)
    return found + len(mark) if found >= 0 else end


def _read(text: str, pieces: Sequence[tuple[int, int]]) -> str:
    """A word from its pieces, references decoded and markup between them left out where that changes no name or number."""
    raw = text[pieces[0][0] : pieces[-1][1]]
    decoded = [unescape(text[start:end]) for start, end in pieces]
    plain = "".join(decoded)
    if plain == raw or (marks.is_clean(plain) and _is_safe(plain, pieces, decoded, text)):
        return plain
    if len(raw) <= len(plain) + _MARKUP and not any(map(str.isspace, raw)):
        return raw
    return " ".join(text[start:end] for start, end in pieces)


def _is_safe(plain: str, pieces: Sequence[tuple[int, int]], decoded: Sequence[str], text: str) -> bool:
    """Whether each name and number of a word stands in one stretch of the source that was only copied."""
    copied: list[tuple[int, int]] = []
    at = end = 0
    for piece, said in zip(pieces, decoded, strict=True):
        if said == text[piece[0] : piece[1]]:
            goes_on = bool(copied) and copied[-1][1] == at and piece[0] == end
            copied.append((copied.pop()[0] if goes_on else at, at + len(said)))
        at, end = at + len(said), piece[1]
    named = [(found.start, found.end) for found in entities.find(plain)]
    named += [found.span() for found in _NUMBER.finditer(plain)]
    return all(any(first <= start and stop <= last for first, last in copied) for start, stop in named)
