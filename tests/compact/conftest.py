"""A small conversation to compact, built step by step."""

import hashlib
import json
from collections.abc import Callable, Sequence

import pytest

from pumice import commit
from pumice.commit import effects
from pumice.compact.lines import LineIndex
from pumice.domain.block import Block, Kind, Media, Origin, Role
from pumice.domain.book import Book, Room, Size
from pumice.domain.decision import Cause, Decision, Epoch
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group, Node
from pumice.domain.state import TaskState


def count(texts: Sequence[str]) -> list[int]:
    """A token per four characters, rounded up: fast, and additive enough to reason about."""
    return [(len(text) + 3) // 4 for text in texts]


class Story:
    """Blocks and groups of one path, in order."""

    def __init__(self) -> None:
        self.groups: list[Group] = []
        self.forms: dict[str, Decision] = {}
        self.state = TaskState()
        self._blocks = 0
        self._nodes = 0

    def user(self, text: str, origin: Origin = Origin.PERSON) -> Block:
        """A message under the user's role."""
        block = self._block(Kind.TEXT, Role.USER, origin, text)
        self._group(True, [("user", (block,))])
        return block

    def step(
        self,
        said: str = "",
        *calls: tuple[str, dict[str, object], str | None],
        ids: Sequence[str] = (),
        thinks: bool = False,
        media: tuple[Media, ...] = (),
        is_error: bool = False,
    ) -> list[Block]:
        """A response with its calls, (tool, arguments, result) each; a result of None is still pending."""
        names = list(ids) or [f"c{len(self.groups)}-{at}" for at in range(len(calls))]
        spoken = [self._block(Kind.REASONING, Role.ASSISTANT, Origin.MODEL, "")] if thinks else []
        spoken += [self._block(Kind.TEXT, Role.ASSISTANT, Origin.MODEL, said)] if said else []
        results = []
        for name, (tool, arguments, result) in zip(names, calls, strict=True):
            text = "\n".join(str(value) for value in arguments.values())
            raw = json.dumps({"type": "tool_use", "id": name, "name": tool, "input": arguments}).encode()
            spoken.append(self._block(Kind.CALL, Role.ASSISTANT, Origin.MODEL, text, raw=raw, call_id=name, tool=tool))
            if result is not None:
                results.append((name, tool, result))
        back = [
            self._block(Kind.RESULT, Role.TOOL, Origin.TOOL, text, call_id=name, tool=tool, media=media, is_error=is_error)
            for name, tool, text in results
        ]
        nodes = [("assistant", tuple(spoken)), *([("user", tuple(back))] if back else [])]
        self._group(False, nodes)
        return [*spoken, *back]

    def fold(self) -> None:
        """The task state of what was said and done so far, as the engine folds it."""
        self.state = TaskState()
        for group in self.groups:
            self.state = commit.fold(self.state, group, self.uses())

    def book(self) -> Book:
        uses = self.uses()
        lines = LineIndex()
        for group in self.groups:
            lines.add(group, uses)
        blocks = [block for group in self.groups for block in group.blocks]
        sizes = {
            block.id: Size(tokens, 8 + 1000 * len(block.media))
            for block, tokens in zip(blocks, count([block.text for block in blocks]), strict=True)
        }
        return Book(tuple(self.groups), uses, sizes, lines, self.state, self.forms, Epoch(0, Cause.OPEN))

    def uses(self) -> dict[str, ToolUse]:
        found: dict[str, ToolUse] = {}
        for group in self.groups:
            waiting: dict[str, list[Block]] = {}
            for block in group.blocks:
                if block.kind is Kind.CALL:
                    waiting.setdefault(block.call_id, []).append(block)
                    found[block.id] = effects.describe(block, None)
                elif block.kind is Kind.RESULT and waiting.get(block.call_id):
                    call = waiting[block.call_id].pop(0)
                    found[call.id] = found[block.id] = effects.describe(call, block)
        return found

    def _block(self, kind: Kind, role: Role, origin: Origin, text: str, *, raw: bytes = b"", **more: object) -> Block:
        self._blocks += 1
        name = f"b{self._blocks}"
        digest = hashlib.sha256(f"{kind}{text}{more}".encode("utf-8", "surrogatepass")).hexdigest()
        return Block(name, kind, role, origin, text, raw, digest, **more)  # type: ignore[arg-type]

    def _group(self, is_user: bool, nodes: Sequence[tuple[str, tuple[Block, ...]]]) -> None:
        made = []
        for role, blocks in nodes:
            made.append(Node(self._nodes, role, blocks, b"", b""))
            self._nodes += 1
        self.groups.append(Group(len(self.groups), tuple(made), is_user))


@pytest.fixture
def story() -> Story:
    return Story()


@pytest.fixture
def counter() -> Callable[[Sequence[str]], list[int]]:
    return count


@pytest.fixture
def room() -> Room:
    """A 60k window, nothing in the head, no calibration."""
    return Room(window=60_000, usable=50_100, head=0, factor=1.0, growth=1000.0, calls=40, view=48_000)


@pytest.fixture
def long_story(story: Story) -> Story:
    """Forty steps: reads of three files over and over, edits, a shell, one request at the start and one near the end."""
    story.user("Please fix the parser. Never push to main.")
    for at in range(40):
        path = f"src/part_{at % 3}.py"
        body = "\n".join(f"{line:5}→def helper_{at}_{line}(value): return value" for line in range(1, 30))
        story.step(f"I look at helper_{at}_7 in {path}.", ("Read", {"file_path": path}, body))
        story.step("", ("Bash", {"command": f"pytest -k case_{at}"}, f"case_{at} passed\nexit 0"))
        if at == 36:
            story.user("Now also fix the lexer.")
    story.step("Done so far.", ("Edit", {"file_path": "src/part_1.py", "old_string": "helper_3_7", "new_string": "x"}, "ok"))
    return story
