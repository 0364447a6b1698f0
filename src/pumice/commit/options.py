"""The words after a command, told apart: options with the values they take, and operands."""

from collections.abc import Iterator
from typing import NamedTuple


class Given(NamedTuple):
    option: str
    """Empty for an operand."""
    value: str
    at: int
    """Where among the words the value stands; of an option without one, the option."""


def read(words: list[str], valued: frozenset[str], most: int | None = None) -> list[Given]:
    """What the words give in order, up to so many operands: behind the last another command's words may begin."""
    found: list[Given] = []
    left = len(words) if most is None else most
    at = 0
    while at < len(words) and left:
        if words[at] == "--":
            return found + [Given("", word, n) for n, word in enumerate(words[at + 1 : at + 1 + left], at + 1)]
        new = list(_one(words, at, valued))
        found += new
        left -= not new[-1].option
        at = max(at, new[-1].at) + 1
    return found


def operands(given: list[Given]) -> list[str]:
    return [one.value for one in given if not one.option]


def _one(words: list[str], at: int, valued: frozenset[str]) -> Iterator[Given]:
    word = words[at]
    name, _, value = word.partition("=")
    if len(word) < 2 or word[0] != "-":
        yield Given("", word, at)
    elif word in valued:
        yield Given(word, *_next(words, at))
    elif word.startswith("--"):
        yield Given(name, value, at)
    else:
        yield Given(name, value, at)
        yield from _cluster(words, at, valued)


def _cluster(words: list[str], at: int, valued: frozenset[str]) -> Iterator[Given]:
    """Letters written together, such as `-sXPOST`: the first that takes a value takes what is left, or the next word."""
    word = words[at]
    for end, letter in enumerate(word[1:].partition("=")[0], 2):
        if f"-{letter}" in valued:
            yield Given(f"-{letter}", word[end:], at) if word[end:] else Given(f"-{letter}", *_next(words, at))
            return
        yield Given(f"-{letter}", "", at)


def _next(words: list[str], at: int) -> tuple[str, int]:
    return (words[at + 1], at + 1) if at + 1 < len(words) else ("", at)
