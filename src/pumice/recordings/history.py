"""A path of turns as messages and calls: the full history, and beside it what the client really sent.

The client's own summaries, and what it puts in after a compaction before the model speaks again, stand only in what was
sent; a person's words and results of known calls belong to the full history too. A log that begins with a summary has no
fuller history than that.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import dropwhile

from pumice.recordings.recording import RecordedCall
from pumice.recordings.records import Kind
from pumice.recordings.steps import Step, steps
from pumice.recordings.turns import Turn
from pumice.recordings.voices import Voice


class History:
    """Messages and calls, filled step by step."""

    def __init__(self, voice: Voice, done: AbstractSet[str]) -> None:
        self.full: list[bytes] = []
        self.calls: list[RecordedCall] = []
        self.injected: set[int] = set()
        self.answered: set[str] = set()
        self.problems: list[str] = []
        self._voice = voice
        self._done = done
        self._passed: list[Step] = []
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
        if step and trailing and (step.is_results or step.turn.first.is_typed):
            self._call(step.turn, None)

    def _take(self, step: Step) -> None:
        turn = step.turn
        if turn.kind is Kind.BOUNDARY and self.full:
            self._compacted(step)
        elif turn.kind is Kind.CLEARING:
            self._clear(turn.first.cleared)
        elif turn.kind is Kind.ASSISTANT and not step.is_results:
            self._respond(step)
        elif step.parts:
            self._hear(step)

    def _hear(self, step: Step) -> None:
        first = step.turn.first
        if step.is_results and not self.full:
            return
        if first.is_summary and self.full and not self._waits:
            self._compacted()
        self._at = step.at or self._at
        if not (self._waits and step.is_results):
            self._send(step)
        if step.is_results or first.is_typed or not self._waits:
            if first.is_injected and not step.is_results:
                self.injected.add(len(self.full))
            self.full.extend(self._voice.messages(step))

    def _respond(self, step: Step) -> None:
        turn = step.turn
        if not turn.is_call or not self.full:
            why = "before any user message" if turn.is_call else "without words or calls, interrupted or cut off"
            self.problems.append(f"line {turn.first.line}: a response {why}: left out")
            return
        self._waits = False
        if turn.first.message_id not in self._done:
            self.answered.add(turn.first.message_id)
            self._call(turn, self._voice.response(step))
        self._at = None
        self._send(step)
        self.full.extend(self._voice.messages(step))

    def _call(self, turn: Turn, answer: bytes | None) -> None:
        self.calls.append(
            RecordedCall(
                number=len(self.calls) + 1,
                upto=len(self.full),
                response_id=turn.first.response_id or None if answer else None,
                response=answer,
                model=turn.first.model if answer or not self.calls else self.calls[-1].model,
                at=self._at or turn.first.at,
                recorded=tuple(self._sent_bytes) if self._differs else None,
            )
        )

    def _send(self, step: Step) -> None:
        self._passed.append(step)
        self._sent.append(step)
        self._sent_bytes.extend(self._voice.messages(step, self._cleared))

    def _compacted(self, boundary: Step | None = None) -> None:
        """What was sent begins anew: with the boundary's own summary and what it kept, where it says so."""
        own = boundary is not None and bool(boundary.parts)
        kept = boundary.turn.kept if boundary else None
        self._sent = [boundary] if boundary and own else []
        if kept:
            self._sent += dropwhile(lambda step: step.turn is not kept, self._passed)
        self._differs, self._waits = True, not own
        self._clear(frozenset())

    def _clear(self, calls: frozenset[str]) -> None:
        self._cleared |= calls
        self._differs = True
        self._sent_bytes = [message for step in self._sent for message in self._voice.messages(step, self._cleared)]
