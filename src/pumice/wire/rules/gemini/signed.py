"""G7, G15: what a model that signs its thoughts must find signed in the turn that goes on.

The turn begins with the user's last text. A step is a run of the model's contents; of its calls the first is signed.
"""

from collections.abc import Iterator

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.gemini import signatures
from pumice.wire.rules.gemini import models, parts
from pumice.wire.rules.rule import Ending, Part, Seen, Step


class Turn(msgspec.Struct, frozen=True):
    unsigned: tuple[Violation, ...] = ()
    """Of the turn so far."""
    has_called: bool = False
    """The step has had its first call."""


START = Turn()


def step(state: Turn, message: Seen, model: ModelName, /) -> Step:
    if not models.checks_signatures(model):
        return Step(state)
    if message.role != "model":
        begins = any(part.kind == "text" for part in message.parts)
        return Step(Turn(() if begins else state.unsigned))
    called, found = state.has_called, list(state.unsigned)
    for part in message.parts:
        if part.kind == "functionCall":
            found += _call(part, message.index) if not called else ()
            called = True
        elif part.kind == "inlineData" and models.draws(model) and not signatures.of(part.value):
            found.append(Violation("G15", part.path, "an image the model made goes back with its signature"))
    return Step(Turn(tuple(found), called))


def end(state: Turn, _ending: Ending, /) -> Iterator[Violation]:
    return iter(state.unsigned)


def _call(part: Part, index: int) -> list[Violation]:
    if signatures.of(part.value):
        return []
    words = f"Function call `{parts.name(part)}` in the {index + 1}. content block is missing a `thought_signature`"
    return [Violation("G7", part.path, words)]
