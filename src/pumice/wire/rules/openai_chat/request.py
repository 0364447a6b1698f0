"""O8, O9, O11, O13, O14: the request as a whole."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.rules.openai_chat import models
from pumice.wire.rules.openai_chat.shape import NAME
from pumice.wire.rules.rule import Ending, Seen, Step
from pumice.wire.values import string

_METADATA = 16


class Whole(msgspec.Struct, frozen=True):
    roles: frozenset[str] = frozenset()
    says_json: bool = False
    """The word stands somewhere in the messages."""


START = Whole()


def step(state: Whole, message: Seen, _model: ModelName, /) -> Step:
    says = state.says_json or any("json" in string(part.value.get("text")).lower() for part in message.parts)
    return Step(Whole(state.roles | {message.role}, says))


def end(state: Whole, ending: Ending, /) -> Iterator[Violation]:
    if not ending.count:
        yield Violation("O8", "messages", "at least one message is required")
    if {"developer", "system"} <= state.roles:
        yield Violation("O8", "messages", "developer and system messages must not stand in one request")
    yield from _names(ending)
    wanted = ending.fields.get("response_format")
    if isinstance(wanted, dict) and wanted.get("type") == "json_object" and not state.says_json:
        yield Violation("O11", "response_format", 'json_object needs the word "JSON" somewhere in the messages')
    if ending.tokens is not None and ending.window is not None and ending.tokens > ending.window:
        yield Violation("O13", "messages", f"maximum context length is {ending.window} tokens; the input has {ending.tokens}")
    if "prompt_cache_options" in ending.fields and not models.takes_breakpoints(ending.model):
        yield Violation("O14", "prompt_cache_options", f"{ending.model.base!r} takes no cache options")


def _names(ending: Ending) -> Iterator[Violation]:
    for place, tool in enumerate(ending.tools):
        name = _name(tool)
        if not NAME.match(name):
            yield Violation("O9", f"tools[{place}]", f"{name!r} is not 1 to 64 of a-z, A-Z, 0-9, _ and -")
    metadata = ending.fields.get("metadata")
    if isinstance(metadata, dict) and len(metadata) > _METADATA:
        yield Violation("O9", "metadata", f"{len(metadata)} pairs; {_METADATA} are the most")


def _name(tool: dict[str, Any]) -> str:
    held = tool.get(string(tool.get("type")) or "function")
    return string(held.get("name")) if isinstance(held, dict) else ""
