"""Entities: the names, paths, hashes and numbers a session is about."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

import msgspec

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
_HASH = r"[0-9a-f]{7,40}\b"
_PATH = r"(?:[\w.@+-]++/)+[\w.@+-]++"

# The nine classes of entities.md as one expression that is linear in the text. Three things differ from the table, none in
# what is found (a property test compares the two):
# * the first group skips plain words and gaps without making a match of each; bounded, because sre keeps a frame per turn;
# * a path may only start where its run of characters starts, else a long run without a slash is tried at every character.
#   A hash or UUID may eat the start of such a run, so a path that follows it is matched together with it (`rest`);
# * the last line always matches something: a word none of the classes wants, or one character.
_PATTERN = re.compile(
    rf"""
    (?: [^\w.@+\-~/]++ | (?: [A-Z][a-z]*+ | [a-f]*+[g-z][a-z]*+ | \d\d?+ )(?![\w.@+\-/:]) ){{0,999}}
    (?: (?P<url> https?://[^\s"'<>)\]]++ )
      | (?<![\w.@+-]) (?P<lead> (?> {_UUID} | {_HASH} ) ) (?=[.@+-]) (?P<rest> {_PATH} )
      | \b (?P<uuid> {_UUID} )
      | \b (?P<hash> {_HASH} )
      | (?P<path> (?: (?<![\w.@+-]) | ~/? | / ) {_PATH} )
      | \b (?: (?P<camel> [a-z]++[A-Z]\w\w\w*+ | [A-Z][a-z0-9]++[A-Z]\w*+ )
             | (?P<snake> [A-Za-z]\w*_\w++ )
             | (?P<kebab> [a-z][a-z0-9]*(?:-[a-z0-9]+)+\b )
             | (?P<dotted> [A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+)+ )
             | (?P<number> \d{{3,}}\b ) )
      | \w++(?!://) | \w+?(?=https?://) | \w++ | . | \Z )
    """,
    re.VERBOSE | re.DOTALL,
)
_EDGES = ".,:;"
_UUID_LENGTH = 36


class Entity(msgspec.Struct, frozen=True):
    """One entity at `text[start:end]` of what was searched."""

    text: str
    kind: str
    """url, uuid, hash, path, camel, snake, kebab, dotted or number."""
    start: int
    end: int


def find(text: str) -> list[Entity]:
    """The entities of a text in order, never overlapping, never across a line end.

    The ruler is reference entities.md: a match is stripped of `.,:;` and counts with 4 characters or more, or all digits.
    """
    return [Entity(name, kind, start, start + len(name)) for name, kind, start in _matches(text)]


def kinds(text: str) -> dict[str, str]:
    """The kind of each distinct entity of a text, by its string."""
    return {name: kind for name, kind, _ in _matches(text)}


def kinds_of_each(texts: Sequence[str]) -> list[dict[str, str]]:
    """The kinds of the distinct entities of each of many short texts, by one search: none goes across a line end."""
    found: list[dict[str, str]] = [{} for _ in texts]
    ends = list(accumulate(len(text) + 1 for text in texts))
    at = 0
    for name, kind, start in _matches("\n".join(texts)):
        while start >= ends[at]:
            at += 1
        found[at][name] = kind
    return found


def names(text: str) -> frozenset[str]:
    """The distinct entities of a text, as strings."""
    return frozenset(name for name, _, _ in _matches(text))


def _matches(text: str) -> Iterator[tuple[str, str, int]]:
    for match in _PATTERN.finditer(text):
        kind = match.lastgroup
        if kind is None:
            continue
        if kind == "rest":
            lead = match["lead"]
            yield lead, "uuid" if len(lead) == _UUID_LENGTH and "-" in lead else "hash", match.start("lead")
            kind, found, start = "path", match["rest"], match.start("rest")
        else:
            found, start = match[kind], match.start(kind)
        name = found.rstrip(_EDGES)
        if name and name[0] in _EDGES:
            start += len(name)
            name = name.lstrip(_EDGES)
            start -= len(name)
        if len(name) >= 4 or name.isdigit():
            yield name, kind, start
