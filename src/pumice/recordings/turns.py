"""Records of one agent as a tree of turns, and the path through it that the client really had.

A response is written over several lines that share an id; its tool results come in any order, between those lines too;
a rewind hangs the next prompt under an older record. So turns are put together first, and history is read from the
newest one upwards.
"""

from collections.abc import Iterable, Iterator

import msgspec

from pumice.recordings.records import Kind, Part, Record


class Result(msgspec.Struct, frozen=True):
    """A tool result and the line it came on."""

    line: int
    part: Part
    at: float | None = None


class Turn(msgspec.Struct, eq=False):
    """One message to be: a response with what answered it, a user message, or a mark of the client."""

    first: Record
    parent: "Turn | None"
    parts: list[Part]
    results: list[Result]
    last: Record
    """The newest record of a response: its usage is final."""
    kept: "Turn | None" = None
    """Where the messages begin that a compaction left as they were."""

    @property
    def kind(self) -> Kind:
        return self.first.kind

    @property
    def is_call(self) -> bool:
        """A response that says or does something: reasoning alone is what an interruption leaves behind."""
        return self.kind is Kind.ASSISTANT and any(part.kind not in ("thinking", "redacted_thinking") for part in self.parts)


class Tree:
    """All turns of one agent, in file order."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.turns: list[Turn] = []
        self.problems: list[str] = []
        self._parents: dict[str, str] = {}
        self._of: dict[str, Turn] = {}
        self._responses: dict[str, Turn] = {}
        self._callers: dict[str, Turn] = {}
        for record in records:
            self._add(record)

    def paths(self) -> list[list[Turn]]:
        """The history of the newest turn, then one for each abandoned branch that holds calls of its own."""
        found: list[list[Turn]] = []
        seen: set[int] = set()
        for turn in reversed(self.turns):
            if id(turn) in seen or (found and not turn.is_call):
                continue
            found.append(list(_ancestors(turn))[::-1])
            seen.update(id(step) for step in found[-1])
        return found

    def _add(self, record: Record) -> None:
        if record.uuid and record.uuid in self._parents:
            self.problems.append(f"line {record.line} repeats record {record.uuid}: ignored")
            return
        if record.uuid:
            self._parents[record.uuid] = record.parent
        if record.kind is Kind.ASSISTANT:
            self._add_response(record)
        elif record.kind is Kind.USER:
            self._add_user(record)
        elif record.kind is not Kind.LINK:
            self._start(record, self._parent(record), record.parts)

    def _add_response(self, record: Record) -> None:
        turn = self._responses.get(record.message_id)
        parts = [part for part in record.parts if not part.is_blank]
        if turn is None:
            turn = self._responses[record.message_id] = self._start(record, self._parent(record), parts)
        else:
            turn.parts.extend(parts)
            turn.last = record
            self._know(record, turn)
        self._callers.update((part.call_id, turn) for part in parts if part.kind == "tool_use")

    def _add_user(self, record: Record) -> None:
        text = []
        owner = None
        for part in record.parts:
            caller = self._callers.get(part.call_id) if part.kind == "tool_result" else None
            if caller is None:
                text.append(part)
            else:
                owner = caller
                self._answer(caller, part, record)
        if owner:
            self._know(record, owner)
        if any(part.kind == "tool_result" for part in text):
            self.problems.append(f"line {record.line}: a result of no known call")
        if text:
            self._start(record, owner or self._parent(record), text)

    def _answer(self, caller: Turn, part: Part, record: Record) -> None:
        calls = sum(step.call_id == part.call_id for step in caller.parts if step.kind == "tool_use")
        if sum(result.part.call_id == part.call_id for result in caller.results) >= calls:
            self.problems.append(f"line {record.line}: a second result of call {part.call_id}: ignored")
            return
        caller.results.append(Result(record.line, part, record.at))

    def _start(self, record: Record, parent: Turn | None, parts: Iterable[Part]) -> Turn:
        turn = Turn(record, parent, list(parts), [], record, self._of.get(record.kept))
        self.turns.append(turn)
        self._know(record, turn)
        return turn

    def _know(self, record: Record, turn: Turn) -> None:
        if record.uuid:
            self._of[record.uuid] = turn

    def _parent(self, record: Record) -> Turn | None:
        """The turn a record continues; the newest one where its chain of parents breaks off."""
        step, passed = record.parent, set[str]()
        while step and step not in self._of and step not in passed:
            passed.add(step)
            step = self._parents.get(step, "")
        found = self._of.get(step)
        if found or not self.turns:
            return found
        return None if self._goes_back_to_start(passed) else self.turns[-1]

    def _goes_back_to_start(self, passed: set[str]) -> bool:
        """Whether a chain without turns is the one above the first turn: the first prompt was edited."""
        return bool(self.turns[0].first.parent) and self.turns[0].first.parent in passed


def _ancestors(turn: Turn | None) -> Iterator[Turn]:
    while turn is not None:
        yield turn
        turn = turn.parent
