"""Continuation: can work go on from the first view after a cut? Five questions, each answered by words that must stand there.

What is wanted, what holds, what was done, what failed, where we stand: asked of the blocks before the call, without a model.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from pumice.commit import effects, words
from pumice.domain.block import Kind, Role
from pumice.evaluate.share import Share
from pumice.evaluate.sources import Source

FILES = 5
"""Newest changed files that must be named."""
LEAST_CHARS, MOST_CHARS = 8, 200
"""Characters of a line that must stand; of a longer one its beginning."""
NAME_CHARS = 30
"""Characters of a long command that name it."""


def judge(sources: Sequence[Source], rules: Sequence[str], text: str) -> Share:
    """The share of the questions that a view answers, of those the session gives cause to ask."""
    asked = [answers for answers in _probes(sources, rules) if answers]
    return Share(sum(all(answer in text for answer in answers) for answers in asked), len(asked))


def _probes(sources: Sequence[Source], rules: Sequence[str]) -> Iterator[Sequence[str]]:
    """What must stand for each question."""
    newest = sources[::-1]
    yield list(islice((_line(one.block.text) for one in newest if words.is_persons(one.block)), 1))
    yield rules
    yield list(islice(dict.fromkeys(_name(target) for target in _changed(newest)), FILES))
    yield list(islice((_name(target) for target in _failed(newest)), 1))
    yield list(islice(filter(None, (_line(one.block.text) for one in newest if _is_said(one))), 1))


def _changed(newest: Sequence[Source]) -> Iterator[str]:
    """Files that a call has changed."""
    for one in newest:
        use = one.use
        if use is not None and use.is_edit and use.target and one.block.kind is Kind.RESULT and not effects.failed(one.block):
            yield use.target


def _failed(newest: Sequence[Source]) -> Iterator[str]:
    """What the calls were about whose result says that they failed."""
    for one in newest:
        if one.use is not None and one.use.target and one.block.kind is Kind.RESULT and effects.failed(one.block):
            yield one.use.target


def _is_said(one: Source) -> bool:
    return one.block.kind is Kind.TEXT and one.block.role is Role.ASSISTANT


def _name(target: str) -> str:
    """A path by its last part, a command by its beginning: what a label says of it too."""
    return (target if " " in target else target.rstrip("/").rpartition("/")[2])[:NAME_CHARS]


def _line(text: str) -> str:
    """The first line that says something."""
    said = (line.strip() for line in text.split("\n"))
    return next((line[:MOST_CHARS] for line in said if len(line) >= LEAST_CHARS), text.strip()[:MOST_CHARS])
