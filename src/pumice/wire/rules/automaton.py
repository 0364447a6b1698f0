"""All rules of a dialect run side by side over the messages, from any kept state on."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from pumice.domain.message import Violation
from pumice.errors import BadRequest
from pumice.measure.naming import ModelName
from pumice.wire import get, jsonbytes
from pumice.wire.rules import anthropic, gemini, openai_chat, openai_responses
from pumice.wire.rules.gemini import parts
from pumice.wire.rules.rule import Ending, Part, Rule, Seen
from pumice.wire.values import string

_RULES: dict[str, tuple[Rule, ...]] = {
    "anthropic": anthropic.RULES,
    "openai-chat": openai_chat.RULES,
    "openai-responses": openai_responses.RULES,
    "gemini": gemini.RULES,
}

_SHAPE = {"anthropic": "A9", "openai-chat": "O6", "openai-responses": "R15", "gemini": "G1"}
"""The rule a message breaks that is no object at all."""


class State(msgspec.Struct, frozen=True):
    """Where the automaton stands after some messages."""

    dialect: str
    model: ModelName
    count: int
    size: int
    states: tuple[Any, ...]
    """One per rule module of the dialect."""
    violations: tuple[Violation, ...] = ()
    """What is wrong whatever follows."""

    @classmethod
    def at_start(cls, dialect: str, model: ModelName) -> "State":
        return cls(dialect, model, 0, 0, tuple(rule.START for rule in _RULES[dialect]))

    def feed(self, raw: bytes) -> "State":
        """The state after one more wire message."""
        message, found = _seen(raw, self.count, _SHAPE[self.dialect], get(self.dialect).field)
        steps = [rule.step(state, message, self.model) for rule, state in zip(_RULES[self.dialect], self.states, strict=True)]
        return State(
            self.dialect,
            self.model,
            self.count + 1,
            self.size + len(raw),
            tuple(step.state for step in steps),
            self.violations + found + tuple(violation for step in steps for violation in step.found),
        )

    def finish(
        self,
        fields: Mapping[str, bytes],
        *,
        tokens: int | None = None,
        window: int | None = None,
        betas: Collection[str] | None = None,
    ) -> tuple[Violation, ...]:
        """Everything wrong with these messages inside these top-level fields (`request.fields`)."""
        field = get(self.dialect).field
        around = {key: raw for key, raw in fields.items() if key != field}
        values = {key: _value(raw) for key, raw in around.items()}
        known = None if betas is None else frozenset(betas)
        size = self.size + sum(map(len, around.values()))
        ending = Ending(values, self.model, self.count, size, tokens, window, known)
        late = [
            violation
            for rule, state in zip(_RULES[self.dialect], self.states, strict=True)
            for violation in rule.end(state, ending)
        ]
        return (*self.violations, *late)


@lru_cache(maxsize=64)
def _value(raw: bytes) -> Any:
    """A top-level field decoded; tools and system stay the same for many calls."""
    return jsonbytes.decode(raw)


def _seen(raw: bytes, index: int, shape: str, field: str) -> tuple[Seen, tuple[Violation, ...]]:
    path = f"{field}[{index}]"
    reason = ""
    try:
        value = jsonbytes.decode(raw)
    except BadRequest as error:
        value, reason = {}, str(error)
    if not isinstance(value, dict):
        value, reason = {}, f"a message must be an object, not {value!r:.40}"
    found = (Violation(shape, path, reason),) if reason else ()
    listed = parts.of(value, path) if field == "contents" else _parts(value.get("content"), path)
    return Seen(index, string(value.get("role")), value, listed, len(raw), field), found


def _parts(content: Any, path: str) -> tuple[Part, ...]:
    if isinstance(content, str):
        return (Part("text", {"type": "text", "text": content}, f"{path}.content"),)
    if not isinstance(content, list):
        return ()
    values = [(place, item if isinstance(item, dict) else {}) for place, item in enumerate(content)]
    return tuple(Part(string(value.get("type")), value, f"{path}.content[{place}]") for place, value in values)
