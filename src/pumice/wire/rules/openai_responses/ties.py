"""R3, R7: stored reasoning stands directly before what it was produced with, and can be found where nothing is stored."""

from collections.abc import Iterator

import msgspec

from pumice.domain.block import Role
from pumice.domain.message import Violation
from pumice.errors import BadRequest
from pumice.measure.naming import ModelName
from pumice.wire.openai_responses import items
from pumice.wire.rules.rule import Ending, Seen, Step
from pumice.wire.values import string


class Ties(msgspec.Struct, frozen=True):
    reasoning: str = ""
    """Id of the reasoning that the item before was."""
    path: str = ""
    bare: tuple[tuple[str, str], ...] = ()
    """(id, path) of reasoning that is nothing but an id."""


START = Ties()


def step(state: Ties, message: Seen, _model: ModelName, /) -> Step:
    found = tuple(_alone(state)) if state.reasoning and not _is_models(message) else ()
    ident = string(message.value.get("id")) if items.kind(message.value) == items.REASONING else ""
    is_bare = bool(ident) and not message.value.get("encrypted_content")
    bare = (*state.bare, (ident, message.path)) if is_bare else state.bare
    return Step(Ties(ident, message.path, bare), found)


def end(state: Ties, ending: Ending, /) -> Iterator[Violation]:
    if state.reasoning:
        yield from _alone(state)
    if ending.fields.get("store") is False:
        for ident, path in state.bare:
            words = f"Item with id '{ident}' not found. Items are not persisted when `store` is set to false."
            yield Violation("R7", path, words)


def _alone(state: Ties) -> Iterator[Violation]:
    words = f"Item '{state.reasoning}' of type 'reasoning' was provided without its required following item."
    yield Violation("R3", state.path, words)


def _is_models(message: Seen) -> bool:
    try:
        return items.role(message.value) is Role.ASSISTANT
    except BadRequest:
        return False
