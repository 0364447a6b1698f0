"""Sentences of what people type: English and Chinese, paths and numbers whole, list items one by one."""

import re
from collections.abc import Iterator

import msgspec

_MARKER = re.compile(r"[ \t]*(?:[-*•+–]|\(?\d{1,3}[.)、]|\(?[A-Za-z]\)|#{1,6})[ \t]+")
_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？；]+[”’」』）]*")
_SHORT = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|mr|mrs|ms|dr|st|fig|sec|ca)|\b[A-Za-z])\.$", re.I)
_WRAPPED_FROM = 50
"""Characters from which a line without an end mark may go on in the next one."""


class Sentence(msgspec.Struct, frozen=True):
    text: str
    start: int
    end: int


def split(text: str) -> list[Sentence]:
    """The sentences of a text with their places, list markers left out."""
    return [sentence for start, end in _paragraphs(text) for sentence in _in_line(text, start, end)]


def is_listed(text: str, sentence: Sentence) -> bool:
    """Whether a sentence begins an item of a list."""
    line = text.rfind("\n", 0, sentence.start) + 1
    marker = _MARKER.match(text, line)
    return marker is not None and marker.end() == sentence.start


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Spans of lines; a long line without an end mark takes the next one with it when that goes on in lower case."""
    start = at = 0
    lines = text.split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        end = at + len(line)
        wraps = len(line) >= _WRAPPED_FROM and line[-1:].isalnum() and following[:1].islower()
        if not wraps:
            yield start, end
            start = end + 1
        at = end + 1


def _in_line(text: str, start: int, end: int) -> Iterator[Sentence]:
    marker = _MARKER.match(text, start, end)
    at = marker.end() if marker else start
    for mark in _END.finditer(text, at, end):
        if not _is_end(text, at, mark, end):
            continue
        yield from _sentence(text, at, mark.end())
        at = mark.end()
    yield from _sentence(text, at, end)


def _is_end(text: str, start: int, mark: re.Match[str], end: int) -> bool:
    if mark[0][0] == "." and _SHORT.search(text, start, mark.start() + 1):
        return False
    return not (mark[0].startswith(("..", "…")) and text[mark.end() : end].lstrip()[:1].islower())


def _sentence(text: str, start: int, end: int) -> Iterator[Sentence]:
    body = text[start:end]
    trimmed = body.strip()
    if trimmed:
        first = start + body.index(trimmed)
        yield Sentence(trimmed, first, first + len(trimmed))
