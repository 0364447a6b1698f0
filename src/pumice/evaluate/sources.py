"""The blocks of a recorded history, each with its group, its size and what its tool call was about."""

from collections.abc import Iterator, Sequence

import msgspec

from pumice.commit import effects
from pumice.domain.block import Block, Kind, Role
from pumice.domain.book import Size
from pumice.domain.effect import ToolUse
from pumice.domain.message import Message
from pumice.engine.sizes import measure
from pumice.recordings.recording import Recording
from pumice.wire.dialect import Dialect


class Source(msgspec.Struct, frozen=True):
    """A block of the full history."""

    block: Block
    message: int
    """Index of its message."""
    group: int
    """One response with all results of its calls, or one user message; counted from 0."""
    size: Size
    use: ToolUse | None = None
    """What the tool call was about; of a call and of its result."""
    answer: int = -1
    """Index of the first message of the response it is of, where that has several; else that of its own."""

    @property
    def teaches(self) -> bool:
        """Whether entities may come from it: a client's own system messages are no source (DESIGN §2)."""
        return self.block.role is not Role.SYSTEM and bool(self.block.text)


def read(recording: Recording, dialect: Dialect) -> tuple[Source, ...]:
    """Every block of the recording in order."""
    messages = [dialect.read_message(raw) for raw in recording.messages]
    blocks = [block for message in messages for block in message.blocks]
    places = list(_places(messages))
    uses = _uses(blocks)
    return tuple(
        Source(block, place.message, place.group, size, uses.get(at), place.answer)
        for at, (block, place, size) in enumerate(zip(blocks, places, measure(blocks, recording.model), strict=True))
    )


class _Place(msgspec.Struct, frozen=True):
    message: int
    group: int
    answer: int


def _places(messages: Sequence[Message]) -> Iterator[_Place]:
    """A result belongs to the group of its call, wherever it came; everything else to its own message's group."""
    groups = answer = 0
    callers: dict[str, int] = {}
    own: int | None = None
    for index, message in enumerate(messages):
        if not _goes_on(messages, index):
            own, answer = None, index
        for block in message.blocks:
            of_call = callers.get(block.call_id) if block.kind is Kind.RESULT else None
            if of_call is None and own is None:
                own, groups = groups, groups + 1
            group = own if of_call is None else of_call
            assert group is not None
            if block.kind is Kind.CALL:
                callers[block.call_id] = group
            yield _Place(index, group, answer)


def _goes_on(messages: Sequence[Message], at: int) -> bool:
    """Whether a message is one more item of the response before it."""
    return at > 0 and messages[at].is_part and all(messages[one].role is Role.ASSISTANT for one in (at - 1, at))


def _uses(blocks: Sequence[Block]) -> dict[int, ToolUse]:
    """By position, of calls and their results; a reused id is paired by occurrence."""
    waiting: dict[str, list[int]] = {}
    found: dict[int, ToolUse] = {}
    for at, block in enumerate(blocks):
        if block.kind is Kind.CALL:
            waiting.setdefault(block.call_id, []).append(at)
            found[at] = effects.describe(block, None)
        elif block.kind is Kind.RESULT and waiting.get(block.call_id):
            call = waiting[block.call_id].pop(0)
            found[call] = found[at] = effects.describe(blocks[call], block)
    return found
