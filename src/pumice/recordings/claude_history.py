"""A path of turns as messages and calls: the full history, and beside it what Claude Code really sent.

The client's own summaries, and what it puts in after a compaction before the model speaks again, stand only in what was
sent; a person's words and results of known calls belong to the full history too.
"""

from collections.abc import Iterator, Sequence

import msgspec

from pumice.recordings import responses
from pumice.recordings.claude_chain import Result, Turn
from pumice.recordings.claude_records import Kind, Part
from pumice.recordings.recording import RecordedCall
from pumice.wire import jsonbytes

CLEARED = b'"[Old tool result content cleared]"'
"""What the client puts in place of a result it has cleared."""


class Step(msgspec.Struct, frozen=True):
    """One message of a path: a turn's own, or the results of a response together in one user message."""

    turn: Turn
    parts: tuple[Part, ...]
    role: str
    line: int
    at: float | None = None
    is_results: bool = False

    def message(self, cleared: frozenset[str] = frozenset()) -> bytes:
        """The wire message, results of cleared calls emptied."""
        if len(self.parts) == 1 and self.parts[0].is_bare:
            content = self.parts[0].raw
        else:
            content = jsonbytes.join_array(_cleared(part) if part.call_id in cleared else part.raw for part in self.parts)
        return jsonbytes.join_object({"role": jsonbytes.encode(self.role), "content": content})


class History:
    """Messages and calls, filled step by step."""

    def __init__(self, done: frozenset[str]) -> None:
        self.full: list[bytes] = []
        self.calls: list[RecordedCall] = []
        self.injected: set[int] = set()
        self.problems: list[str] = []
        self._done = done
        self._sent: list[Step] = []
        self._sent_bytes: list[bytes] = []
        self._differs = False
        self._waits = False
        self._cleared: frozenset[str] = frozenset()
        self._at: float | None = None

    def walk(self, path: Sequence[Turn], *, trailing: bool) -> None:
        """Take in a path; `trailing` makes a last user turn that nothing answered a call of its own."""
        step = None
        for step in steps(path):
            self._take(step)
        if step and trailing and self.calls and (step.is_results or step.turn.first.is_typed):
            self._call(step.turn, None)

    def _take(self, step: Step) -> None:
        turn = step.turn
        if turn.kind is Kind.BOUNDARY:
            self._compacted()
        elif turn.kind is Kind.CLEARING:
            self._clear(turn.first.cleared)
        elif turn.kind is Kind.ASSISTANT and not step.is_results:
            self._respond(step)
        elif step.parts:
            self._hear(step)

    def _hear(self, step: Step) -> None:
        first = step.turn.first
        if first.is_summary and not self._waits:
            self._compacted()
        self._at = step.at or self._at
        if not (self._waits and step.is_results):
            self._send(step)
        if step.is_results or first.is_typed or not (first.is_summary or self._waits):
            if first.is_injected and not step.is_results:
                self.injected.add(len(self.full))
            self.full.append(step.message())

    def _respond(self, step: Step) -> None:
        turn = step.turn
        if not turn.is_call:
            self.problems.append(f"line {turn.first.line}: a response of reasoning alone, interrupted or cut off: left out")
            return
        self._waits = False
        if turn.first.message_id not in self._done:
            self._call(turn, response(step))
        self._send(step)
        self.full.append(step.message())

    def _call(self, turn: Turn, answer: bytes | None) -> None:
        self.calls.append(
            RecordedCall(
                number=len(self.calls) + 1,
                upto=len(self.full),
                response_id=turn.first.message_id if answer else None,
                response=answer,
                model=turn.first.model if answer else self.calls[-1].model,
                at=self._at or turn.first.at,
                recorded=tuple(self._sent_bytes) if self._differs else None,
            )
        )

    def _send(self, step: Step) -> None:
        self._sent.append(step)
        self._sent_bytes.append(step.message(self._cleared))

    def _compacted(self) -> None:
        self._sent, self._sent_bytes = [], []
        self._differs = self._waits = True

    def _clear(self, calls: frozenset[str]) -> None:
        self._cleared |= calls
        self._differs = True
        self._sent_bytes = [step.message(self._cleared) for step in self._sent]


def steps(path: Sequence[Turn]) -> Iterator[Step]:
    """The messages of a path: results right behind their response, or where they came if the model had gone on."""
    late: list[Step] = []
    for place, turn in enumerate(path):
        while late and late[0].line < turn.first.line:
            yield late.pop(0)
        parts = tuple(part for part in turn.parts if not part.is_blank)
        yield Step(turn, parts, "assistant" if turn.kind is Kind.ASSISTANT else "user", turn.first.line, turn.first.at)
        if turn.results:
            horizon = next((later.first.line for later in path[place + 1 :] if later.is_call), turn.results[-1].line + 1)
            yield from _results(turn, [result for result in turn.results if result.line < horizon])
            late += _results(turn, [result for result in turn.results if result.line > horizon])
            late.sort(key=lambda step: step.line)
    yield from late


def _results(turn: Turn, results: Sequence[Result]) -> list[Step]:
    if not results:
        return []
    newest = results[-1]
    return [Step(turn, tuple(result.part for result in results), "user", newest.line, newest.at, is_results=True)]


def _cleared(part: Part) -> bytes:
    """A result with the client's placeholder for its content; keys in the source's order."""
    return jsonbytes.join_object({**jsonbytes.members(part.raw), "content": CLEARED})


def response(step: Step) -> bytes:
    """The response as the provider's JSON, with the usage of its newest line."""
    turn = step.turn
    content = jsonbytes.join_array(part.raw for part in step.parts)
    first, last = turn.first, turn.last
    return responses.anthropic(content, name=first.message_id, model=first.model, stop=last.stop, usage=last.usage)
