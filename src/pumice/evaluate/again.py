"""What a session does again: the same change made twice, the same question put to a person twice."""

from collections.abc import Iterable, Sequence

import msgspec

from pumice.commit import effects, words
from pumice.commit.effects import Does
from pumice.domain.block import Kind, Role
from pumice.domain.effect import Effect
from pumice.evaluate.sources import Source

LEAST_CHARS = 12
"""A shorter question, such as `OK?`, is asked of something else each time."""


class Done(msgspec.Struct, frozen=True):
    """A change that was made: positions of its call and of the result that says so."""

    call: int
    result: int


class Again:
    """Takes in the blocks of a session in order."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[str, int]] = {}
        """Id of a call without a result yet → the change it makes, and its block."""
        self._done: dict[str, Done] = {}
        """A change → the newest call that made it."""
        self._open: list[str] = []
        """Questions nobody has answered yet."""
        self._answers: dict[str, int] = {}
        """A question → the newest block that answers it."""

    def learn(self, at: int, source: Source) -> None:
        """Take in the next block."""
        block = source.block
        if change := _change(source):
            self._calls[block.call_id] = (change, at)
        elif block.kind is Kind.RESULT and block.call_id in self._calls:
            change, made = self._calls.pop(block.call_id)
            if not effects.failed(block):
                self._done[change] = Done(made, at)
        if question := _question(source):
            self._open.append(question)
        elif self._open and _is_answer(source):
            self._answers.update(dict.fromkeys(self._open, at))
            self._open.clear()

    def redone(self, response: Iterable[Source]) -> tuple[Done, ...]:
        """What already made a change that a response makes again."""
        return tuple(self._done[change] for source in response if (change := _change(source)) in self._done)

    def asked(self, response: Iterable[Source]) -> tuple[int, ...]:
        """The answers to questions that a response asks again."""
        return tuple(self._answers[question] for source in response if (question := _question(source)) in self._answers)


def _change(source: Source) -> str:
    """What a call changes, by its tool and arguments; a command may be run again for what it prints, so it does not count."""
    use = source.use
    if source.block.kind is not Kind.CALL or use is None or use.effect is not Effect.WRITE:
        return ""
    is_change = use.is_edit or effects.does(source.block) is Does.ACT
    return f"{use.tool}\n{source.block.text}" if is_change and source.block.text else ""


def _question(source: Source) -> str:
    """What is asked of a person: by a tool made for that, or in the last line of what the model says."""
    block = source.block
    if block.kind is Kind.CALL and effects.does(block) is Does.ASK:
        return block.text
    if block.kind is not Kind.TEXT or block.role is not Role.ASSISTANT:
        return ""
    last = block.text.rstrip().rpartition("\n")[2].strip()
    return last if len(last) >= LEAST_CHARS and last.endswith(("?", "？")) else ""


def _is_answer(source: Source) -> bool:
    """A person's words, or the result of the tool that asked."""
    return words.is_persons(source.block) or (source.block.kind is Kind.RESULT and _asks(source))


def _asks(source: Source) -> bool:
    return source.use is not None and effects.lookup(source.use.tool).does is Does.ASK


def of_response(sources: Sequence[Source], start: int) -> Sequence[Source]:
    """The blocks of the response that begins at a position."""
    end = start
    while end < len(sources) and sources[end].answer == sources[start].answer:
        end += 1
    return sources[start:end]
