"""Where in a result a name stands with its value: members of JSON, also inside its strings, and lines `name: value`."""

import json
import re

_QUOTE = re.compile(r'\\*"')
_COLON = re.compile(r"\s*:\s*")
_VALUE = re.compile(r"[ \t*`]*[:：=][ \t]*(?=\S)[^\n]+")
_BULLETS = " \t-*•>|`0123456789.)"
"""What may stand before a name on its line."""
_LONGEST = 20_000
"""Characters of a value that are read to find its end."""
_OBJECT_CHARS = 300
_DECODER = json.JSONDecoder()


def span(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    """Where a name with its value stands; None when it has none."""
    start, end = match.span()
    depth = _depth(text, start)
    if depth is not None and text.startswith(_quote(depth), end):
        stop = _member_end(text, end + depth + 1, depth)
        return (start - depth - 1, stop) if stop else None
    line = text[text.rfind("\n", 0, start) + 1 : start]
    value = _VALUE.match(text, end)
    return (start, value.end()) if value and not line.strip(_BULLETS) else None


def around(text: str, start: int, end: int) -> str:
    """The JSON object around a member where it is small, else the member."""
    opened = _QUOTE.match(text, start)
    at = text.rfind("{", max(0, end - _OBJECT_CHARS), start)
    length = _decoded(text[at : at + _OBJECT_CHARS], len(opened[0]) - 1 if opened else 0) if at >= 0 else 0
    return text[at : at + length] if at >= 0 and at + length >= end else text[start:end].strip()


def _depth(text: str, end: int) -> int | None:
    """How many backslashes stand before the quote a name begins with: in JSON inside a string one; None without a quote."""
    if text[end - 1 : end] != '"' or not end:
        return None
    before = text[max(0, end - 64) : end - 1]
    return len(before) - len(before.rstrip("\\"))


def _quote(depth: int) -> str:
    return "\\" * depth + '"'


def _member_end(text: str, at: int, depth: int) -> int:
    """Where the value of a JSON member ends, or where reading ends of one that is very long; 0 when it is none."""
    colon = _COLON.match(text, at)
    if colon is None:
        return 0
    value = text[colon.end() : colon.end() + _LONGEST]
    length = _decoded(value, depth)
    return colon.end() + (length or (_LONGEST if len(value) == _LONGEST else 0)) if value else 0


def _decoded(text: str, depth: int) -> int:
    """Characters of the JSON value a text begins with, whose quotes stand behind so many backslashes; 0 when with none."""
    quote = re.compile(rf'(?<!\\)\\{{{depth}}}"')
    quotes = [one.start() for one in quote.finditer(text)] if depth else []
    if depth:
        blank = re.compile(rf"(?<!\\)\\{{{(depth + 1) // 2}}}[nrt]")
        text = quote.sub('"', blank.sub(lambda one: " " * len(one[0]), text))
    try:
        length = _DECODER.raw_decode(text)[1]
    except (ValueError, RecursionError):
        return 0
    return length + depth * sum(place - at * depth < length for at, place in enumerate(quotes))
