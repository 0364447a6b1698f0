"""Constraints of a recording: those detected in a person's words, and those listed by hand beside it."""

from collections.abc import Callable

import msgspec

from pumice.commit import constraints, words
from pumice.evaluate.sources import Source
from pumice.recordings.recording import Recording


class Laid(msgspec.Struct, frozen=True):
    """A constraint, from the block on in which a person laid it down."""

    text: str
    """Word for word."""
    is_detected: bool
    """Found in the words; False for one that only the list names."""


FindRules = Callable[[Source], tuple[Laid, ...]]


def finder(recording: Recording) -> FindRules:
    """A function that names the constraints a block lays down; a list beside the recording adds its own where they are said."""

    def find(source: Source) -> tuple[Laid, ...]:
        if source.message in recording.injected or not words.is_persons(source.block):
            return ()
        found = tuple(Laid(rule.text, True) for rule in constraints.find(source.block.text))
        listed = (text for text in recording.constraints if text in source.block.text)
        return found + tuple(Laid(text, False) for text in listed if not covers(found, text))

    return find


def covers(found: tuple[Laid, ...], listed: str) -> bool:
    """Whether a listed constraint was detected: its words and a detected rule's hold one another."""
    return any(listed in rule.text or rule.text in listed for rule in found if rule.is_detected)


def missing(recording: Recording, found: tuple[Laid, ...]) -> list[str]:
    """Listed constraints that were not detected over the whole session."""
    return [text for text in recording.constraints if not covers(found, text)]
