"""Stories with their task state, and summaries of them."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pumice.commit import effects, fold
from pumice.compact import planner
from pumice.compact.lines import LineIndex
from pumice.domain.block import Kind
from pumice.domain.book import Book, Room, Size
from pumice.domain.decision import Cause, Cut, Epoch
from pumice.domain.effect import ToolUse
from pumice.domain.policy import Policy, Summarize
from pumice.domain.state import TaskState
from pumice.faces import settings as presets

BALANCED = presets.policy("balanced")
BARE = replace(BALANCED, keep=replace(BALANCED.keep, pins="none"))
"""Nothing stands beside the summary: it has to say everything itself."""


class Kept:
    """What is known of a story, brought up to date group by group: a test may ask after every step of a long one."""

    def __init__(self, counter) -> None:
        self.counter = counter
        self.lines, self.state, self.read = LineIndex(), TaskState(), 0
        self.uses: dict[str, ToolUse] = {}
        self.sizes: dict[str, Size] = {}

    def book(self, story) -> Book:
        for group in story.groups[self.read :]:
            self._take(group)
        self.read = len(story.groups)
        return Book(tuple(story.groups), self.uses, self.sizes, self.lines, self.state, story.forms, Epoch(0, Cause.OPEN))

    def _take(self, group) -> None:
        calls = {block.call_id: block for block in group.blocks if block.kind is Kind.CALL}
        for block in group.blocks:
            [tokens] = self.counter([block.text])
            self.sizes[block.id] = Size(tokens)
            if block.kind is Kind.RESULT and block.call_id in calls:
                call = calls[block.call_id]
                self.uses[call.id] = self.uses[block.id] = effects.describe(call, block)
        self.state = fold(self.state, group, self.uses)
        self.lines.add(group, self.uses)


@pytest.fixture
def stories(story) -> type:
    """Makes an empty story: a property needs a new one for each example."""
    return type(story)


@pytest.fixture
def kept(counter) -> Callable[[], Kept]:
    """Begins to read another story."""
    return lambda: Kept(counter)


@pytest.fixture
def stated(counter) -> Callable[..., Book]:
    """The book of a story with the task state its steps fold into."""
    return Kept(counter).book


@pytest.fixture
def summing(room: Room, counter) -> Callable[..., Cut]:
    """Plan a cut by level summarize alone, after an earlier one if given, with answers of a model if given."""

    def plan(book: Book, *, after: Cut | None = None, policy: Policy = BALANCED, room: Room = room, answers=None, **own) -> Cut:
        chosen = replace(policy, order=("summarize",), summarize=replace(Summarize(), **own))
        epoch = book.epoch if after is None else Epoch(1, Cause.BUDGET, after)
        given = replace(book, epoch=epoch, answers=answers or {})
        return planner.plan(given, room, chosen, cause=Cause.BUDGET, necessary=True, count=counter)

    plan.bare = BARE  # type: ignore[attr-defined]
    return plan
