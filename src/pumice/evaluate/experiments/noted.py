"""A session as it would have been if its agent had kept notes: every few steps a call of `update_notes`, written by rule.

A note says what a careful agent would say: its own words since the note before, what it has changed, what failed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pumice.commit import effects
from pumice.domain.block import Kind, Role
from pumice.evaluate.driver import Compiled, Driver
from pumice.evaluate.script import Moment, Script
from pumice.evaluate.sources import Source
from pumice.recordings.recording import RecordedCall, Recording
from pumice.toolkit.notes import NAME
from pumice.wire import jsonbytes

EVERY = 5
"""Responses with tool calls from one note to the next."""
SAID_CHARS = 160
"""Characters of each thing it said that a note keeps."""
ANSWER = "Noted."


class Note(msgspec.Struct, frozen=True):
    """A note an agent makes with the calls of one response."""

    call_id: str
    topic: str
    text: str

    @property
    def block(self) -> dict[str, Any]:
        return {"type": "tool_use", "id": self.call_id, "name": NAME, "input": {"notes": {self.topic: self.text}}}

    @property
    def part(self) -> dict[str, Any]:
        return {"functionCall": {"id": self.call_id, "name": NAME, "args": {"notes": {self.topic: self.text}}}}

    @property
    def item(self) -> dict[str, Any]:
        arguments = jsonbytes.encode({"notes": {self.topic: self.text}}).decode()
        return {"type": "function_call", "call_id": self.call_id, "name": NAME, "arguments": arguments}

    @property
    def function(self) -> dict[str, Any]:
        arguments = jsonbytes.encode({"notes": {self.topic: self.text}}).decode()
        return {"id": self.call_id, "type": "function", "function": {"name": NAME, "arguments": arguments}}


def notes_of(told: Script) -> dict[int, Note]:
    """The notes of a session, by the index of the message that makes them."""
    made: dict[int, Note] = {}
    since: list[Source] = []
    steps = 0
    for at, source in enumerate(told.sources):
        since.append(source)
        is_last = at + 1 == len(told.sources) or told.sources[at + 1].message != source.message
        if source.block.kind is Kind.CALL and is_last and source.message + 1 < len(told.recording.messages):
            steps += 1
            text = _text(since)
            if steps % EVERY == 0 and text:
                made[source.message] = Note(f"note_{steps}", f"to step {steps}", text)
                since = []
    return made


def _text(since: Sequence[Source]) -> str:
    lines: dict[str, None] = {}
    for source in since:
        block, use = source.block, source.use
        if block.kind is Kind.TEXT and block.role is Role.ASSISTANT:
            lines[block.text.strip().partition("\n")[0][:SAID_CHARS]] = None
        elif block.kind is Kind.RESULT and use is not None and use.target and (use.is_edit or effects.failed(block)):
            lines[f"{'failed' if effects.failed(block) else 'changed'}: {use.target[:SAID_CHARS]}"] = None
    return "\n".join(filter(None, lines))


def with_notes(recording: Recording, notes: Mapping[int, Note]) -> Recording:
    """The session with its notes; calls see the messages they saw and the notes made before."""
    messages: list[bytes] = []
    places = [0]
    for index, raw in enumerate(recording.messages):
        added = _noted(recording.dialect, raw, notes.get(index), notes.get(index - 1))
        messages += added
        places.append(len(messages))
    calls = tuple(msgspec.structs.replace(call, upto=places[call.upto]) for call in recording.calls)
    return msgspec.structs.replace(recording, messages=tuple(messages), calls=calls)


def _noted(dialect: str, raw: bytes, made: Note | None, answered: Note | None) -> list[bytes]:
    """A message with the note it makes, or the answer to the one before; Chat's answers are messages of their own."""
    if made is None and answered is None:
        return [raw]
    message: dict[str, Any] = jsonbytes.decode(raw)
    if dialect == "openai-responses":
        output = {"type": "function_call_output", "call_id": answered.call_id, "output": ANSWER} if answered else None
        return [*([jsonbytes.encode(output)] if output else []), raw, *([jsonbytes.encode(made.item)] if made else [])]
    if dialect == "gemini":
        told = (
            [{"functionResponse": {"id": answered.call_id, "name": NAME, "response": {"output": ANSWER}}}] if answered else []
        )
        return [jsonbytes.encode(_with_call({**message, "parts": [*told, *message["parts"]]}, made))]
    if dialect != "anthropic":
        said = [jsonbytes.encode({"role": "tool", "tool_call_id": answered.call_id, "content": ANSWER})] if answered else []
        return [*said, jsonbytes.encode(_with_call(message, made))]
    if answered is not None:
        result = {"type": "tool_result", "tool_use_id": answered.call_id, "content": ANSWER}
        message["content"] = [result, *message["content"]] if isinstance(message["content"], list) else message["content"]
    return [jsonbytes.encode(_with_call(message, made))]


def _with_call(message: dict[str, Any], made: Note | None) -> dict[str, Any]:
    if made is None:
        return message
    if "parts" in message:
        return {**message, "parts": [*message["parts"], made.part]}
    if isinstance(message.get("content"), list) and "tool_calls" not in message:
        return {**message, "content": [*message["content"], made.block]}
    return {**message, "tool_calls": [*message.get("tool_calls", ()), made.function]}


class Noting:
    """A driver whose agent answers with its notes; what is judged is the recorded response alone."""

    def __init__(self, inner: Driver, recording: Recording, notes: Mapping[int, Note]) -> None:
        self._inner = inner
        self._dialect = recording.dialect
        self._notes = {call.number: notes[call.upto] for call in recording.calls if call.upto in notes}
        self._now: RecordedCall | None = None

    async def compile(self, moment: Moment) -> Compiled:
        self._now = moment.call
        return await self._inner.compile(moment)

    async def answer(self, response: bytes) -> None:
        note = self._notes.get(self._now.number) if self._now else None
        await self._inner.answer(response if note is None else self._with_note(response, note))

    def _with_note(self, response: bytes, note: Note) -> bytes:
        said: dict[str, Any] = jsonbytes.decode(response)
        if self._dialect == "anthropic":
            return jsonbytes.encode(_with_call(said, note))
        if self._dialect == "gemini":
            said["candidates"][0]["content"] = _with_call(said["candidates"][0]["content"], note)
            return jsonbytes.encode(said)
        said["choices"][0]["message"] = _with_call(said["choices"][0]["message"], note)
        return jsonbytes.encode(said)

    async def unresolved(self, pointed: Mapping[str, str | None]) -> list[str]:
        return await self._inner.unresolved(pointed)
